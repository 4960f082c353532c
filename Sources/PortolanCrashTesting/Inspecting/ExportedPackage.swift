internal import Foundation

/// A package that a map was written into: whole or not there, whenever the process that writes it is killed.
struct ExportedPackage {
  let file: URL
  /// What its layers show when it is whole.
  let layers: [String: String]

  /// Where the package of a map is written, on the disk of the home.
  static func place(of id: String, beside home: URL) -> URL {
    folder(beside: home).appending(path: "\(id).mmpk")
  }

  /// The folder of packages beside a home; its path begins as that of the home does, so that calls about it fail
  /// as well.
  static func folder(beside home: URL) -> URL {
    home.deletingLastPathComponent()
      .appending(path: "\(home.lastPathComponent)-exported", directoryHint: .isDirectory)
  }

  /// What must not be so.
  ///
  /// - Parameter isDone: Whether a process has said that it is written.
  /// - Returns: The faults.
  /// - Throws: An error if the folder cannot be listed.
  func faults(isDone: Bool) async throws -> [String] {
    let folder = file.deletingLastPathComponent()
    var faults: [String] = []
    if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      do {
        let found = try await MapOpening(folder: folder).layers(of: file)
        if found != layers { faults.append("the package shows \(found), not \(layers)") }
      } catch {
        faults.append("the package cannot be opened: \(error.localizedDescription)")
      }
    } else if isDone {
      faults.append("there is no package")
    }
    guard isDone else { return faults }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false)
    ).filter { $0.hasPrefix(".portolan-export-") }
    return faults + left.map { "\($0) is beside the package still" }
  }
}

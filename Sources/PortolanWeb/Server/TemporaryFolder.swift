internal import Foundation
internal import PortolanApp

/// Folders for files on their way between a page and this device; each file has one of its own.
enum TemporaryFolder {
  /// Where they are.
  static var url: URL { FileManager.default.temporaryDirectory }

  /// Makes one that only this user can read.
  static func make(for name: String) throws(Problem) -> URL {
    let folder = url.appending(path: "portolan-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw unwritable(name)
    }
    return folder
  }

  /// Removes one with what is in it.
  static func remove(_ folder: URL) {
    // What stays behind is in the folder for temporary files, which the system empties.
    try? FileManager.default.removeItem(at: folder)
  }

  /// How many bytes are free where a folder is; `nil` if that is not known.
  @Sendable static func freeSpace(_ folder: URL) -> Int? {
    // A system that does not tell refuses to write when it has no more space.
    let attributes = try? FileManager.default.attributesOfFileSystem(
      forPath: folder.path(percentEncoded: false))
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// That a file cannot be written there.
  static func unwritable(_ name: String) -> Problem {
    Problem(
      message: "\"\(name)\" cannot be written to the folder for temporary files.",
      suggestion: "Check that there is enough free space.")
  }
}

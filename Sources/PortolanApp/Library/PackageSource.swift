internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPackages

/// A mobile map package of this device, as far as its name, size and date tell.
struct PackageSource {
  /// The file or folder.
  let url: URL
  let name: String
  let byteCount: Int
  /// The date at which it, or something in its folder, was written last.
  let modified: Date
  /// The form in which it is stored.
  let form: StoredMap.Form

  /// Looks at a file or folder.
  ///
  /// - Throws: A problem if it is not there, or is neither a mobile map package nor a folder.
  init(_ url: URL) throws(Problem) {
    self.url = url
    name = url.lastPathComponent
    let status: FileStatus?
    do { status = try FileStatus(at: url, links: .followed) } catch { throw Problem(error) }
    switch status?.kind {
    case .file:
      guard url.pathExtension.lowercased() == "mmpk" else { throw Self.wrongKind(name) }
      form = .file
      byteCount = status?.byteCount ?? 0
      modified = Self.date(status?.modified ?? 0)
    case .folder:
      form = .folder
      // A link has no files of its own.
      let folder = url.resolvingSymlinksInPath()
      byteCount = DiskUsage(of: folder).byteCount
      var last: Int64 = 0
      FileTree.visit(folder) { _, status in last = max(last, status.modified) }
      modified = Self.date(last)
    case nil:
      throw Problem(
        message: "\(url.path(percentEncoded: false)) does not exist.",
        suggestion: "Check the path.", kind: .absence)
    default: throw Self.wrongKind(name)
    }
  }

  private static func date(_ nanoseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
  }

  /// The problem that it is no package.
  var isNone: Problem { Self.wrongKind(name) }

  private static func wrongKind(_ name: String) -> Problem {
    Problem(
      message: "\"\(name)\" is not a mobile map package.",
      suggestion: "Files whose names end in .mmpk and folders of unpacked packages can be imported."
    )
  }

  /// A refusal of the package, which is not imported.
  func refusal(_ message: String) -> Problem {
    Problem(message: message, suggestion: "Copy or download the package again.")
  }
}

internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary

/// The sizes and dates of the files of a map, which change when they are written to.
struct FileDates: Hashable, Sendable {
  private struct File: Hashable {
    let byteCount: Int
    let modified: Int64
  }

  private let files: [String: File]

  /// Looks at all versions of a map that is not in the trash.
  init(of id: String, in layout: HomeLayout) {
    self.init(of: layout.folder(.maps).appending(path: id, directoryHint: .isDirectory))
  }

  /// Looks at everything in a folder; what SQLite keeps in memory is left out.
  init(of folder: URL) {
    var files: [String: File] = [:]
    let depth = folder.pathComponents.count
    FileTree.visit(folder) { url, status in
      guard status.kind == .file, !url.lastPathComponent.hasSuffix("-shm") else { return }
      let path = url.pathComponents.dropFirst(depth).joined(separator: "/")
      files[path] = File(byteCount: status.byteCount, modified: status.modified)
    }
    self.files = files
  }
}

public import Foundation

/// A file or folder with all that is in it.
public enum FileTree {
  /// Looks at everything, the folders after what is in them, by name; links are not followed.
  ///
  /// What vanishes meanwhile, and folders that may not be listed, are left out.
  public static func visit(_ url: URL, _ body: (URL, FileStatus) -> Void) {
    // What cannot be looked at is not part of what can be.
    guard let status = try? FileStatus(at: url) else { return }
    if status.kind == .folder {
      // A folder that is gone, or that may not be read, shows nothing.
      let names = try? FolderNames(of: url.plainPath).names
      for name in names ?? [] { visit(url.appending(path: name), body) }
    }
    body(url, status)
  }

  /// Looks at everything in the same order, and stops at what cannot be looked at.
  ///
  /// For work that must not pass for complete where a part of the tree is unknown. What goes meanwhile
  /// is left out.
  ///
  /// - Parameters:
  ///   - url: The file or folder, which may be missing.
  ///   - fileSystem: Where it is.
  ///   - body: Called for each file, folder and link.
  /// - Throws: ``FileError/unreadable(file:reason:)`` for what cannot be looked at or listed, and what
  ///   `body` throws.
  public static func walk(
    _ url: URL, in fileSystem: FileSystem = .live,
    _ body: (URL, FileStatus) throws(FileError) -> Void
  ) throws(FileError) {
    guard let status = try FileStatus(at: url) else { return }
    if status.kind == .folder {
      for name in try fileSystem.names(in: url) {
        try walk(url.appending(path: name), in: fileSystem, body)
      }
    }
    try body(url, status)
  }
}

public import Foundation

/// A file or folder with all that is in it.
public enum FileTree {
  /// Looks at everything, the folders after what is in them, by name; links are not followed.
  ///
  /// What goes meanwhile, and folders that nobody may list, are left out.
  public static func visit(_ url: URL, _ body: (URL, FileStatus) -> Void) {
    // What cannot be looked at is not part of what can be.
    guard let status = try? FileStatus(at: url) else { return }
    if status.kind == .folder {
      // A folder that is gone, or that nobody may read, shows nothing.
      let names = try? FolderNames(of: url.plainPath).names
      for name in names ?? [] { visit(url.appending(path: name), body) }
    }
    body(url, status)
  }
}

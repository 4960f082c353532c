package import Foundation

extension URL {
  /// The file at a path as people type it, where `~` is the user's own folder.
  ///
  /// That folder is `HOME`, as in any shell, and only without it the one of the account. `~name` is
  /// the folder of another account.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - environment: The variables of the process, or those that stand for them.
  package init(
    typedPath path: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], home.hasPrefix("/")
    else {
      self.init(filePath: (path as NSString).expandingTildeInPath)
      return
    }
    self.init(filePath: home + path.dropFirst())
  }
}

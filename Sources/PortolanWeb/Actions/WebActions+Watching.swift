internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanJSON

// The folder whose packages are offered.
extension WebActions {
  /// Watches a folder, or does something with what it offers; `nil` if the action is not about that.
  func watching(
    _ name: String, _ body: ActionParameters, in library: LibraryScreens
  ) async throws(Problem) -> JSONValue? {
    switch name {
    case "watch": try await library.watch(try Self.folder(try body.text("folder")))
    case "stop-watching": library.stopWatching()
    case "take-offer":
      let folder = try watchedFolder(library)
      return try await folder.take(
        try folder.offer(try body.text("id")), onConflict: try body.importPolicy()
      ).json
    case "decline-offer":
      let folder = try watchedFolder(library)
      await folder.decline(try folder.offer(try body.text("id")))
    default: return nil
    }
    return [:]
  }

  private func watchedFolder(_ library: LibraryScreens) throws(Problem) -> WatchedFolderModel {
    guard let folder = library.watchedFolder else {
      throw Problem(
        message: "No folder is watched.", suggestion: "Choose a folder first.", kind: .absence)
    }
    return folder
  }

  /// The folder at a path as people type it: a page does not know where Portolan was started.
  private static func folder(_ path: String) throws(Problem) -> URL {
    // A path that does not begin with a slash or a tilde would count from the present folder.
    let path = path.hasPrefix("~") ? URL(typedPath: path).path(percentEncoded: false) : path
    guard path.hasPrefix("/"), !path.contains("\0") else {
      throw Problem(
        message: "\"\(path)\" is not the whole path of a folder.",
        suggestion: "Type a path that begins with a slash, or with ~ for your home folder.")
    }
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}

extension ActionParameters {
  /// The policy for a package that is there already: skip it unless the page says otherwise.
  func importPolicy() throws(Problem) -> ImportConflictPolicy {
    guard let name = object["policy"]?.string else { return .skip }
    guard let policy = ImportConflictPolicy(rawValue: name) else {
      throw missing("policy")
    }
    return policy
  }
}

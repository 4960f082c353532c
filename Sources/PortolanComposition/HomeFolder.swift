public import Foundation
internal import PortolanFiles

/// The folder that keeps everything Portolan stores.
public struct HomeFolder: Hashable, Sendable {
  /// The location, whether it exists yet or not.
  public let url: URL

  /// Finds the folder: the one given, else `PORTOLAN_HOME`, else `portolan` in `XDG_DATA_HOME`,
  /// else `~/.local/share/portolan`.
  ///
  /// Empty variables count as unset, and so does an `XDG_DATA_HOME` that is not absolute
  /// ([XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/)).
  public init(option: String?, environment: [String: String]) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = option ?? variable("PORTOLAN_HOME") {
      let typed = URL(typedPath: path, environment: environment)
      url = URL(filePath: typed.path(percentEncoded: false), directoryHint: .isDirectory)
      return
    }
    let data = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let own = variable("HOME") ?? NSHomeDirectory()
    url = URL(
      filePath: data ?? own + "/.local/share", directoryHint: .isDirectory
    ).appending(path: "portolan", directoryHint: .isDirectory)
  }

  /// Makes the folder, for its owner only (mode 0700), unless it is there.
  ///
  /// Called by whatever first stores something, so that looking at a file leaves no trace.
  public func create() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The file of the lines typed at the prompt.
  public var historyFile: URL { url.appending(path: "history") }

  /// The folder of descriptions of online maps and of their services.
  public var keptDocuments: URL { url.appending(path: "tiles/documents") }

  /// The cache of tiles of online maps, and regions of them.
  public var tileCache: URL { url.appending(path: "tiles/MapCache.sqlite") }
}

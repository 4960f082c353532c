internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// The settings in the home folder.
struct HomeSettingsFile: SettingsFile {
  /// The home folder.
  let home: HomeFolder

  private var url: URL { home.url.appending(path: "settings.json") }

  var place: String { url.path(percentEncoded: false) }

  func read() throws -> Data? {
    guard FileManager.default.fileExists(atPath: place) else { return nil }
    return try Data(contentsOf: url)
  }

  func write(_ data: Data) throws {
    try home.create()
    try FileSystem.live.write(data, to: url, permissions: 0o600)
  }
}

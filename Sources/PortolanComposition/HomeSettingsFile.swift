internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// The settings in the home folder.
struct HomeSettingsFile: SettingsFile {
  /// The home folder.
  let home: HomeFolder

  private var url: URL { home.url.appending(path: "settings.json") }

  var place: String { url.path(percentEncoded: false) }

  /// More than any settings have, in bytes.
  private static let largest = 1 << 20

  func read() throws -> Data? {
    do { return try FileSystem.live.read(url, limit: Self.largest) } catch .absent { return nil }
  }

  func write(_ data: Data) throws {
    try home.create()
    try FileSystem.live.write(data, to: url, permissions: 0o600)
  }
}

internal import Foundation
internal import PortolanApp
internal import PortolanArchives

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
    var staged = try StagedFile(replacing: url, permissions: 0o600)
    try staged.write(data)
    try staged.commit()
  }
}

internal import Foundation
public import PortolanApp
internal import PortolanFiles

/// The record of the web app in the home folder.
public struct HomeWebAppRecord: WebAppRecordKeeping {
  private let home: HomeFolder

  /// Keeps the record of a home.
  public init(home: HomeFolder) { self.home = home }

  private var url: URL { home.url.appending(path: "web-app.json") }

  /// A limit for the size of a record, in bytes.
  private static let largest = 1 << 16

  public func read() -> WebAppRecord? {
    // Without it the next web app is one that no page knows.
    guard let data = try? FileSystem.live.read(url, limit: Self.largest) else { return nil }
    // So does one that another user has written there.
    return try? JSONDecoder().decode(WebAppRecord.self, from: data)
  }

  public func write(_ record: WebAppRecord) throws {
    try home.create()
    try FileSystem.live.write(try JSONEncoder().encode(record), to: url, permissions: 0o600)
  }
}

internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// The settings in the home folder.
struct HomeSettingsFile: SettingsFile {
  /// The home folder.
  let home: HomeFolder
  /// Measures how long another process that changes them is waited for.
  var clock: any Clock<Duration> = ContinuousClock()

  private var url: URL { home.url.appending(path: "settings.json") }

  /// The file that is locked while the settings are changed: they themselves are replaced.
  private var lockFile: URL { home.url.appending(path: ".settings.lock") }

  var place: String { url.path(percentEncoded: false) }

  /// A limit for the size of the settings file, in bytes.
  private static let largest = 1 << 20

  func read() throws -> Data? {
    do { return try FileSystem.live.read(url, limit: Self.largest) } catch .absent { return nil }
  }

  func write(_ data: Data) throws {
    try home.create()
    try FileSystem.live.write(data, to: url, permissions: 0o600)
  }

  @concurrent func exclusively(_ change: @Sendable () throws -> Void) async throws {
    try home.create()
    let lock = try await FileLock.attempt(
      .exclusive, on: .lockFile(lockFile), patientlyBy: clock)
    guard let lock else {
      throw Problem(
        .inUse, message: "Another process is changing the settings.", suggestion: "Try again.",
        actions: [.init(.retry)])
    }
    defer { lock.release() }
    try change()
  }
}

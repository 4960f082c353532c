import Foundation
import PortolanApp
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanComposition

/// The settings in a home that several processes share.
@MainActor
@Suite(.temporaryDirectory) struct HomeSettingsFileTests {
  private func file(_ clock: any Clock<Duration> = ContinuousClock()) -> HomeSettingsFile {
    let home = HomeFolder(option: temporaryDirectory.path(percentEncoded: false), environment: [:])
    return HomeSettingsFile(home: home, clock: clock)
  }

  /// Does what another process does that changes the settings.
  private func lock() throws -> FileLock {
    let url = temporaryDirectory.appending(path: ".settings.lock")
    return try #require(try FileLock.attempt(.exclusive, on: .lockFile(url)))
  }

  @Test func `What another process is changing is waited for, and stays changed`() async throws {
    let (lock, other) = (try lock(), file())
    let clock = CountingClock { _ in
      // A write that fails shows in what is read below.
      try? other.write(Data(#"{"search-text":"lakes"}"#.utf8))
      lock.release()
    }
    let model = SettingsModel(file: file(clock))
    try await model.set(.pageSize, to: "50")
    let stored = SettingsModel(file: other).state
    #expect(stored.pageSize == 50)
    #expect(stored.searchText == "lakes")
  }

  @Test func `A process that does not come to its end is named as the reason`() async throws {
    let lock = try lock()
    defer { lock.release() }
    let model = SettingsModel(file: file(CountingClock()))
    let problem = await #expect(throws: Problem.self) { try await model.set(.pageSize, to: "50") }
    #expect(problem?.code == .inUse)
    #expect(try file().read() == nil)
  }
}

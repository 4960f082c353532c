import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The synchronizations when a network returns.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(1))) struct ReturningNetworkTests {
  /// A network that was gone and is there again, for everyone who asks.
  private struct ReturningNetwork: NetworkMonitor {
    let status = NetworkStatus.online(isMetered: false)

    func updates() -> AsyncStream<NetworkStatus> {
      let (stream, continuation) = AsyncStream<NetworkStatus>.makeStream()
      continuation.yield(.offline(.notConnected))
      continuation.yield(status)
      return stream
    }
  }

  @Test func `Stored maps of a portal are synchronized once a network returns`() async throws {
    let small = try SmallLibrary(in: temporaryDirectory)
    let portal = try #require(URL(string: "https://portal.example"))
    try await small.store("a", from: portal)
    try await small.store("imported")
    let screens = LibraryScreens(
      opener: OpenLibrary(library: small.library), portals: NoPortal(),
      monitor: ReturningNetwork(), backgroundSync: { .unmetered })
    let (reports, continuation) = AsyncStream<[Job]>.makeStream()
    let run = Task { await screens.run { continuation.yield($0) } }
    var subjects: [String] = []
    for await jobs in reports where jobs.contains(where: \.isSynchronization) {
      subjects = jobs.map(\.subject)
      break
    }
    run.cancel()
    await run.value
    #expect(subjects == ["a"])
  }
}

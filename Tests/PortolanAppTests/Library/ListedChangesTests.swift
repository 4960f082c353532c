import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The reaction of the list of maps to a network, or to free space, that is available again.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ListedChangesTests {
  private nonisolated static let item = "0123456789abcdef0123456789abcdef"

  /// A portal with one package.
  private struct OnePackage: PortalConnecting {
    let portal: Portal

    init() throws {
      let text = """
        {"id": "\(ListedChangesTests.item)", "title": "Town", "type": "Mobile Map Package",
          "owner": "me", "size": 5000000, "modified": 1795000000000}
        """
      let url = try #require(URL(string: "https://portal.example"))
      let transport = StubTransport { request throws(TransportError) in .json(text, to: request) }
      portal = Portal(
        url: url,
        client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    }

    func portal(at url: URL?) async throws(PortalError) -> Portal { portal }
  }

  private func list(
    _ home: SmallLibrary, portals: any PortalConnecting = NoPortal(),
    monitor: SwitchableNetworkMonitor = SwitchableNetworkMonitor()
  ) async throws -> MapListModel {
    let list = MapListModel(library: home.library, portals: portals, monitor: monitor)
    try await list.load()
    return list
  }

  @Test func `Jobs that wait for a network hear of one that is back`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let (queue, storage) = (home.library.queue, home.library.storage)
    let id = try #require(JobID("job"))
    var job = try await storage.add(
      Job(
        id: id, kind: "test", subject: "a", title: "A", parameters: Data(),
        created: SmallLibrary.day, position: 0))
    job.state = .waiting(.network)
    try await storage.record(job)
    try await queue.refresh()
    #expect(try await queue.job(id).state == .waiting(.network))
    let monitor = SwitchableNetworkMonitor(.offline(.notConnected))
    let list = try await list(home, monitor: monitor)
    let following = Task { await list.follow() }
    defer { following.cancel() }
    monitor.set(.online(isMetered: false))
    for await jobs in await queue.updates() where jobs.first?.state == .waiting(.slot(ahead: 0)) {
      break
    }
    #expect(try await queue.job(id).state == .waiting(.slot(ahead: 0)))
  }

  @Test func `A download for which the version before leaves no room takes its place`()
    async throws
  {
    let portals = try OnePackage()
    let before = temporaryDirectory.appending(path: "home/maps/a/1")
    let home = try SmallLibrary(in: temporaryDirectory, portal: portals.portal) { _ in
      FileSystem.live.exists(before) ? 0 : .max
    }
    for _ in 1...2 { try await home.store("a") }
    #expect(FileSystem.live.exists(before))
    let list = try await list(home, portals: portals)
    #expect(try await list.download(Self.item).isNew)
    #expect(!FileSystem.live.exists(before))
  }
}

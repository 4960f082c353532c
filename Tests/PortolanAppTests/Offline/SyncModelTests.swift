import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// For which maps synchronizations are asked, and what becomes of those that are there.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncModelTests {
  private static let portal = URL(string: "https://portal.example")

  /// A portal of which nothing is asked.
  private struct PortalInUse: PortalConnecting {
    func portal(at url: URL?) async throws(PortalError) -> Portal {
      guard let address = url ?? URL(string: "https://in-use.example") else { throw .cancelled }
      return Portal(
        url: address,
        client: RESTClient(
          transport: UnreachableTransport(), authenticator: AnonymousAuthenticator()))
    }
  }

  private struct UnreachableTransport: HTTPTransport {
    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      throw .offline
    }
  }

  /// A library with two maps of a portal, one of nowhere, and one whose features are gone.
  private func stage() async throws -> (SmallLibrary, SyncModel) {
    let small = try SmallLibrary(in: temporaryDirectory)
    try await small.store("a", from: Self.portal)
    try await small.store("b", from: Self.portal)
    try await small.store("imported")
    let plain = try await small.store("plain", from: Self.portal)
    let file = small.library.maps.layout.place(of: plain)
      .appending(path: "p13/data.geodatabase")
    try FileManager.default.removeItem(at: file)
    return (small, SyncModel(library: small.library, portals: PortalInUse()))
  }

  @Test func `Maps of a portal are synchronized that have a copy, or one that cannot be looked at`()
    async throws
  {
    let (_, model) = try await stage()
    #expect(try await model.synchronizedMaps().sorted() == ["a", "b"])
  }

  @Test func `What is asked for is one job for each map, which names it and its direction`()
    async throws
  {
    let (small, model) = try await stage()
    let (job, isNew) = try await model.sync("a", .upload)
    #expect(isNew && job.isSynchronization && job.kind == "sync-offline-map")
    #expect(job.subject == "a" && job.title == "Map a")
    let parameters = try JSONDecoder().decode(
      SyncOfflineMapParameters.self, from: job.parameters)
    #expect(
      parameters
        == SyncOfflineMapParameters(
          portal: try #require(Self.portal), map: "a", direction: .upload))
    let again = try await model.sync("a")
    #expect(!again.isNew && again.job.id == job.id)
    try await small.library.queue.pause(job.id)
    #expect(try await small.library.queue.job(job.id).state == .paused)
    // A request for a stopped job resumes it.
    _ = try await model.sync("a")
    #expect(try await small.library.queue.job(job.id).state != .paused)
    #expect(await small.library.queue.jobs.count == 1)
  }

  @Test func `A map that names no portal is synchronized with the current one on request`()
    async throws
  {
    let (_, model) = try await stage()
    let (job, isNew) = try await model.sync("imported")
    #expect(isNew && job.subject == "imported")
    let parameters = try JSONDecoder().decode(
      SyncOfflineMapParameters.self, from: job.parameters)
    #expect(parameters.portal.absoluteString == "https://in-use.example")
    // Nobody who only reads it registers anything at its service.
    #expect(try await !model.synchronizedMaps().contains("imported"))
  }

  @Test(arguments: ["none", "plain"])
  func `A map that is not stored, or that no service knows, is reported and no job is made`(
    _ map: String
  ) async throws {
    let (small, model) = try await stage()
    let problem = await #expect(throws: Problem.self) { try await model.sync(map) }
    let error: any Error =
      map == "none"
      ? LibraryError.noSuchMap(map) : OfflineMapError.notSynchronized(file: "Map \(map)")
    #expect(problem == Problem(error) && model.state.problem == problem)
    #expect(await small.library.queue.jobs.isEmpty)
  }

  @Test func `All maps are requested at once, and one that the user paused stays paused`()
    async throws
  {
    let (small, model) = try await stage()
    let (first, _) = try await model.sync("a", .download)
    try await small.library.queue.pause(first.id)
    await model.startAll()
    let jobs = await small.library.queue.jobs
    #expect(jobs.map(\.subject).sorted() == ["a", "b"])
    #expect(jobs.first { $0.subject == "a" }?.state == .paused)
    let second = try #require(jobs.first { $0.subject == "b" })
    let parameters = try JSONDecoder().decode(
      SyncOfflineMapParameters.self, from: second.parameters)
    #expect(parameters.direction == .bidirectional)
    await model.startAll()
    #expect(await small.library.queue.jobs == jobs)
  }

  @Test func `Conflicts that cannot be read are reported, and the list stays as it was`()
    async throws
  {
    let (_, model) = try await stage()
    try await model.loadConflicts(of: "plain")
    #expect(model.state.map == "plain" && model.state.title == "Map plain")
    #expect(model.state.conflicts.isEmpty && model.state.problem == nil)
    let problem = await #expect(throws: Problem.self) { try await model.loadConflicts(of: "a") }
    #expect(model.state.problem == problem && model.state.map == "plain")
    let missing = await #expect(throws: Problem.self) {
      try await model.resolve(3, setting: [(field: "NAME", text: "a")])
    }
    #expect(missing?.message == "There is no conflict 3." && missing?.kind == .absence)
  }
}

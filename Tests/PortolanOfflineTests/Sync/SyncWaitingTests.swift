import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The replica that is synchronized, and the time that a service is waited for.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncWaitingTests {
  private func client(_ transport: any HTTPTransport) -> RESTClient {
    RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
  }

  private func state(_ copy: SyncCopy) async throws -> GeodatabaseSyncState {
    try #require(try await copy.using { try await $0.syncState() })
  }

  // MARK: - Registrations

  @Test func `A copy that no service knows is not synchronized, and none is asked`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", model: .none)
    let listening = ListeningTransport(bed.transport)
    await #expect(throws: OfflineMapError.notSynchronized(file: "first.geodatabase")) {
      try await copy.sync(through: client(listening))
    }
    #expect(listening.requests.isEmpty)
  }

  @Test func `Synchronizing without a home never takes a copy for that of another home`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    _ = try await copy.sync(home: "one")
    let before = try await state(copy)
    #expect(before.home == "one")
    #expect(try await !copy.sync().isRegisteredForCopy)
    #expect(try await state(copy).replicaID == before.replicaID)
    #expect(try await state(copy).home == "one")
    #expect(await bed.log.count(of: "/createReplica") == 1)
  }

  @Test func `A receive-only exchange sends nothing, even when the copy is registered again`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let result = try await copy.sync(.download)
    #expect(result.isRegisteredAgain && result.sent == 0)
    #expect(result.tables == [1: SyncBed.table])
    #expect(try await copy.edits() == 1)
    #expect(try await !bed.values().values.contains("Mine"))
    #expect(try await copy.sync().sent == 1)
  }

  private static let lost =
    "https://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer/jobs/lost"

  /// A service whose jobs of exchanges are all one, of which it says the same each time.
  private func answering(_ status: String, _ bed: SyncBed) -> any HTTPTransport {
    AnsweringTransport(
      inner: AnsweringTransport(
        inner: bed.transport, path: "/synchronizeReplica",
        answer: Data(#"{"statusUrl": "\#(Self.lost)"}"#.utf8)),
      path: "/jobs/lost", answer: Data(#"{"status": "\#(status)"}"#.utf8))
  }

  @Test(arguments: [true, false])
  func `A failing job is reported, and the job of a forgotten copy lets it be made again`(
    _ isForgotten: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    if isForgotten { try await bed.forgetReplicas() }
    let client = client(answering("Failed", bed))
    if isForgotten {
      #expect(try await copy.sync(.download, through: client).isRegisteredAgain)
    } else {
      let error = OfflineMapError.serverJobFailed(
        service: "ExploreMaine", reason: "it could not be synchronized")
      await #expect(throws: error) { try await copy.sync(.download, through: client) }
    }
    #expect(await bed.log.count(of: "/createReplica") == (isForgotten ? 2 : 1))
  }

  // MARK: - Waiting

  /// Synchronizes at a time of day, and tells for how long the service was waited for.
  private func sync(
    _ copy: SyncCopy, through client: RESTClient, at moment: Date = DemoBed.day
  ) async -> (error: OfflineMapError?, waited: Duration) {
    let clock = CountingClock()
    let task = GeodatabaseSyncTask(
      geodatabase: copy.file, client: client, folder: copy.bed.folder,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: clock, now: { moment }, chance: { 0 },
        makeID: { UUID() }))
    do {
      _ = try await task.synchronize(.bidirectional)
      return (nil, clock.now.offset)
    } catch {
      return (error as? OfflineMapError, clock.now.offset)
    }
  }

  @Test func `A service that does not come to an end is waited for half an hour`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let ended = await sync(copy, through: client(answering("InProgress", bed)))
    #expect(
      ended.error
        == .serverJobFailed(
          service: "ExploreMaine", reason: "the service does not come to an end"))
    #expect(ended.waited == .milliseconds(1_793_575))
  }

  /// Lets a copy have sent an edit at a time of day, on which its service works ever since.
  private func working(
    on copy: SyncCopy, since submitted: Date, _ bed: SyncBed
  ) async throws -> RESTClient {
    try await copy.add("Mine")
    try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(
        PendingUpload(
          edits: upload.edits, moment: upload.moment, statusURL: Self.lost, submitted: submitted))
    }
    return client(
      AnsweringTransport(
        inner: bed.transport, path: "/jobs/lost", answer: Data(#"{"status": "InProgress"}"#.utf8)))
  }

  private static let stillWorks = OfflineMapError.serverJobFailed(
    service: "ExploreMaine", reason: "it still works on the edits that were sent before")

  @Test(arguments: [(0, true), (21_599, true), (21_600, false)] as [(TimeInterval, Bool)])
  func `Edits that were sent before are waited for a minute each time, and for six hours`(
    _ seconds: TimeInterval, _ isWaitedFor: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let client = try await working(on: copy, since: DemoBed.day, bed)
    let ended = await sync(copy, through: client, at: DemoBed.day.addingTimeInterval(seconds))
    guard isWaitedFor else {
      #expect(ended.error == nil)
      #expect(try await copy.edits() == 0)
      return
    }
    #expect(ended.error == Self.stillWorks)
    #expect(ended.waited == .milliseconds(53_575))
    #expect(try await copy.edits() == 1)
  }

  @Test func `After a clock was set back, edits that were sent are waited for six hours at most`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let year: TimeInterval = 365 * 86_400
    let client = try await working(on: copy, since: DemoBed.day.addingTimeInterval(year), bed)
    #expect(await sync(copy, through: client).error == Self.stillWorks)
    #expect(try await copy.edits() == 1)
    let later = DemoBed.day.addingTimeInterval(21_600)
    #expect(await sync(copy, through: client, at: later).error == nil)
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: [true, false])
  func `A service that lists no copies is not taken to have forgotten one while it is busy`(
    _ isWorking: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    var transport: any HTTPTransport = AnsweringTransport(
      inner: bed.transport, path: "/replicas", answer: Data("[]".utf8))
    if isWorking {
      _ = try await working(on: copy, since: DemoBed.day, bed)
      transport = AnsweringTransport(
        inner: transport, path: "/jobs/lost", answer: Data(#"{"status": "InProgress"}"#.utf8))
    } else {
      try await copy.add("Mine")
      let busy = DemoFailure(code: 503, "Busy.", details: [])
      await bed.state.add(DemoFault(.failure(busy), path: "*/synchronizeReplica"))
    }
    let client = client(transport)
    await #expect(throws: (any Error).self) { try await copy.sync(through: client) }
    #expect(await bed.log.count(of: "/createReplica") == 1)
    #expect(try await copy.edits() == 1)
  }

  @Test func `A service that is busy has not forgotten a copy, though it does not know it now`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let busy = DemoFailure(code: 503, "Busy.", details: [])
    let fault = await bed.state.add(DemoFault(.failure(busy), path: "*/synchronizeReplica"))
    await #expect(throws: PortalError.self) { try await copy.sync() }
    #expect(await bed.log.count(of: "/createReplica") == 1)
    #expect(try await copy.edits() == 1)
    await bed.state.removeFaults(fault)
    #expect(try await copy.sync().isRegisteredAgain)
  }

  @Test func `A copy that a service knows, but does not list, is not forgotten`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    let client = client(UnlistingTransport(inner: bed.transport))
    let failure = DemoFailure(code: 500, "Unable to complete operation.", details: [])
    let fault = await bed.state.add(DemoFault(.failure(failure), path: "*/synchronizeReplica"))
    await #expect(throws: PortalError.self) { try await copy.sync(through: client) }
    #expect(await bed.log.count(of: "/createReplica") == 1)
    await bed.state.removeFaults(fault)
    try await bed.forgetReplicas()
    #expect(try await copy.sync(through: client).isRegisteredAgain)
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: [true, false])
  func `Where nothing is told of copies, one is forgotten only if a refusal says so`(
    _ isForgotten: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let words = isForgotten ? "Replica does not exist." : "Unable to synchronize replica."
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["error"] != nil else { return nil }
        return ["error": ["code": 400, "message": .string(words)]]
      })
    let closed = AnsweringTransport(
      inner: UnlistingTransport(inner: lying), path: "/replicas/",
      answer: Data(#"{"error": {"code": 403, "message": "You do not have permissions."}}"#.utf8))
    if isForgotten {
      #expect(try await copy.sync(through: client(closed)).isRegisteredAgain)
      #expect(try await copy.edits() == 0)
    } else {
      await #expect(throws: PortalError.self) { try await copy.sync(through: client(closed)) }
      #expect(await bed.log.count(of: "/createReplica") == 1)
      #expect(try await copy.edits() == 1)
    }
  }
}

/// Hands on what a service says, but for the list of its copies, which is empty.
private struct UnlistingTransport: HTTPTransport {
  let inner: any HTTPTransport

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard request.url.lastPathComponent == "replicas" else {
      return try await inner.send(request, into: sink)
    }
    return try await AnsweringTransport(
      inner: inner, path: "/replicas", answer: Data("[]".utf8)
    ).send(request, into: sink)
  }
}

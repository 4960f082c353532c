import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Copies that are asked for while a map is synchronized, and of which no answer comes.
@Suite(.temporaryDirectory) struct LostAnswerTests {
  private func replicas(_ bed: SyncBed) async throws -> Int {
    try await ReplicaTask(service: bed.service).replicas().count
  }

  private func requested(_ copy: SyncCopy) async throws -> RequestedCopy? {
    try await copy.using { try await $0.syncState()?.requestedCopy }
  }

  /// A copy that another home has registered, too, whose own registration was made without an answer.
  private func unanswered(_ bed: SyncBed) async throws -> SyncCopy {
    let copy = try await bed.copy("portolan_first")
    _ = try await copy.sync(home: "one")
    let fault = await bed.state.add(DemoFault(.cut(after: 1), path: "*/createReplica"))
    await #expect(throws: (any Error).self) { try await copy.sync(home: "two") }
    await bed.state.removeFaults(fault)
    #expect(try await replicas(bed) == 2)
    #expect(try await requested(copy)?.home == "two")
    return copy
  }

  @Test func `The next synchronization unregisters the copy, and registers one`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await unanswered(bed)
    _ = try await copy.sync(home: "two")
    #expect(try await replicas(bed) == 2)
    #expect(try await requested(copy) == nil)
  }

  /// The synchronization of a copy in a home, whose outbox tells services what they cannot be told yet.
  private func task(
    _ copy: SyncCopy, _ outbox: InMemoryOutbox, home: String? = nil
  ) -> GeodatabaseSyncTask {
    var task = GeodatabaseSyncTask(
      geodatabase: copy.file, client: copy.bed.client, folder: copy.bed.folder,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
        makeID: { UUID() }))
    task.home = home
    task.release = ReplicaRelease(
      portal: copy.bed.service.url, outbox: outbox, now: DemoBed.day)
    return task
  }

  @Test func `Where a service lists no copies, one without a response is unregistered later`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await unanswered(bed)
    let list = await bed.state.add(
      DemoFault(.failure(.badRequest("no list")), path: "*/replicas"))
    let outbox = InMemoryOutbox()
    _ = try await task(copy, outbox, home: "two").synchronize(.bidirectional)
    let message = try #require(await outbox.outgoingMessages().first)
    let portal = Portal(url: bed.service.url, client: bed.client)
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    await #expect(throws: JobInterruption.self) { try await delivery.deliver(message) }
    await bed.state.removeFaults(list)
    #expect(try await replicas(bed) == 3)
    try await delivery.deliver(message)
    #expect(try await replicas(bed) == 2)
  }

  @Test func `Where a service lists no copies, one that it reported is unregistered all the same`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    _ = try await copy.sync(home: "one")
    let list = await bed.state.add(
      DemoFault(.failure(.badRequest("no list")), path: "*/replicas"))
    await bed.state.add(
      DemoFault(.failure(.badRequest("no copies of copies")), path: "*/createReplica", count: 1))
    let file = await bed.state.add(DemoFault(.drop, path: "*/replicafilescache/*"))
    await #expect(throws: (any Error).self) { try await copy.sync(home: "two") }
    #expect(try await requested(copy)?.statusURL != nil)
    await bed.state.removeFaults(file)
    #expect(try await copy.sync(home: "two").isRegisteredForCopy)
    await bed.state.removeFaults(list)
    #expect(try await replicas(bed) == 2)
  }

  @Test func `For a map that is deleted instead, the copy is unregistered as well`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await unanswered(bed)
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Casco", portal: URL(filePath: "/portal"), installed: DemoBed.day, byteCount: 1)
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    let messages = try await CopyReleases(surroundings, home: "two")
      .messages(of: map, at: copy.file.deletingLastPathComponent())
    #expect(messages.count == 1)
    let portal = Portal(url: bed.service.url, client: bed.client)
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    for message in messages { try await delivery.deliver(message) }
    #expect(try await replicas(bed) == 1)
  }

  @Test func `A service that does not list its copies makes one for a copied home all the same`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    _ = try await copy.sync(home: "one")
    await bed.state.add(DemoFault(.failure(.badRequest("no list")), path: "*/replicas"))
    await bed.state.add(
      DemoFault(.failure(.badRequest("no copies of copies")), path: "*/createReplica", count: 1))
    #expect(try await copy.sync(home: "two").isRegisteredForCopy)
  }

  @Test func `A new copy that ended with errors does not take the place of a forgotten one`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    let before = try await copy.values()
    let added = try await copy.add("New Light")
    try await bed.forgetReplicas()
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["status"]?.string == "Completed" else { return nil }
        var answer = answer
        answer["status"] = "CompletedWithErrors"
        return answer
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    await #expect(throws: OfflineMapError.self) { _ = try await copy.sync(through: client) }
    #expect(try await copy.edits() == 1)
    #expect(try await copy.values().count == before.count + 1)
    #expect(try await copy.sync().isRegisteredAgain)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
    #expect(try await replicas(bed) == 1)
  }

  @Test(arguments: [404, 400] as [Int64])
  func `A copy that a service has forgotten is registered again, whatever the error code`(
    _ code: Int64
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    let added = try await copy.add("New Light")
    try await bed.forgetReplicas()
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["error"] != nil else { return nil }
        return ["error": ["code": .integer(code), "message": "The replica does not exist."]]
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    #expect(try await copy.sync(through: client).isRegisteredAgain)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
  }

  @Test
  func `A copy that a slow service finishes after another was requested is also unregistered`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    try await bed.forgetReplicas()
    try await copy.using { store in
      try await store.setRequestedCopy(RequestedCopy(name: "portolan_slow"))
    }
    let outbox = InMemoryOutbox()
    #expect(try await task(copy, outbox).synchronize(.bidirectional).isRegisteredAgain)
    // Only now the service is done with what it was asked for first.
    _ = try await bed.copy("portolan_slow")
    #expect(try await replicas(bed) == 2)
    let portal = Portal(url: bed.service.url, client: bed.client)
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    let messages = await outbox.outgoingMessages()
    #expect(messages.count == 1)
    for message in messages { try await delivery.deliver(message) }
    #expect(try await replicas(bed) == 1)
  }

  @Test func `A copy that a service refused to make is not looked for later`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("portolan_first")
    try await bed.forgetReplicas()
    await bed.state.add(
      DemoFault(.failure(.badRequest("no copies")), path: "*/createReplica", count: 1))
    await #expect(throws: OfflineMapError.self) { _ = try await copy.sync() }
    #expect(try await requested(copy) == nil)
    #expect(try await copy.sync().isRegisteredAgain)
  }

  @Test func `Edits on which the service works are asked after once more, and not sent again`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let fault = await bed.state.add(DemoFault(.status(502, retryAfter: nil), path: "*/jobs/*"))
    await #expect(throws: (any Error).self) { try await copy.sync(.upload) }
    await bed.state.removeFaults(fault)
    let count = await bed.log.count(of: "/synchronizeReplica")
    #expect(try await copy.sync(.upload).sent == 1)
    #expect(await bed.log.count(of: "/synchronizeReplica") == count)
    #expect(try await copy.edits() == 0)
    #expect(try await bed.values().values.contains("Mine"))
  }
}

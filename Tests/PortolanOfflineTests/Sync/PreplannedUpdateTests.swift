import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanGeodatabase
@testable import PortolanOffline

/// Preplanned areas that are kept up to date as they were downloaded to be.
@Suite(.temporaryDirectory) struct PreplannedUpdateTests {
  private static let table = UpdatedArea.table

  private func area(
    _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws -> UpdatedArea {
    try await UpdatedArea(in: temporaryDirectory, mode)
  }

  @Test func `Scheduled updates come in by their generations, each once`() async throws {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.publish(12, renaming: feature, to: "Later")
    try await area.publish(7, renaming: feature, to: "Earlier")
    #expect(try await area.sync().updated == 2)
    #expect(try await area.first().attributes["NAME"] == .text("Later"))
    let states = try await area.using { try await $0.syncState() }
    #expect(states?.layers.allSatisfy { $0.serverGeneration == 12 } == true)
    #expect(try await area.sync().updated == 0)
    #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
  }

  @Test func `A generation in an update keeps no later one out`() async throws {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.publish(
      7, renaming: feature, to: "Earlier", generationInFile: 9_000_000_000_000)
    #expect(try await area.sync().updated == 1)
    try await area.publish(12, renaming: feature, to: "Later")
    #expect(try await area.sync().updated == 1)
    #expect(try await area.first().attributes["NAME"] == .text("Later"))
  }

  @Test func `An update whose name states a generation too late keeps no later one out`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.publish(
      9_000_000_000_000, renaming: feature, to: "Earlier", generationInFile: 7)
    await #expect(throws: OfflineMapError.self) {
      try await area.update(through: area.bed.bed.transport)
    }
    #expect(try await area.first().attributes == feature.attributes)
    try await area.withdraw(9_000_000_000_000)
    try await area.publish(12, renaming: feature, to: "Later")
    #expect(try await area.sync().updated == 1)
    #expect(try await area.first().attributes["NAME"] == .text("Later"))
  }

  @Test func `An interrupted scheduled update resumes where it stopped`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    try await area.publish(7, renaming: try await area.first(), to: "Packed")
    await area.bed.bed.state.add(
      DemoFault(.cut(after: 1_000), path: "*/d_7.geodatabase", count: 1))
    #expect(try await area.sync().updated == 1)
  }

  @Test func `Scheduled updates are reported with their size before they are received`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let (task, portal) = (OfflineMapSyncTask(area.bed.bed.environment), area.bed.bed.portal)
    #expect(try await task.scheduledUpdates(of: area.map, portal: portal) == nil)
    let feature = try await area.first()
    try await area.publish(7, renaming: feature, to: "Earlier")
    try await area.publish(12, renaming: feature, to: "Later")
    let updates = try #require(try await task.scheduledUpdates(of: area.map, portal: portal))
    #expect(updates.count == 2 && (updates.byteCount ?? 0) > 1_000 && updates.comesWithSync)
    _ = try await area.sync()
    #expect(try await task.scheduledUpdates(of: area.map, portal: portal) == nil)
  }

  @Test func `Sizes of scheduled updates that no file can have are unknown`() async throws {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    for generation in [7, 12] as [Int64] {
      try await area.publish(generation, renaming: feature, to: "\(generation)")
    }
    let lying = LyingTransport(
      area.bed.bed.transport,
      answering: { answer in
        guard let list = answer["resources"]?.array else { return nil }
        var answer = answer
        answer["resources"] = .array(
          list.map { entry in
            var entry = entry.object ?? [:]
            entry["size"] = 9_000_000_000_000_000_000
            return .object(entry)
          })
        return answer
      })
    let portal = Portal(
      url: area.bed.bed.portal.url,
      client: RESTClient(transport: lying, authenticator: AnonymousAuthenticator()))
    let updates = try await OfflineMapSyncTask(area.bed.bed.environment)
      .scheduledUpdates(of: area.map, portal: portal)
    #expect(updates?.count == 2 && updates?.byteCount == nil)
  }

  @Test func `An area without updates says which scheduled ones it does not get`()
    async throws
  {
    let area = try await area(.noUpdates)
    try await area.publish(7, renaming: try await area.first(), to: "Packed")
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    let updates = try await task.scheduledUpdates(of: area.map, portal: area.bed.bed.portal)
    #expect(updates?.count == 1 && updates?.comesWithSync == false)
  }

  @Test func `An area that synchronizes with its services waits for no scheduled updates`()
    async throws
  {
    let area = try await area(.syncWithFeatureServices)
    try await area.publish(7, renaming: try await area.first(), to: "Packed")
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    #expect(try await task.scheduledUpdates(of: area.map, portal: area.bed.bed.portal) == nil)
  }

  @Test func `What changes in an area is packed when it is due, and the oldest is not kept`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let (bed, before) = (area.bed.bed, try await area.first())
    let client = bed.portal.client
    func pack() async throws -> String? {
      let url = bed.portal.url.appending(path: "demo/scheduled-updates")
      return try await client.json(url, ["area": "Casco Bay"], method: .post)["file"]?.string
    }
    #expect(try await pack() == nil)
    let service = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let table = try await FeatureService(url: service, client: client).table(1)
    var id: Int64?
    for try await page in table.pages() {
      let same = page.features.first { $0.attributes["NAME"] == before.attributes["NAME"] }
      id = id ?? same?.objectID
    }
    let objectID = try #require(id)
    for number in 1...7 {
      let update = #"[{"attributes": {"OBJECTID": \#(objectID), "NAME": "Name \#(number)"}}]"#
      _ = try await client.json(
        service.appending(path: "1/applyEdits"), ["updates": update], method: .post)
      #expect(try await pack() == "d_\(number + 1).geodatabase")
      guard number == 1 else { continue }
      #expect(try await area.sync().updated == 1)
      #expect(try await area.first().attributes["NAME"] == .text("Name 1"))
      #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
    }
    await #expect(throws: JobInterruption.self) { try await area.sync() }
  }

  @Test func `A layer that others stay behind takes no update in that it has already`() async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    let name = try #require(feature.attributes["NAME"])
    try await area.publish(7, renaming: feature, to: "Earlier")
    try await area.using { store in
      let state = try #require(try await store.syncState())
      #expect(state.layers.count > 1 && state.serverGeneration == nil)
      let layer = try #require(state.layers.first { $0.table == Self.table })
      try await store.receive(
        GeodatabaseDelta(replicaID: UUID(), layers: []), layerGenerations: [layer.layerID: 12],
        generation: nil)
    }
    #expect(try await area.sync().updated == 0)
    #expect(try await area.first().attributes["NAME"] == name)
    let state = try #require(try await area.using { try await $0.syncState() })
    #expect(state.layers.allSatisfy { $0.serverGeneration == ($0.table == Self.table ? 12 : 7) })
  }

  @Test func `A layer that an update did not come into waits with those that follow`() async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    let name = try #require(feature.attributes["NAME"])
    let before = try await area.generations()
    // The next one has nothing of the layer, by which it could be seen that a field is missing.
    try await area.publish(7, renaming: feature, to: "Packed", without: "NAME")
    try await area.publish(12, renaming: nil)
    #expect(try await area.sync().updated == 0)
    #expect(try await area.first().attributes["NAME"] == name)
    for (table, generation) in try await area.generations() {
      let expected = table == Self.table ? before[table] : 12
      #expect(generation == expected)
    }
    // The field is there again.
    try await area.publish(7, renaming: feature, to: "Packed")
    #expect(try await area.sync().updated == 1)
    #expect(try await area.first().attributes["NAME"] == .text("Packed"))
    let after = try await area.generations()
    #expect(Set(after.values) == [12])
  }

  @Test(arguments: [false, true])
  func `Updates that the portal no longer keeps are reported`(_ isText: Bool) async throws {
    let area = try await area(.downloadScheduledUpdates)
    try await area.purge(50, asText: isText)
    await #expect(throws: JobInterruption.self) { try await area.sync() }
  }

  @Test func `An update that is purged while all are asked for leaves no gap`() async throws {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.publish(7, renaming: feature, to: "Earlier")
    try await area.publish(12, renaming: feature, to: "Later")
    let before = try await area.generations()
    let (state, package) = (area.bed.bed.state, area.package.text)
    let purging = InterferingTransport(inner: area.bed.bed.transport, path: "/resources") {
      guard var item = await state.item(package) else { return }
      var properties = item.properties.object ?? [:]
      properties["lastPurgedGen"] = .integer(7)
      item.properties = .object(properties)
      item.resources.removeAll { $0.name == "d_7.geodatabase" }
      await state.put(item)
    }
    await #expect(throws: OfflineMapError.self) { try await area.update(through: purging) }
    #expect(try await area.generations() == before)
    #expect(try await area.first().attributes["NAME"] == feature.attributes["NAME"])
  }

  @Test func `One update that is not kept any more is enough, unless the copy has it`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    try await area.publish(12, renaming: try await area.first(), to: "Later")
    #expect(try await area.sync().updated == 1)
    try await area.purge(12)
    #expect(try await area.sync().updated == 0)
    try await area.purge(13)
    await #expect(throws: JobInterruption.self) { try await area.sync() }
  }

  @Test func `A conflict stays if the feature cannot be changed as decided`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.rename(feature, to: "Mine")
    try await area.publish(12, renaming: feature, to: "Theirs")
    _ = try await area.sync()
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    let conflict = try #require(try await task.conflicts(of: area.map).first)
    await #expect(throws: FeatureEditError.self) {
      try await task.resolve(conflict, of: area.map, changing: ["NAME": .integer(7)])
    }
    #expect(try await task.conflicts(of: area.map).map(\.id) == [conflict.id])
    try await task.resolve(conflict, of: area.map, changing: ["NAME": .text("Both")])
    #expect(try await task.conflicts(of: area.map).isEmpty)
    #expect(try await area.first().attributes["NAME"] == .text("Both"))
  }

  @Test func `A feature is not changed for a conflict that was resolved meanwhile`() async throws {
    let area = try await area(.downloadScheduledUpdates)
    let feature = try await area.first()
    try await area.rename(feature, to: "Mine")
    try await area.publish(12, renaming: feature, to: "Theirs")
    _ = try await area.sync()
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    let conflict = try #require(try await task.conflicts(of: area.map).first)
    try await task.resolve(conflict, of: area.map, as: .theirs)
    await #expect(throws: FeatureEditError.self) {
      try await task.resolve(conflict, of: area.map, changing: ["NAME": .text("Both")])
    }
    #expect(try await area.first().attributes["NAME"] == .text("Theirs"))
    #expect(try await area.using { try await $0.localChanges().changes }.isEmpty)
  }

  @Test(
    arguments: [.downloadScheduledUpdates, .downloadScheduledUpdatesAndUploadNewFeatures]
      as [DownloadPreplannedOfflineMapParameters.UpdateMode])
  func `A conflict of an update is resolved as it was listed, or not at all`(
    _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws {
    let area = try await area(mode)
    let feature = try await area.first()
    try await area.rename(feature, to: "Mine")
    try await area.publish(12, renaming: feature, to: "Theirs")
    _ = try await area.sync()
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    let listed = try #require(try await task.conflicts(of: area.map).first)
    try await area.rename(feature, to: "Later")
    let refusal = FeatureEditError.conflictChanged(
      EditPlace(table: Self.table, objectID: feature.objectID))
    await #expect(throws: refusal) {
      try await task.resolve(listed, of: area.map, as: .theirs)
    }
    #expect(try await area.first().attributes["NAME"] == .text("Later"))
    let again = try #require(try await task.conflicts(of: area.map).first)
    try await task.resolve(again, of: area.map, as: .theirs)
    #expect(try await area.first().attributes["NAME"] == .text("Theirs"))
  }

  @Test func `New features are sent by areas that send them, and other edits stay`() async throws {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    let feature = try await area.first()
    try await area.addLight()
    try await area.rename(feature, to: "Mine")
    let result = try await area.sync()
    #expect(result.sent == 1 && result.staying == 1)
    let changes = try await area.using { try await $0.localChanges().changes }
    #expect(changes.count == 1 && changes.first?.kind == .update)
    let service = FeatureService(
      url: try #require(URL(string: OfflineJobBed.service("ExploreMaine"))),
      client: area.bed.bed.portal.client)
    var query = ServiceQueryParameters()
    query.whereClause = "NAME = 'New Light'"
    #expect(try await service.table(1).count(matching: query) == 1)
  }

  @Test func `Each direction receives updates or sends new features, and not both`() async throws {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    let feature = try await area.first()
    try await area.addLight()
    try await area.publish(7, renaming: feature, to: "Earlier")
    let received = try await area.sync(.download)
    #expect(received.updated == 1 && received.sent == 0 && received.staying == 0)
    #expect(try await area.using { try await $0.localChanges().changes.count } == 1)
    try await area.publish(12, renaming: feature, to: "Later")
    let sent = try await area.sync(.upload)
    #expect(sent.updated == 0 && sent.sent == 1 && sent.staying == 0)
    #expect(try await area.first().attributes["NAME"] == .text("Earlier"))
    #expect(try await area.sync().updated == 1)
  }

  @Test(arguments: [false, true])
  func `New features are sent with their attachments, once, also if the answer is lost`(
    _ isAnswerLost: Bool
  ) async throws {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.using { store in
      let added = NewFeature(
        attributes: ["NAME": .text("New Light")],
        geometry: .point(.init(x: -7_800_000, y: 5_400_000)))
      let id = try await store.apply([.add(added, table: Self.table)])[0].objectID
      let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("a".utf8))
      _ = try await store.apply([.addAttachment(file, to: .objectID(id), table: Self.table)])
      let other = try #require(
        try await store.features(in: Self.table, matching: QueryParameters(limit: 1)).collect()
          .first)
      _ = try await store.apply([
        .addAttachment(file, to: .objectID(other.objectID), table: Self.table)
      ])
    }
    if isAnswerLost {
      await area.bed.bed.state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
      await #expect(throws: JobInterruption.self) { try await area.sync() }
      await area.bed.bed.state.removeFaults()
    }
    #expect(try await area.sync().sent == 2)
    // The attachment of a feature that was there is not for this mode to send.
    let changes = try await area.using { try await $0.localChanges().changes }
    #expect(changes.count == 1 && changes.first?.kind == nil)
    let service = FeatureService(
      url: try #require(URL(string: OfflineJobBed.service("ExploreMaine"))),
      client: area.bed.bed.portal.client)
    let table = try await service.table(1)
    let ids = try await table.objectIDs(
      matching: ServiceQueryParameters(whereClause: "NAME = 'New Light'"))
    #expect(ids.count == 1)
    #expect(try await table.attachments(of: try #require(ids.first)).map(\.name) == ["a.txt"])
    #expect(try await area.sync().sent == 0)
  }

  @Test func `An attachment that did not arrive with its feature does not count as sent`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.addLight(withFile: "a.txt")
    let state = area.bed.bed.state
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: JobInterruption.self) { try await area.sync() }
    await state.removeFaults(fault)
    // The service has the feature, and has lost its file.
    let service = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let client = area.bed.bed.portal.client
    let table = try await FeatureService(url: service, client: client).table(1)
    let id = try #require(
      try await table.objectIDs(
        matching: ServiceQueryParameters(whereClause: "NAME = 'New Light'")
      ).first)
    let file = try #require(try await table.attachments(of: id).first)
    _ = try await client.json(
      service.appending(path: "1/\(id)/deleteAttachments"), ["attachmentIds": "\(file.id)"],
      method: .post)
    _ = try await area.sync()
    #expect(try await area.using { try await !$0.localChanges().changes.isEmpty })
    #expect(try await area.using { try await $0.pendingUpload() } == nil)
    // The next synchronization sends it, and no other attachment.
    try await area.using { store in
      let old = try #require(
        try await store.features(in: Self.table, matching: QueryParameters(limit: 1)).collect()
          .first)
      let file = NewAttachment(name: "b.txt", contentType: "text/plain", data: Data("b".utf8))
      _ = try await store.apply([
        .addAttachment(file, to: .objectID(old.objectID), table: Self.table)
      ])
    }
    #expect(try await area.sync().sentAttachments == 1)
    #expect(try await table.attachments(of: id).map(\.name) == ["a.txt"])
    #expect(try await area.using { try await $0.localChanges().changes.count } == 1)
    #expect(try await area.sync().sent == 0)
  }

  @Test func `An attachment that was missing and has arrived after all is not sent twice`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.addLight(withFile: "a.txt")
    let state = area.bed.bed.state
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: JobInterruption.self) { try await area.sync() }
    await state.removeFaults(fault)
    // The service lists no attachments yet.
    let early = LyingTransport(
      area.bed.bed.transport,
      answering: { answer in
        guard answer["attachmentGroups"] != nil else { return nil }
        var answer = answer
        answer["attachmentGroups"] = []
        return answer
      })
    #expect(try await area.update(through: early).sentEdits.attachments == 0)
    let listening = ListeningTransport(area.bed.bed.transport)
    #expect(try await area.update(through: listening).sentEdits.attachments == 1)
    #expect(!listening.requests.contains { $0.url.lastPathComponent == "applyEdits" })
    #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
  }

  @Test func `New features are not sent to a service that gives them ids of its own`() async throws
  {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.using { store in
      let added = NewFeature(attributes: ["NAME": .text("New Light")])
      _ = try await store.apply([.add(added, table: Self.table)])
    }
    let lying = LyingTransport(
      area.bed.bed.transport,
      answering: { answer in
        guard answer["supportsApplyEditsWithGlobalIds"] != nil else { return nil }
        var answer = answer
        answer["supportsApplyEditsWithGlobalIds"] = nil
        return answer
      })
    await #expect(throws: OfflineMapError.self) { try await area.update(through: lying) }
    #expect(try await area.using { try await $0.localChanges().changes.count } == 1)
    #expect(try await area.using { try await $0.pendingUpload() } == nil)
    #expect(try await area.sync().sent == 1)
  }

  @Test func `A service that lists no attachments in its answer is asked whether it has them`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.addLight(withFile: "a.txt")
    let taciturn = TaciturnTransport(inner: area.bed.bed.transport)
    #expect(try await area.update(through: taciturn).sent == 2)
    #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
  }

  @Test func `An unreadable response to new features leaves them to be looked up`()
    async throws
  {
    let area = try await area(.downloadScheduledUpdatesAndUploadNewFeatures)
    try await area.using { store in
      let added = NewFeature(attributes: ["NAME": .text("New Light")])
      _ = try await store.apply([.add(added, table: Self.table)])
    }
    let other = AnsweringTransport(
      inner: area.bed.bed.transport, path: "/applyEdits", answer: Data(#"{"what": "else"}"#.utf8))
    await #expect(throws: PortalError.self) { try await area.update(through: other) }
    #expect(try await area.using { try await $0.pendingUpload() } != nil)
    #expect(try await area.sync().sent == 1)
    #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
  }

  @Test func `An area that is synchronized registers itself with its first synchronization`()
    async throws
  {
    let area = try await area(.syncWithFeatureServices)
    let feature = try await area.first()
    try await area.rename(feature, to: "Mine")
    #expect(try await area.sync().sent == 1)
    let state = try await area.using { try await $0.syncState() }
    #expect(state?.isRegistered == true && state?.name.hasPrefix("portolan_") == true)
    #expect(try await area.using { try await $0.localChanges().changes.isEmpty })
  }

  @Test(arguments: [
    (DownloadPreplannedOfflineMapParameters.UpdateMode.syncWithFeatureServices, true),
    (.downloadScheduledUpdatesAndUploadNewFeatures, true), (.downloadScheduledUpdates, false),
  ])
  func `A service takes edits of an area only where it is not just sent updates`(
    _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode, _ takesEdits: Bool
  ) async throws {
    let area = try await area(mode)
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    #expect(try await task.takesEdits(area.map) == takesEdits)
    #expect(try await task.isSynchronized(area.map))
  }

  @Test func `An area without updates is not synchronized`() async throws {
    let area = try await area(.noUpdates)
    let task = OfflineMapSyncTask(area.bed.bed.environment)
    #expect(try await task.isSynchronized(area.map) == false)
    #expect(try await task.isKeptWithoutUpdates(area.map))
  }
}

/// Leaves out of the answers to edits what became of attachments.
private struct TaciturnTransport: HTTPTransport {
  let inner: any HTTPTransport

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard request.url.path().hasSuffix("/applyEdits") else {
      return try await inner.send(request, into: sink)
    }
    let response = try await inner.send(request)
    // Only answers in JSON are cut.
    let layers = (try? JSONValue(parsing: response.body))?.array ?? []
    let answer = layers.map { layer -> JSONValue in
      var members = layer.object ?? [:]
      members["attachments"] = nil
      return .object(members)
    }
    try sink.begin(response.head)
    try sink.receive(Data(JSONValue.array(answer).text().utf8).bytes)
    return response.head
  }
}

/// Does something before each request for a path that ends so.
private struct InterferingTransport: HTTPTransport {
  let inner: any HTTPTransport
  let path: String
  let interfere: @Sendable () async -> Void

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    if request.url.path().hasSuffix(path) { await interfere() }
    return try await inner.send(request, into: sink)
  }
}

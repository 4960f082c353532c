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

/// The content of two replicas of a service and of the service after they were synchronized.
@Suite(.temporaryDirectory) struct GeodatabaseSyncTests {
  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `Edits go to the service and from there to another copy`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (
      try await bed.copy("first", model: model), try await bed.copy("second", model: model)
    )
    let before = try await first.features()
    let added = try await first.add("New Light")
    try await first.rename(before[0].objectID, "Renamed")
    try await first.delete(before[1].objectID)
    let sent = try await first.sync()
    #expect(sent.sent == 3 && sent.issues.isEmpty)
    #expect(try await first.edits() == 0)
    let received = try await second.sync().received
    #expect(received.adds == 1 && received.updates == 1 && received.deletes == 1)
    let values = try await bed.values()
    #expect(values[added.uppercased()] == "New Light" && values.count == before.count)
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
    #expect(try await second.edits() == 0)
    #expect(try await first.sync().sent == 0)
  }

  @Test func `Attachments go with their features`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    try await first.edit(
      .addAttachment(file, to: .objectID(feature.objectID), table: SyncBed.table))
    _ = try await first.sync()
    #expect(try await first.edits() == 0)
    _ = try await second.sync()
    let names = try await Geodatabase.open(at: second.file)
      .attachments(of: feature.objectID, in: SyncBed.table).map(\.name)
    #expect(names.contains("a.txt"))
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `Values changed on both sides wait for a decision, and nothing is lost before`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "First")
    try await second.rename(feature.objectID, "Second")
    _ = try await first.sync()
    let result = try await second.sync()
    let issue = try #require(result.issues.first)
    #expect(issue.kind == .conflict && result.sent == 0)
    #expect(issue.theirs?.json["attributes"]?["NAME"]?.string == "First")
    #expect(try await second.edits() == 1)
    try await second.resolve(issue, resolution)
    _ = try await second.sync()
    _ = try await first.sync()
    let expected = resolution == .mine ? "Second" : "First"
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    #expect(try await bed.values()[id] == expected)
    #expect(try await first.values() == bed.values())
    #expect(try await second.values() == bed.values())
    #expect(try await second.edits() == 0)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An edit of a feature that others have removed blocks nothing`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let features = try await first.features()
    try await first.delete(features[0].objectID)
    try await second.rename(features[0].objectID, "Kept")
    try await second.rename(features[1].objectID, "Other")
    _ = try await first.sync()
    let result = try await second.sync()
    #expect(result.sent == 1 && result.issues.map(\.isGoneThere) == [true])
    try await second.resolve(result.issues[0], resolution)
    _ = try await second.sync()
    _ = try await first.sync()
    let values = try await bed.values()
    #expect(values.values.contains("Kept") == (resolution == .mine))
    #expect(values.values.contains("Other"))
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
  }

  @Test(arguments: [
    ("*/synchronizeReplica", 0, true), ("*/synchronizeReplica", 1, true), ("*/jobs/*", 0, true),
    ("*/jobs/*", 2, true), ("*/replicafilescache/*", 0, true), ("*/uploads/upload", 0, true),
    ("*/synchronizeReplica", 0, false), ("*/synchronizeReplica", 1, false),
    ("*/uploads/upload", 0, false),
  ])
  func `An interrupted exchange neither loses nor repeats edits, whether or not it arrived`(
    _ path: String, _ skip: Int, _ isHeard: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await second.add("From second")
    _ = try await second.sync()
    let before = try await first.values()
    let feature = try await first.features()[0]
    try await first.add("Once")
    try await first.rename(feature.objectID, "Changed")
    // A download goes on after each byte that it gets, so that it only fails if it gets none.
    let answer: DemoFault.Kind = path.contains("filescache") ? .drop : .cut(after: 1)
    let kind = isHeard ? answer : .status(502, retryAfter: nil)
    await bed.state.add(DemoFault(kind, path: path, skip: skip))
    await #expect(throws: (any Error).self) { try await first.sync() }
    #expect(try await first.edits() == 2)
    #expect(try await first.values().count >= before.count + 1)
    await bed.state.removeFaults()
    _ = try await first.sync()
    let values = try await bed.values()
    #expect(values.values.count { $0 == "Once" } == 1)
    #expect(values.values.contains("Changed") && values.count == before.count + 2)
    #expect(try await first.values() == values)
    #expect(try await first.edits() == 0)
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `A copy that the service has forgotten is registered again, with its edits`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", model: model)
    let features = try await copy.features()
    let added = try await copy.add("Mine")
    for (index, name) in [(0, "Changed"), (1, "Both")] {
      try await copy.rename(features[index].objectID, name)
    }
    try await copy.delete(features[2].objectID)
    // Others change one that was edited here, and one that was not, while the copy is forgotten.
    for (index, name) in [(1, "Theirs"), (3, "Elsewhere")] {
      let id = try #require(SyncCopy.text("GlobalID", features[index]))
      let there = try #require(try await bed.objectID(of: id))
      let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "\#(name)"}}]"#
      _ = try await bed.edit(["updates": update])
    }
    try await bed.forgetReplicas()
    let result = try await copy.sync()
    #expect(result.isRegisteredAgain && result.sent == 3)
    #expect(result.received.updates == 1 && result.received.conflicts == 1)
    let issue = try #require(result.issues.first)
    #expect(result.issues.count == 1 && issue.objectID == features[1].objectID)
    try await copy.resolve(issue, .mine)
    let again = try await copy.sync()
    #expect(!again.isRegisteredAgain && again.sent == 1 && again.issues.isEmpty)
    let values = try await bed.values()
    #expect(values[added.uppercased()] == "Mine" && values.count == features.count)
    #expect(Set(values.values).isSuperset(of: ["Changed", "Both", "Elsewhere"]))
    #expect(try await copy.values() == values)
    #expect(try await copy.edits() == 0)
    #expect(try await ReplicaTask(service: bed.service).replicas().count == 1)
  }

  @Test(arguments: ["*/createReplica", "*/jobs/*", "*/replicafilescache/*", "*/unRegisterReplica"])
  func `Registering again that breaks off leaves the edits, and one copy in the end`(
    _ path: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    await bed.state.add(DemoFault(.cut(after: 1), path: path))
    if path.contains("filescache") {
      await bed.state.removeFaults()
      await bed.state.add(DemoFault(.drop, path: path))
    }
    // The errors are for the job; the result is what counts.
    _ = try? await copy.sync()
    #expect(try await copy.values().values.contains("Mine"))
    await bed.state.removeFaults()
    _ = try await copy.sync()
    #expect(try await bed.values().values.count { $0 == "Mine" } == 1)
    #expect(try await copy.edits() == 0)
    #expect(try await ReplicaTask(service: bed.service).replicas().count == 1)
  }

  @Test func `A copy that cannot be registered again is reported, and its edits stay`() async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/createReplica",
      answer: Data(#"{"error": {"code": 400, "message": "Sync is not enabled."}}"#.utf8))
    await #expect(throws: OfflineMapError.replicaForgotten(service: "ExploreMaine")) {
      try await copy.sync(
        .bidirectional,
        through: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    }
    #expect(try await copy.edits() == 1)
    #expect(try await copy.values().values.contains("Mine"))
  }

  @Test func `A server that is started again does not seem to refuse to register a copy`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let busy = DemoFailure(code: 503, "Busy.", details: [])
    let fault = await bed.state.add(DemoFault(.failure(busy), path: "*/createReplica"))
    let error = await #expect(throws: PortalError.self) { try await copy.sync() }
    #expect(error?.isTransient == true)
    await bed.state.removeFaults(fault)
    #expect(try await copy.sync().isRegisteredAgain)
    #expect(try await copy.edits() == 0)
  }

  @Test func `A service that does not list its copies has not forgotten this one`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    let refusal = Data(#"{"error": {"code": 400, "message": "Unable to complete."}}"#.utf8)
    let stub = AnsweringTransport(
      inner: AnsweringTransport(inner: bed.transport, path: "/replicas", answer: refusal),
      path: "/synchronizeReplica", answer: refusal)
    await #expect {
      try await copy.sync(
        .bidirectional,
        through: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    } throws: { error in
      guard case PortalError.server = error else { return false }
      return true
    }
    #expect(try await ReplicaTask(service: bed.service).replicas().map(\.name) == ["first"])
    #expect(try await copy.edits() == 1)
  }

  @Test func `Edits of others alone come in with a download`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let there = try #require(try await bed.objectID(of: id))
    let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "Elsewhere"}}]"#
    _ = try await bed.edit(["updates": update])
    try await copy.add("Here")
    let result = try await copy.sync(.download)
    #expect(result.received.updates == 1 && result.sent == 0)
    #expect(try await copy.edits() == 1)
    #expect(try await copy.values()[id.uppercased()] == "Elsewhere")
  }

  @Test(arguments: [
    #"{"status": "Completed", "responseType": "esriReplicaResponseTypeEdits"}"#,
    #"{"status": "Completed"}"#,
    #"{"status": "CompletedWithErrors", "responseType": "esriReplicaResponseTypeNoEdits"}"#,
    #"{"status": "Completed", "layerServerGens": [{"id": 1, "serverGen": 99999}]}"#,
  ])
  func `A download that ends without its file changes nothing, generations neither`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let there = try #require(try await bed.objectID(of: id))
    let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "Elsewhere"}}]"#
    _ = try await bed.edit(["updates": update])
    let before = try await copy.using { try await $0.syncState() }
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/jobs/", answer: Data(answer.utf8))
    await #expect(throws: OfflineMapError.self) {
      try await copy.sync(
        .download, through: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    }
    #expect(try await copy.using { try await $0.syncState() } == before)
    #expect(try await copy.sync(.download).received.updates == 1)
  }

  @Test func `New features whose answer was lost are not sent again`() async throws {
    var cases = 0
    for count in 0..<20 {
      let bed = try await SyncBed(in: temporaryDirectory)
      let copy = try await bed.copy("copy-\(count)")
      let id = try await copy.add("New")
      let kill = KillingTransport(
        bed.transport, file: copy.file, after: count, isHeard: true)
      let client = RESTClient(transport: kill, authenticator: AnonymousAuthenticator())
      // It fails, unless it is over before that request.
      _ = try? await copy.sync(through: client)
      try kill.restore()
      let isSent = await bed.log.count(of: "/uploads/upload") == 1
      guard isSent, await bed.log.paths.last?.hasSuffix("/synchronizeReplica") == true else {
        continue
      }
      cases += 1
      _ = try await copy.sync()
      #expect(await bed.log.count(of: "/uploads/upload") == 1)
      #expect(try await copy.edits() == 0)
      #expect(
        try await bed.values().filter { SyncCopy.plain($0.key) == SyncCopy.plain(id) }.count == 1)
    }
    #expect(cases > 0)
  }

  @Test(arguments: [true, false])
  func `A new feature that is refused as a repeat has arrived, if the service has the same`(
    _ hasIt: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try await copy.add("New")
    // The service says no to what it has taken.
    let refusing = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "GDB_DataChangesEditResults",
      statement: "UPDATE GDB_DataChangesEditResults SET Success = 0")
    let nothing = Data(#"{"objectIdFieldName": "OBJECTID", "fields": [], "features": []}"#.utf8)
    let transport: any HTTPTransport =
      hasIt ? refusing : AnsweringTransport(inner: refusing, path: "/query", answer: nothing)
    let result = try await copy.sync(
      through: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    #expect(result.sent == (hasIt ? 1 : 0))
    #expect(result.issues.map(\.kind) == (hasIt ? [] : [.rejected]))
    #expect(try await copy.edits() == (hasIt ? 0 : 1))
    _ = try await copy.sync()
    #expect(
      try await bed.values().filter { SyncCopy.plain($0.key) == SyncCopy.plain(id) }.count == 1)
  }

  @Test func `An answer that says there are no edits needs no file`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    #expect(try await copy.sync(.download).received == SyncReceipt())
  }

  @Test(arguments: ["enterprise", "online"])
  func `Edits travel to the services of both products and back`(_ product: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: product)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let before = try await first.features()
    let added = try await first.add("New Light")
    try await first.rename(before[0].objectID, "Renamed")
    try await first.delete(before[1].objectID)
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    try await first.edit(
      .addAttachment(file, to: .objectID(before[2].objectID), table: SyncBed.table))
    _ = try await first.sync()
    #expect(try await first.edits() == 0)
    // A service without a place for uploads is sent JSON.
    let uploads = await bed.log.count(of: "/uploads/upload")
    #expect((uploads == 0) == (product == "enterprise"))
    _ = try await second.sync()
    let values = try await bed.values()
    let id = values.first { SyncCopy.plain($0.key) == SyncCopy.plain(added) }
    #expect(id?.value == "New Light" && values.count == before.count)
    #expect(Set(values.values).contains("Renamed"))
    #expect(Set(try await second.values().values) == Set(values.values))
    let names = try await Geodatabase.open(at: second.file)
      .attachments(of: before[2].objectID, in: SyncBed.table).map(\.name)
    #expect(names.contains("a.txt"))
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An edit that the service refuses is listed with its words, and the others are sent`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let features = try await copy.features()
    for index in 0...1 { try await copy.rename(features[index].objectID, "Edit \(index)") }
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      try await store.setPendingUpload(pending)
      let results = upload.edits.enumerated().map { index, edit in
        GeodatabaseDelta.EditResult(
          objectID: nil, globalID: edit.globalID, isSuccess: index == 1,
          code: index == 1 ? 0 : 1000, reason: index == 1 ? "" : "Not on a Sunday.",
          kind: .update, layerID: edit.layerID)
      }
      let accepted = try await store.finish(pending, results: results).total
      #expect(accepted == 1)
    }
    let issue = try #require(try await copy.issues().first)
    #expect(issue.kind == .rejected && issue.reason == "Not on a Sunday." && issue.code == 1000)
    #expect(issue.objectID == features[0].objectID && issue.theirs == nil)
    #expect(try await copy.edits() == 1)
    // The content of the service is what was synchronized last.
    let there = try await copy.using {
      try await $0.synchronizedFeature(issue.objectID, in: issue.table)
    }
    #expect(there == features[0])
    // It is not sent before somebody has decided.
    #expect(try await copy.using { try await $0.makeUpload().isEmpty })
    try await copy.resolve(issue, resolution)
    let upload = try await copy.using { try await $0.makeUpload() }
    #expect(upload.isEmpty == (resolution == .theirs))
    let values = try await copy.values().values
    #expect(values.contains("Edit 0") == (resolution == .mine))
    #expect(values.contains("Edit 1"))
  }
}

import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// What two copies of a service and the service have after they were brought together.
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
  func `What both have changed waits for a decision, and nothing is lost before`(
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
    ("*/synchronizeReplica", 0), ("*/synchronizeReplica", 1), ("*/jobs/*", 0), ("*/jobs/*", 2),
    ("*/replicafilescache/*", 0), ("*/uploads/upload", 0),
  ])
  func `What breaks off is neither lost nor doubled`(_ path: String, _ skip: Int) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await second.add("From second")
    _ = try await second.sync()
    let before = try await first.values()
    let feature = try await first.features()[0]
    try await first.add("Once")
    try await first.rename(feature.objectID, "Changed")
    // A download goes on after each byte that it gets, so that it only fails if it gets none.
    let kind: DemoFault.Kind = path.contains("filescache") ? .drop : .cut(after: 1)
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

  @Test func `A copy that the service has forgotten is told, and its edits stay`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    let task = ReplicaTask(service: bed.service)
    for replica in try await task.replicas() {
      _ = try await bed.client.json(
        task.unregisterURL, ["replicaID": replica.id], method: .post)
    }
    await #expect(throws: OfflineMapError.replicaForgotten(service: "FeatureServer")) {
      try await copy.sync()
    }
    #expect(try await copy.edits() == 1)
    #expect(try await copy.values().values.contains("Mine"))
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
}

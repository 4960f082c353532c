import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of a feature that both sides have changed in different ways.
@Suite(.temporaryDirectory) struct DecidedConflictTests {
  @Test func `Keeping one value takes over what others made of the other values`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    let theirs = SyncedSites.feature(.notes, SyncedSites.note, "Theirs", of: SyncedSites.id(2))
    _ = try await copy.receive(.notes, updates: [theirs])
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await copy.names()[3] == ["Mine"])
    #expect(try await copy.noted() == .text(SyncedSites.id(2)))
    let sent = try await copy.upload().delta.layers.flatMap(\.updates).first
    #expect(sent?.attributes["NAME"] == .text("Mine"))
    #expect(sent?.attributes["PARENT"] == .text(SyncedSites.id(2)))
    await copy.store.close()
  }

  @Test func `Others' changes in two steps are received whole beside a value that is kept`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    for name in ["First", "Second"] {
      let theirs = SyncedSites.feature(.notes, SyncedSites.note, name, of: SyncedSites.id(2))
      _ = try await copy.receive(.notes, updates: [theirs])
    }
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await copy.names()[3] == ["Mine"])
    #expect(try await copy.noted() == .text(SyncedSites.id(2)))
    await copy.store.close()
  }

  private static let schema = FeatureTableSchema(
    name: "Places", geometryType: .point, spatialReference: .wgs84,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, length: 40),
      Field("GlobalID", .globalID, isNullable: false, isEditable: false), Field("DEPTH", .single),
    ], globalIDField: "GlobalID", isChangeTracked: true, serviceLayerID: 0)

  private static func place(at x: Double) -> Feature {
    Feature(
      objectID: 0,
      attributes: Attributes(
        FieldList(schema.fields),
        [.null, .text("Alpha"), .text(SyncedSites.alpha), .double(0.1)]),
      geometry: .point(Point(x: x, y: 45)))
  }

  private func places(_ name: String = "places", at x: Double = 1) throws -> EditableGeodatabase {
    let url = temporaryDirectory.appending(path: "\(name).geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Places", capabilities: "Create,Delete,Query,Sync,Update",
      tables: [GeodatabaseDefinition.Table(Self.schema)],
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(), serviceURL: "https://demo.test/Places/FeatureServer",
        owner: "me", created: SyncedSites.moment,
        layers: [SyncReplica.Layer(layerID: 0, serverGeneration: 1)]))
    let writer = try GeodatabaseWriter(at: url, definition, now: SyncedSites.moment) { UUID() }
    _ = try writer.append(Self.place(at: x), to: "Places")
    try writer.finish()
    return try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
  }

  @Test func `Two equal changes are no conflict, in whatever letters a GUID is written`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let parent = "{ABCDEF00-0000-4000-8000-000000000001}"
    _ = try await copy.store.apply([
      .update(.objectID(1), table: "Notes", attributes: ["PARENT": .text(parent)])
    ])
    let theirs = SyncedSites.feature(
      .notes, SyncedSites.note, "Closed", of: parent.lowercased())
    let receipt = try await copy.receive(.notes, updates: [theirs])
    #expect(receipt.conflicts == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    await copy.store.close()
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A feature that both have moved waits for a decision, though its values are the same`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let store = try places()
    _ = try await store.apply([
      .update(
        1, table: "Places", attributes: [:], geometry: .set(.point(Point(x: 2, y: 45))))
    ])
    let receipt = try await store.receive(
      GeodatabaseDelta(
        replicaID: UUID(),
        layers: [
          GeodatabaseDelta.Layer(
            layerID: 0, schema: Self.schema, serverGeneration: 2, updates: [Self.place(at: 3)])
        ]), layerGenerations: [0: 2], generation: nil)
    #expect(receipt.conflicts == 1)
    let issue = try #require(try await store.syncIssues().first)
    try await store.resolve(issue.id, as: resolution)
    let shape = try await store.features(in: "Places", matching: .init()).collect().first?.geometry
    #expect(shape == .point(Point(x: resolution == .mine ? 2 : 3, y: 45)))
    #expect(try await store.localChanges().changes.count == (resolution == .mine ? 1 : 0))
    await store.close()
  }

  /// The service has sent a feature in more digits than the table holds.
  private func receive(
    _ feature: Feature, into store: EditableGeodatabase
  ) async throws -> SyncReceipt {
    let layer = GeodatabaseDelta.Layer(
      layerID: 0, schema: Self.schema, serverGeneration: 2, updates: [feature])
    return try await store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: [layer]), layerGenerations: [0: 2],
      generation: nil)
  }

  @Test func `A feature that comes as it was is no conflict, though in more digits`() async throws {
    let store = try places()
    _ = try await store.apply([
      .update(.objectID(1), table: "Places", attributes: ["NAME": .text("Mine")])
    ])
    #expect(try await receive(Self.place(at: 1 + 1e-13), into: store).conflicts == 0)
    #expect(try await store.syncIssues().isEmpty)
    // Of a conflict the position is none where only the name differs.
    var theirs = Self.place(at: 1 + 1e-13)
    theirs.attributes["NAME"] = .text("Theirs")
    #expect(try await receive(theirs, into: store).conflicts == 1)
    let issue = try #require(try await store.syncIssues().first)
    #expect(issue.theirs?.json["geometry"] == issue.before?.json["geometry"])
    #expect(issue.before != nil)
    await store.close()
  }

  @Test func `Two equal moves are no conflict, though in more digits`() async throws {
    let store = try places()
    _ = try await store.apply([
      .update(1, table: "Places", attributes: [:], geometry: .set(.point(Point(x: 2, y: 45))))
    ])
    #expect(try await receive(Self.place(at: 2 + 1e-13), into: store).conflicts == 0)
    #expect(try await store.syncIssues().isEmpty)
    await store.close()
  }

  @Test func `Others' changes of an edited feature come in though its shape cannot be read`()
    async throws
  {
    let store = try places()
    _ = try await store.apply([
      .update(.objectID(1), table: "Places", attributes: ["NAME": .text("Mine")])
    ])
    let shape = "64" + String(repeating: "00", count: 17)
    try Connection(
      at: temporaryDirectory.appending(path: "places.geodatabase"), access: .edit
    ).execute("UPDATE Places SET Shape = x'\(shape)'")
    #expect(try await receive(Self.place(at: 3), into: store).conflicts == 1)
    #expect(try await store.syncIssues().map(\.kind) == [.conflict])
    await store.close()
  }

  @Test func `A newly registered copy receives a feature that was only moved`()
    async throws
  {
    let store = try places()
    let fresh = try places("fresh", at: 3)
    let url = temporaryDirectory.appending(path: "fresh.geodatabase")
    await fresh.close()
    let receipt = try await store.renew(from: url) { _, _ in nil }
    #expect(receipt.updates == 1)
    let shape = try await store.features(in: "Places", matching: .init()).collect().first?.geometry
    #expect(shape == .point(Point(x: 3, y: 45)))
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `A shape that cannot be read keeps a copy from being registered anew on neither side`(
    _ isDamagedHere: Bool, _ isDamagedThere: Bool
  ) async throws {
    let store = try places()
    let fresh = try places("fresh", at: 3)
    await fresh.close()
    let files = ["places", "fresh"].map { temporaryDirectory.appending(path: "\($0).geodatabase") }
    for (file, isDamaged) in zip(files, [isDamagedHere, isDamagedThere]) where isDamaged {
      // It begins as shapes do, and is of no class that there is.
      let shape = "64" + String(repeating: "00", count: 17)
      try Connection(at: file, access: .edit).execute("UPDATE Places SET Shape = x'\(shape)'")
    }
    let receipt = try await store.renew(from: files[1]) { _, _ in nil }
    #expect(receipt.updates == (isDamagedThere ? 0 : 1))
    #expect(receipt.withheld == (isDamagedThere ? 1 : 0) && receipt.deletes == 0)
    #expect(try await store.count(in: "Places", matching: .init()) == 1)
    if !(isDamagedHere && isDamagedThere) {
      let place = try await store.features(in: "Places", matching: .init()).collect().first
      #expect(place?.geometry == .point(Point(x: isDamagedThere ? 1 : 3, y: 45)))
    }
    let issues = try await store.syncIssues()
    #expect(issues.map(\.globalID) == (isDamagedThere ? [SyncedSites.alpha] : []))
    #expect(issues.allSatisfy { $0.kind == .unstorable && $0.isIncomplete == true })
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }
}

import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of pairs of related features when one of them was deleted here and changed by
/// others.
@Suite(.temporaryDirectory) struct SyncedPairTests {
  private static let moment = Date(timeIntervalSince1970: 1_700_000_000)
  private static let (site, otherSite) = (SyncedSites.id(1), SyncedSites.id(2))
  private static let (person, otherPerson) = (SyncedSites.id(3), SyncedSites.id(4))

  private static func schema(
    _ name: String, _ relations: [RelationshipInfo], _ keys: [String] = []
  ) -> FeatureTableSchema {
    FeatureTableSchema(
      name: name,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, length: 40),
        Field("GlobalID", .globalID, isNullable: false, isEditable: false),
      ] + keys.map { Field($0, .guid) }, globalIDField: "GlobalID", relationships: relations,
      isChangeTracked: true, serviceLayerID: ["Sites", "People", "Visits"].firstIndex(of: name))
  }

  private static func visits(
    to table: String, _ role: RelationshipInfo.Role, _ key: String, _ other: String
  ) -> RelationshipInfo {
    RelationshipInfo(
      id: 1, name: "Visits", relatedTable: table, cardinality: .manyToMany, role: role,
      keyField: "GlobalID", relatedKeyField: "GlobalID",
      joinTable: .init(name: "Visits", keyField: key, relatedKeyField: other))
  }

  /// A copy of sites and people, who visit them; the service may know the visits as a table.
  private func copy(knowingVisits isListed: Bool) throws -> EditableGeodatabase {
    let url = temporaryDirectory.appending(path: "visits.geodatabase")
    var schemas = [
      Self.schema("Sites", [Self.visits(to: "People", .origin, "SITE", "PERSON")]),
      Self.schema("People", [Self.visits(to: "Sites", .destination, "PERSON", "SITE")]),
    ]
    if isListed { schemas.append(Self.schema("Visits", [], ["SITE", "PERSON"])) }
    let definition = GeodatabaseDefinition(
      name: "Visits", capabilities: "Create,Delete,Query,Sync,Update",
      tables: schemas.map { GeodatabaseDefinition.Table($0) },
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(),
        serviceURL: "https://demo.test/arcgis/rest/services/Visits/FeatureServer", owner: "me",
        created: Self.moment,
        layers: schemas.indices.map { SyncReplica.Layer(layerID: $0, serverGeneration: 1) }))
    let writer = try GeodatabaseWriter(at: url, definition, now: Self.moment) { UUID() }
    for (table, id, name) in [
      (0, Self.site, "Alpha"), (0, Self.otherSite, "Beta"), (1, Self.person, "Ann"),
      (1, Self.otherPerson, "Ben"),
    ] {
      try writer.append(Self.feature(schemas[table], id, name), to: schemas[table].name)
    }
    let keys = FieldList([Field("SITE", .guid), Field("PERSON", .guid)])
    for (site, person) in [
      (Self.site, Self.person), (Self.site, Self.otherPerson), (Self.otherSite, Self.person),
    ] {
      let pair = Attributes(keys, [.text(site), .text(person)])
      try writer.append(Feature(objectID: 0, attributes: pair), to: "Visits")
    }
    try writer.finish()
    return try EditableGeodatabase.open(
      at: url, now: { Self.moment.addingTimeInterval(60) }, makeID: { UUID() })
  }

  private static func feature(
    _ schema: FeatureTableSchema, _ globalID: String, _ name: String
  ) -> Feature {
    var attributes = Attributes(FieldList(schema.fields), [.null, .text(name)])
    attributes["GlobalID"] = .text(globalID)
    return Feature(objectID: 0, attributes: attributes)
  }

  /// Others have renamed the first site.
  private func receiveAlpha(_ store: EditableGeodatabase) async throws -> SyncReceipt {
    let schema = Self.schema("Sites", [])
    let theirs = Self.feature(schema, Self.site, "Theirs")
    let layer = GeodatabaseDelta.Layer(
      layerID: 0, schema: schema, serverGeneration: 2, updates: [theirs])
    return try await store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: [layer]), layerGenerations: [0: 2],
      generation: nil)
  }

  /// The visitors of a site.
  private func visitors(
    of objectID: Int64, _ store: EditableGeodatabase
  ) async throws -> [String] {
    let schema = try #require(try await store.schemas().first { $0.name == "Sites" })
    let relation = try #require(schema.relationships.first)
    return try await store.relatedFeatures(to: objectID, in: "Sites", through: relation)
      .compactMap { person in
        if case .text(let name)? = person.attributes["NAME"] { name } else { nil }
      }.sorted()
  }

  private func delete(
    _ objectID: Int64, _ table: String, _ store: EditableGeodatabase
  ) async throws { _ = try await store.apply([.delete(.objectID(objectID), table: table)]) }

  @Test(arguments: [true, false])
  func `A feature that comes back is related as before`(_ isListed: Bool) async throws {
    let store = try copy(knowingVisits: isListed)
    #expect(try await visitors(of: 1, store) == ["Ann", "Ben"])
    try await delete(1, "Sites", store)
    #expect(try await receiveAlpha(store).conflicts == 1)
    // Nor are its pairs gone there before somebody has decided.
    #expect(try await store.makeUpload().isEmpty)
    let issue = try #require(try await store.syncIssues().first)
    try await store.resolve(issue.id, as: .theirs)
    #expect(try await visitors(of: 1, store) == ["Ann", "Ben"])
    #expect(try await visitors(of: 2, store) == ["Ann"])
    #expect(try await store.localChanges().changes.isEmpty)
  }

  @Test(arguments: [true, false])
  func `A pair with a feature that stays deleted stays away`(_ isListed: Bool) async throws {
    let store = try copy(knowingVisits: isListed)
    try await delete(1, "Sites", store)
    try await delete(1, "People", store)
    _ = try await receiveAlpha(store)
    let issue = try #require(try await store.syncIssues().first)
    try await store.resolve(issue.id, as: .theirs)
    #expect(try await visitors(of: 1, store) == ["Ben"])
    #expect(try await visitors(of: 2, store) == [])
    // Both of its pairs are still to be removed from the service, where that knows them.
    let gone = try await store.localChanges().changes.filter { $0.table == "Visits" }
    #expect(gone.map(\.kind) == [.delete, .delete])
  }

  @Test(arguments: [true, false])
  func `A pair that was gone before the last synchronization stays away`(
    _ isListed: Bool
  ) async throws {
    let store = try copy(knowingVisits: isListed)
    try Connection(
      at: temporaryDirectory.appending(path: "visits.geodatabase"), access: .edit
    ).execute(
      """
      UPDATE Visits SET gdb_from_date = gdb_from_date - 2, gdb_to_date = gdb_from_date - 1
      WHERE upper(PERSON) = '\(Self.otherPerson)'
      """)
    #expect(try await visitors(of: 1, store) == ["Ann"])
    try await delete(1, "Sites", store)
    _ = try await receiveAlpha(store)
    let issue = try #require(try await store.syncIssues().first)
    try await store.resolve(issue.id, as: .theirs)
    #expect(try await visitors(of: 1, store) == ["Ann"])
  }

  @Test func `Pairs that a service knows are sent once the deletion has arrived`() async throws {
    let store = try copy(knowingVisits: true)
    try await delete(1, "Sites", store)
    let first = try await store.makeUpload()
    #expect(first.hasMore && first.edits.map(\.globalID) == [Self.site])
    try await store.finish(
      PendingUpload(edits: first.edits, moment: first.moment),
      results: [
        .init(objectID: nil, globalID: Self.site, isSuccess: true, kind: .delete, layerID: 0)
      ])
    let second = try await store.makeUpload()
    #expect(!second.hasMore && second.edits.map(\.table) == ["Visits", "Visits"])
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A deletion waits for a pair that went with it and that others have changed`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let store = try copy(knowingVisits: true)
    var pair = try #require(
      try await store.features(in: "Visits", matching: QueryParameters()).collect().first {
        $0.attributes["SITE"] == .text(Self.site)
      })
    try await delete(1, "Sites", store)
    pair.attributes["NAME"] = .text("Theirs")
    let layer = GeodatabaseDelta.Layer(
      layerID: 2, schema: Self.schema("Visits", [], ["SITE", "PERSON"]), serverGeneration: 2,
      updates: [pair])
    let receipt = try await store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: [layer]), layerGenerations: [2: 2],
      generation: nil)
    #expect(receipt.conflicts == 1)
    #expect(try await store.makeUpload().isEmpty)
    let issue = try #require(try await store.syncIssues().first)
    try await store.resolve(issue.id, as: resolution)
    #expect(try await store.syncIssues().isEmpty)
    let upload = try await store.makeUpload()
    switch resolution {
    case .mine: #expect(upload.hasMore && upload.edits.map(\.globalID) == [Self.site])
    case .theirs:
      #expect(upload.isEmpty)
      #expect(try await visitors(of: 1, store) == ["Ann", "Ben"])
      #expect(try await store.localChanges().changes.isEmpty)
    }
  }
}

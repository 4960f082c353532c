import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Edits of features whose shapes cannot be read: sent without these, they would have none at the service.
@Suite(.temporaryDirectory) struct UnreadableEditTests {
  private static let schema = FeatureTableSchema(
    name: "Places", geometryType: .point, spatialReference: .wgs84,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, length: 40),
      Field("GlobalID", .globalID, isNullable: false, isEditable: false),
    ], globalIDField: "GlobalID", isChangeTracked: true, serviceLayerID: 0)

  /// Three places that were edited, of which the first has lost its shape since.
  private func places() async throws -> EditableGeodatabase {
    let url = temporaryDirectory.appending(path: "places.geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Places", capabilities: "Create,Delete,Query,Sync,Update",
      tables: [GeodatabaseDefinition.Table(Self.schema)],
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(), serviceURL: "https://demo.test/Places/FeatureServer",
        owner: "me", created: SyncedSites.moment,
        layers: [SyncReplica.Layer(layerID: 0, serverGeneration: 1)]))
    let writer = try GeodatabaseWriter(at: url, definition, now: SyncedSites.moment) { UUID() }
    for number in 1...3 {
      _ = try writer.append(
        Feature(
          objectID: 0,
          attributes: Attributes(
            FieldList(Self.schema.fields), [.null, .text("A"), .text(SyncedSites.id(number))]),
          geometry: .point(Point(x: Double(number), y: 45))), to: "Places")
    }
    try writer.finish()
    let store = try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
    for number in 1...3 {
      _ = try await store.apply([
        .update(
          .objectID(Int64(number)), table: "Places", attributes: ["NAME": .text("Mine")])
      ])
    }
    // It begins as shapes do, and is of no class that there is.
    let shape = "64" + String(repeating: "00", count: 17)
    try Connection(at: url, access: .edit).execute(
      "UPDATE Places SET Shape = x'\(shape)' WHERE OBJECTID = 1")
    return store
  }

  @Test(arguments: [nil, SyncUpload.Limit(features: 1, bytes: 1 << 20)])
  func `They stay, are listed, and keep no others from being sent`(
    _ limit: SyncUpload.Limit?
  ) async throws {
    let store = try await places()
    var sent: Set<SyncUpload.Edit> = []
    while true {
      let upload = try await store.makeUpload(within: limit, besides: sent)
      guard !upload.isEmpty else { break }
      #expect(upload.delta.layers.flatMap(\.updates).allSatisfy { $0.geometry != nil })
      #expect(upload.delta.layers.flatMap(\.updates).count == upload.edits.count)
      sent.formUnion(upload.edits)
    }
    #expect(sent.map(\.objectID).sorted() == [2, 3])
    let left = try await store.unsynchronizedTables()
    #expect(left.map(\.reason) == [.featuresWithUnreadableShapes])
    #expect(left.first?.edits == 1 && left.first?.table == "Places")
    #expect(try await store.localChanges().changes.count == 3)
    await store.close()
  }

  // MARK: - New features

  /// Places, notes of places and replies to notes.
  private static let relatedSchemas: [FeatureTableSchema] = {
    func relation(_ id: Int, to table: String, isOrigin: Bool) -> RelationshipInfo {
      RelationshipInfo(
        id: id, name: "Relation\(id)", relatedTable: table, cardinality: .oneToMany,
        role: isOrigin ? .origin : .destination, keyField: isOrigin ? "GlobalID" : "PARENT",
        relatedKeyField: isOrigin ? "PARENT" : "GlobalID")
    }
    var places = schema
    places.relationships = [relation(1, to: "Notes", isOrigin: true)]
    func table(
      _ name: String, _ layerID: Int, _ relations: [RelationshipInfo]
    )
      -> FeatureTableSchema
    {
      FeatureTableSchema(
        name: name,
        fields: [
          Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
          Field("NAME", .string, length: 40), Field("PARENT", .guid),
          Field("GlobalID", .globalID, isNullable: false, isEditable: false),
        ], globalIDField: "GlobalID", relationships: relations, isChangeTracked: true,
        serviceLayerID: layerID)
    }
    return [
      places,
      table(
        "Notes", 1,
        [relation(1, to: "Places", isOrigin: false), relation(2, to: "Replies", isOrigin: true)]),
      table("Replies", 2, [relation(2, to: "Notes", isOrigin: false)]),
    ]
  }()

  /// Two new places, each with a new note that has a new reply.
  private func newPlaces() async throws -> (URL, EditableGeodatabase) {
    let url = temporaryDirectory.appending(path: "new.geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Places", capabilities: "Create,Delete,Query,Sync,Update",
      tables: Self.relatedSchemas.map { GeodatabaseDefinition.Table($0) },
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(), serviceURL: "https://demo.test/Places/FeatureServer",
        owner: "me", created: SyncedSites.moment,
        layers: (0...2).map { SyncReplica.Layer(layerID: $0, serverGeneration: 1) }))
    let writer = try GeodatabaseWriter(at: url, definition, now: SyncedSites.moment) { UUID() }
    try writer.finish()
    let store = try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
    for number in 1...2 {
      var parent: String?
      for table in Self.relatedSchemas {
        var attributes: [String: AttributeValue] = ["NAME": .text("New \(number)")]
        if let parent { attributes["PARENT"] = .text(parent) }
        let shape: Geometry? =
          table.geometryType == nil ? nil : .point(Point(x: Double(number), y: 45))
        let made = try await store.apply([
          .add(NewFeature(attributes: attributes, geometry: shape), table: table.name)
        ])
        let changes = try await store.localChanges().changes
        parent = try #require(
          changes.first { $0.table == table.name && $0.objectID == made[0].objectID }?.globalID)
      }
    }
    return (url, store)
  }

  @Test func `What relates to a new feature with an unreadable shape stays with it, and is listed`()
    async throws
  {
    let (url, store) = try await newPlaces()
    let shape = "64" + String(repeating: "00", count: 17)
    try Connection(at: url, access: .edit).execute(
      "UPDATE Places SET Shape = x'\(shape)' WHERE NAME = 'New 1'")
    let upload = try await store.makeUpload()
    #expect(upload.delta.layers.map(\.layerID) == [0, 1, 2])
    let names = upload.delta.layers.flatMap(\.adds).map { $0.attributes["NAME"] }
    #expect(names == Array(repeating: .text("New 2"), count: 3))
    #expect(upload.edits.count == 3 && !upload.hasMore)
    let left = try await store.unsynchronizedTables()
    #expect(left.map(\.table) == ["Places", "Notes", "Replies"])
    #expect(left.map(\.edits) == [1, 1, 1])
    #expect(
      left.map(\.reason) == [
        .featuresWithUnreadableShapes, .featuresRelatedToUnreadableOnes,
        .featuresRelatedToUnreadableOnes,
      ])
    await store.close()
  }
}

import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Edits that are left of rows whose key is that of other rows as well.
@Suite(.temporaryDirectory) struct UploadPlanKeyTests {
  /// Sites that rooms belong to by a key which goes with their house, and that chairs belong to by the same field.
  private func rooms(in folder: URL) throws -> EditableGeodatabase {
    func relation(
      _ id: Int, _ role: RelationshipInfo.Role, _ other: String, _ own: String, _ theirs: String
    ) -> RelationshipInfo {
      RelationshipInfo(
        id: id, name: "R\(id)", relatedTable: other, cardinality: .oneToMany, role: role,
        keyField: own, relatedKeyField: theirs, isComposite: false)
    }
    let relations: [(String, [RelationshipInfo])] = [
      ("Houses", [relation(1, .origin, "Rooms", "GlobalID", "KEY")]),
      (
        "Rooms",
        [
          relation(1, .destination, "Houses", "KEY", "GlobalID"),
          relation(2, .origin, "Chairs", "KEY", "KEY"),
        ]
      ), ("Chairs", [relation(2, .destination, "Rooms", "KEY", "KEY")]),
    ]
    let tables = relations.enumerated().map { number, entry in
      GeodatabaseDefinition.Table(
        FeatureTableSchema(
          name: entry.0,
          fields: [
            Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
            Field("KEY", .guid), Field("NAME", .string, length: 40),
            Field("GlobalID", .globalID, isNullable: false, isEditable: false),
          ], globalIDField: "GlobalID", relationships: entry.1, isChangeTracked: true,
          serviceLayerID: number))
    }
    let url = folder.appending(path: "rooms.geodatabase")
    let writer = try GeodatabaseWriter(
      at: url,
      GeodatabaseDefinition(
        name: "Rooms", capabilities: "Create,Delete,Query,Sync,Update", tables: tables,
        syncReplica: SyncReplica(
          name: "copy", replicaID: UUID(),
          serviceURL: "https://demo.test/arcgis/rest/services/Rooms/FeatureServer", owner: "me",
          attachmentsDirection: .none, created: SyncedSites.moment,
          layers: (0...2).map { SyncReplica.Layer(layerID: $0, serverGeneration: 1) })),
      now: SyncedSites.moment
    ) { UUID() }
    for (number, table) in tables.enumerated() {
      var attributes = Attributes(FieldList(table.schema.fields))
      attributes["KEY"] = number == 0 ? .null : .text(SyncedSites.id(1))
      attributes["NAME"] = .text("As it was")
      attributes["GlobalID"] = .text(SyncedSites.id(number + 1))
      _ = try writer.append(Feature(objectID: 0, attributes: attributes), to: table.schema.name)
    }
    try writer.finish()
    return try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
  }

  @Test(arguments: [false, true])
  func `A key that goes with a feature relates no other rows afterwards, kept or found out anew`(
    _ isAnew: Bool
  ) async throws {
    let store = try rooms(in: temporaryDirectory)
    for table in ["Chairs", "Rooms"] {
      _ = try await store.apply([
        .update(.objectID(1), table: table, attributes: ["NAME": .text("Mine")], geometry: .keep)
      ])
    }
    _ = try await store.apply([.delete(.objectID(1), table: "Rooms")])
    _ = try await store.apply([.delete(.objectID(1), table: "Houses")])
    // The house goes, then the room that had its key; the chair is refused.
    var sent: [String] = []
    for _ in 0..<9 {
      let upload = try await store.makeUpload(
        within: SyncUpload.Limit(features: 1, bytes: 1 << 20))
      guard !upload.isEmpty else { break }
      sent += upload.edits.map(\.globalID)
      if isAnew { try await store.setRequestedCopy(nil) }
      try await store.finish(
        PendingUpload(upload), results: upload.results(refusing: [SyncedSites.id(3)]))
      if isAnew { try await store.setRequestedCopy(nil) }
    }
    #expect(Set(sent).count == 3)
    let chair = try #require(try await store.synchronizedFeature(1, in: "Chairs"))
    // The service has emptied the key of the room, by which it would have found the chair.
    #expect(chair.attributes["KEY"] == .text(SyncedSites.id(1)))
    await store.close()
  }
}

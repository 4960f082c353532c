import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Edits that are sent only once others have arrived, where these stay here: people are told.
@Suite(.temporaryDirectory) struct HeldBackEditTests {
  /// Places, and parts of places.
  private static let schemas: [FeatureTableSchema] = {
    func table(_ name: String, _ layerID: Int, key: String) -> FeatureTableSchema {
      let isOrigin = layerID == 0
      return FeatureTableSchema(
        name: name, geometryType: .point, spatialReference: .wgs84,
        fields: [
          Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
          Field("NAME", .string, length: 40), Field(key, .integer),
          Field("GlobalID", .globalID, isEditable: false),
        ], globalIDField: "GlobalID",
        relationships: [
          RelationshipInfo(
            id: 1, name: "Parts", relatedTable: isOrigin ? "Parts" : "Places",
            cardinality: .oneToMany, role: isOrigin ? .origin : .destination,
            keyField: isOrigin ? "CODE" : "PLACE", relatedKeyField: isOrigin ? "PLACE" : "CODE",
            isComposite: true)
        ], isChangeTracked: true, serviceLayerID: layerID)
    }
    return [table("Places", 0, key: "CODE"), table("Parts", 1, key: "PLACE")]
  }()

  private struct Copy {
    let url: URL
    let store: EditableGeodatabase

    func apply(_ edits: FeatureEdit...) async throws { _ = try await store.apply(edits) }

    /// Another program writes something into the file.
    func execute(_ sql: String) throws { try Connection(at: url, access: .edit).execute(sql) }

    /// The listed reasons, with the tables and the number of edits that stay.
    func listed(leavingOut stopped: Set<Int> = []) async throws -> [String] {
      try await store.unsynchronizedTables(leavingOut: stopped).map { left in
        "\(left.table) \(left.edits) \(left.reason.rawValue)"
      }
    }
  }

  /// A copy with two places, of which the first has two parts.
  private func makeCopy() throws -> Copy {
    let url = temporaryDirectory.appending(path: "places.geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Places", capabilities: "Create,Delete,Query,Sync,Update",
      tables: Self.schemas.map { GeodatabaseDefinition.Table($0) },
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(), serviceURL: "https://demo.test/Places/FeatureServer",
        owner: "me", created: SyncedSites.moment,
        layers: [0, 1].map { SyncReplica.Layer(layerID: $0, serverGeneration: 1) }))
    let writer = try GeodatabaseWriter(at: url, definition, now: SyncedSites.moment) { UUID() }
    let rows: [(layer: Int, key: Int64)] = [(0, 1), (0, 2), (1, 1), (1, 1)]
    for (number, row) in rows.enumerated() {
      let schema = Self.schemas[row.layer]
      _ = try writer.append(
        Feature(
          objectID: 0,
          attributes: Attributes(
            FieldList(schema.fields),
            [.null, .text("A"), .integer(row.key), .text(SyncedSites.id(number + 1))]),
          geometry: .point(Point(x: Double(number), y: 45))), to: schema.name)
    }
    try writer.finish()
    let store = try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
    return Copy(url: url, store: store)
  }

  /// It begins as shapes do, and is of no class that there is.
  private static let unreadable = "x'64" + String(repeating: "00", count: 17) + "'"

  private static func move(toPlace code: Int64) -> FeatureEdit {
    .update(.objectID(1), table: "Parts", attributes: ["PLACE": .integer(code)])
  }

  private static let deletion = FeatureEdit.delete(.objectID(1), table: "Places")

  @Test func `A deletion is listed that waits for a part whose shape cannot be read`() async throws
  {
    let copy = try makeCopy()
    try await copy.apply(Self.move(toPlace: 2), Self.deletion)
    #expect(try await copy.listed().isEmpty)
    try copy.execute("UPDATE Parts SET Shape = \(Self.unreadable) WHERE OBJECTID = 1")
    #expect(try await copy.store.makeUpload().isEmpty)
    #expect(
      try await copy.listed() == [
        "Parts 1 featuresWithUnreadableShapes", "Places 1 featuresWaitingForOthers",
        "Parts 1 featuresWaitingForOthers",
      ])
    await copy.store.close()
  }

  @Test func `So is one that waits for a part which relates to a new feature that stays`()
    async throws
  {
    let copy = try makeCopy()
    let place = NewFeature(
      attributes: ["NAME": .text("New"), "CODE": .integer(3)],
      geometry: .point(Point(x: 3, y: 45)))
    try await copy.apply(.add(place, table: "Places"), Self.move(toPlace: 3), Self.deletion)
    try copy.execute("UPDATE Places SET Shape = \(Self.unreadable) WHERE NAME = 'New'")
    #expect(try await copy.store.makeUpload().isEmpty)
    #expect(
      try await copy.listed() == [
        "Places 1 featuresWithUnreadableShapes", "Parts 1 featuresRelatedToUnreadableOnes",
        "Places 1 featuresWaitingForOthers", "Parts 1 featuresWaitingForOthers",
      ])
    await copy.store.close()
  }

  @Test func `So is one that waits for a part whose layer is left out`() async throws {
    let copy = try makeCopy()
    try await copy.apply(Self.move(toPlace: 2), Self.deletion)
    #expect(try await copy.store.makeUpload(leavingOut: [1]).isEmpty)
    #expect(try await copy.listed(leavingOut: [1]) == ["Places 1 featuresWaitingForOthers"])
    await copy.store.close()
  }

  @Test func `Parts that were deleted with a feature without a global id are listed`()
    async throws
  {
    let copy = try makeCopy()
    try await copy.apply(Self.deletion)
    do {
      let other = try Connection(at: copy.url, access: .edit)
      try other.execute("PRAGMA ignore_check_constraints = ON")
      try other.execute("UPDATE Places SET GlobalID = x'00' WHERE OBJECTID = 1")
    }
    #expect(try await copy.store.makeUpload().isEmpty)
    #expect(
      try await copy.listed() == [
        "Places 1 featuresWithoutGlobalIDs", "Parts 2 featuresWaitingForOthers",
      ])
    let words = try #require(try await copy.store.unsynchronizedTables().last)
    #expect(
      words.errorDescription
        == "Some features of \"Parts\" are not synchronized, since they can be "
        + "sent only after other edits, which stay on this device.")
    await copy.store.close()
  }
}

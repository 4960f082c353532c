import Foundation
import PortolanFeatureContracts
import PortolanFeatureTables
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// Whether GeoPackages are edited as geodatabases are, and stay sound.
@Suite(.temporaryDirectory) struct EditableGeoPackageTests: ChangedGeoPackage {
  private func run(_ sql: String) throws {
    try Connection(at: url, access: .edit).execute(sql)
  }

  @Test(arguments: EditingContract.cases)
  func `A GeoPackage can be edited as any other store`(_ contract: EditingContract) async throws {
    let store = try store()
    try await contract.check(store)
    await store.close()
    #expect(try GeoPackageAudit.findings(in: url) == [])
  }

  @Test(arguments: FeatureStoreContract.cases)
  func `A GeoPackage that is open for editing answers as any other store`(
    _ contract: FeatureStoreContract
  ) async throws {
    try ContractGeoPackage.write(ContractTables.all, to: url)
    let store = try ContractGeoPackage.edited(url)
    try await contract.check(store)
    await store.close()
  }

  @Test func `A GeoPackage follows the model, whatever is done to it`() async throws {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    let file = try EditableGeoPackage.open(
      at: url, user: ModelledStore.user, undoLimit: ModelledStore.undoLimit,
      now: ModelledStore.clock(), makeID: ModelledStore.ids())
    let store = try await ModelledStore(file)
    #expect(try await store.run(editCount: 300, seed: 2026) > 0)
    let changes = try await file.localChanges().changes
    await file.close()
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false) + suffix))
    }
    #expect(try GeoPackageAudit.findings(in: url) == [])
    #expect(try await GeoPackage.open(at: url).localChanges().changes == changes)
  }

  @Test func `After the greatest of all object ids none is given a second time`() async throws {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    try run("DELETE FROM sqlite_sequence WHERE name = 'Notes'")
    try run("INSERT INTO sqlite_sequence VALUES ('Notes', \(Int64.max))")
    let store = try ContractGeoPackage.edited(url)
    await #expect(throws: FeatureEditError.objectIDsUsedUp(EditPlace(table: "Notes"))) {
      try await store.apply([
        .add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes")
      ])
    }
    await store.close()
  }

  private static let far = Geometry.point(Point(x: 100, y: -60, z: 5))

  private static let group: [FeatureEdit] = [
    .update(3, table: "Huts", attributes: ["AREA": .double(12)], geometry: .set(far)),
    .delete(4, table: "Huts"),
    .addAttachment(
      NewAttachment(name: "n", contentType: "t", data: Data([1, 2])), to: 9, table: "Huts"),
    .add(
      NewFeature(
        attributes: ["TEXT": .text("new"), "HUT": .text(EditingTables.hutID(9))]), table: "Visits"),
  ]

  @Test func `The catalogue follows what is edited, and what is undone`() async throws {
    let store = try store()
    try run("CREATE TABLE gpkg_ogr_contents (table_name TEXT PRIMARY KEY, feature_count INTEGER)")
    try run("INSERT INTO gpkg_ogr_contents VALUES ('Huts', 3), ('Visits', 3), ('Notes', NULL)")
    _ = try await store.apply(Self.group)
    let moment = try #require(DateTimeText.text(of: EditingTables.moment))
    #expect(
      try number(
        """
        SELECT count(*) FROM gpkg_contents WHERE last_change = '\(moment)'
          AND table_name IN ('Huts', 'Visits', 'Huts__ATTACH')
        """) == 3)
    #expect(
      try number(
        """
        SELECT count(*) FROM gpkg_contents WHERE last_change = '\(moment)'
          AND table_name IN ('Notes', 'Parcels')
        """) == 0)
    #expect(try number("SELECT max_x FROM gpkg_contents WHERE table_name = 'Huts'") == 100)
    #expect(try number("SELECT min_y FROM gpkg_contents WHERE table_name = 'Huts'") == -60)
    let counted = "SELECT feature_count FROM gpkg_ogr_contents WHERE table_name ="
    #expect(try number("\(counted) 'Huts'") == 2)
    // One belonged to the hut that was deleted, another was added.
    #expect(try number("\(counted) 'Visits'") == 3)
    #expect(try GeoPackageAudit.findings(in: url) == [])
    _ = try await store.undo()
    await store.close()
    #expect(try number("\(counted) 'Huts'") == 3)
    #expect(try number("\(counted) 'Visits'") == 3)
    #expect(try GeoPackageAudit.findings(in: url) == [])
  }

  @Test func `Columns that SQLite computes are read, and left alone by edits and undo`()
    async throws
  {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    try run("ALTER TABLE Notes ADD COLUMN loud TEXT GENERATED ALWAYS AS (upper(TEXT)) VIRTUAL")
    let store = try ContractGeoPackage.edited(url)
    let schema = try #require(try await store.schemas().first { $0.name == "Notes" })
    #expect(schema.field(named: "loud")?.isEditable == false)
    let new = FeatureEdit.add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes")
    let id = try #require(try await store.apply([new]).first?.objectID)
    let query = QueryParameters(objectIDs: [id])
    func loud() async throws -> AttributeValue? {
      try await store.features(in: "Notes", matching: query).collect().first?.attributes["loud"]
    }
    #expect(try await loud() == .text("X"))
    _ = try await store.apply([
      .update(.objectID(id), table: "Notes", attributes: ["TEXT": .text("y")], geometry: .keep)
    ])
    #expect(try await loud() == .text("Y"))
    _ = try await store.undo()
    #expect(try await loud() == .text("X"))
    await #expect(throws: FeatureEditError.self) {
      try await store.apply([
        .update(
          .objectID(id), table: "Notes", attributes: ["loud": .text("z")], geometry: .keep)
      ])
    }
    await store.close()
  }

  @Test func `Edits are known after the file is opened later`() async throws {
    let store = try store()
    _ = try await store.apply(Self.group)
    let told = try await store.localChanges().changes
    await store.close()
    let found = try await GeoPackage.open(at: url).localChanges()
    #expect(found.changes == told)
    #expect(found.changes.filter { $0.table == "Huts" }.map(\.objectID) == [3, 4, 9])
    #expect(try await GeoPackage.open(at: url).schemas().count == EditingTables.all.count)
  }

  @Test func `An edit that was not finished is rolled back, and those before it stay`()
    async throws
  {
    let store = try store()
    _ = try await store.apply(Self.group)
    await store.close()
    try KilledWriter.abandon(url, after: ["DELETE FROM Huts"])
    let reader = try GeoPackage.open(at: url)
    #expect(try await reader.count(in: "Huts", matching: .init()) == 2)
    #expect(try await !reader.localChanges().changes.isEmpty)
    #expect(try GeoPackageAudit.findings(in: url) == [])
  }

  @Test func `Ids of deleted rows are not given again`() async throws {
    let first = try store()
    let new = FeatureEdit.add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes")
    let id = try #require(try await first.apply([new]).first?.objectID)
    _ = try await first.apply([.delete(.objectID(id), table: "Notes")])
    await first.close()
    let second = try ContractGeoPackage.edited(url)
    #expect(try await second.apply([new]).map(\.objectID) == [id + 1])
    await second.close()
  }

  @Test(arguments: ["Huts", "HUTS", "\"huts\""])
  func `A table with triggers that would not run is not edited`(spelling: String) async throws {
    let store = try store()
    try run("CREATE TRIGGER audit AFTER UPDATE ON \(spelling) BEGIN DELETE FROM Notes; END")
    guard
      case .readOnly(.tableNotEditable("Huts", let reason)) = try await store.editability(
        of: "Huts")
    else {
      Issue.record("it can be edited")
      return
    }
    #expect(reason.contains("audit"))
    #expect(try await store.editability(of: "Notes") == .editable)
    await store.close()
  }

  @Test(arguments: [nil, 5] as [Double?])
  func `Where heights are optional a shape may have some or none`(
    _ height: Double?
  ) async throws {
    try write(
      changedBy: "UPDATE gpkg_geometry_columns SET z = 2 WHERE table_name = 'Huts'")
    let store = try ContractGeoPackage.edited(url)
    let shape = Geometry.point(Point(x: 1, y: 2, z: height))
    _ = try await store.apply([
      .update(.objectID(3), table: "Huts", attributes: [:], geometry: .set(shape))
    ])
    let found = try await store.features(in: "Huts", matching: .init(objectIDs: [3])).collect()
    #expect(found.map(\.geometry) == [shape])
    await store.close()
    #expect(try GeoPackageAudit.findings(in: url) == [])
  }

  @Test func `A table of single areas holds single areas`() async throws {
    let store = try store()
    try run(
      """
      UPDATE gpkg_geometry_columns SET geometry_type_name = 'POLYGON' WHERE table_name = 'Parcels'
      """)
    let square = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1).polygon
    let other = Envelope(xMin: 5, yMin: 0, xMax: 6, yMax: 1).polygon
    let result = try await store.apply([
      .add(NewFeature(attributes: [:], geometry: .polygon(square)), table: "Parcels")
    ])
    let id = try #require(result.first?.objectID)
    let found = try await store.features(in: "Parcels", matching: .init(objectIDs: [id])).collect()
    #expect(found.first?.geometry == .polygon(square))
    // The kind stands after the header with its box, and the byte order.
    #expect(
      try number(
        "SELECT hex(substr(Shape, 42, 1)) = '03' FROM Parcels WHERE OBJECTID = \(id)") == 1)
    let refusal = FeatureEditError.incompleteGeometry(
      reason: "the table holds shapes of a single part", EditPlace(table: "Parcels"))
    await #expect(throws: refusal) {
      try await store.apply([
        .add(
          NewFeature(
            attributes: [:],
            geometry: .polygon(Polygon(parts: square.parts + other.parts))), table: "Parcels")
      ])
    }
    await store.close()
  }

  @Test func `An attachment of several features is not removed`() async throws {
    let store = try store()
    try run("INSERT INTO Huts__ATTACHREL (base_id, related_id) VALUES (9, 1)")
    let refusal = FeatureEditError.tableNotEditable(
      table: "Huts__ATTACHREL", reason: "attachment 1 belongs to several features")
    await #expect(throws: refusal) { try await store.apply([.delete(9, table: "Huts")]) }
    #expect(try await store.count(in: "Huts", matching: .init()) == 3)
    await store.close()
  }

  @Test(.needsTool("sqlite3")) func `The shell of SQLite finds no fault`() async throws {
    let store = try store()
    _ = try await store.apply(Self.group)
    await store.close()
    let result = try Tool.run(
      "sqlite3", url.path(percentEncoded: false),
      """
      PRAGMA integrity_check; PRAGMA foreign_key_check;
      SELECT rtreecheck('rtree_Huts_Shape');
      """)
    #expect(result == Tool.Result(status: 0, output: "ok\nok\n", errors: ""))
  }

  @Test(.needsTool("ogrinfo")) func `GDAL reads what was edited, and no journal`() async throws {
    let store = try store()
    _ = try await store.apply(Self.group)
    await store.close()
    let result = try Tool.run("ogrinfo", "-al", "-q", url.path(percentEncoded: false))
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(!result.output.contains("portolan_edits"))
  }

  @Test func `The pairs of every relationship follow a key that is changed`() async throws {
    func relation(_ id: Int, _ other: String, _ role: RelationshipInfo.Role) -> RelationshipInfo {
      RelationshipInfo(
        id: id, name: "Relation\(id)", relatedTable: other, cardinality: .oneToMany, role: role,
        keyField: "KEY", relatedKeyField: "KEY")
    }
    func table(
      _ name: String, _ key: Int64, _ relations: [RelationshipInfo]
    ) -> FeatureTableContents {
      let fields = [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("KEY", .integer),
      ]
      return FeatureTableContents(
        schema: FeatureTableSchema(name: name, fields: fields, relationships: relations),
        features: [
          Feature(
            objectID: 1, attributes: Attributes(FieldList(fields), [.integer(1), .integer(key)]))
        ])
    }
    try ContractGeoPackage.write(
      [
        table("Wholes", 1, [relation(1, "Parts", .origin), relation(2, "Remarks", .origin)]),
        table("Parts", 2, [relation(1, "Wholes", .destination)]),
        table("Remarks", 2, [relation(2, "Wholes", .destination)]),
      ], to: url)
    let pairs = ["Relation1", "Relation2"].map {
      "SELECT count(*) FROM \(SQLIdentifier.quoted(MappingTable.name($0)))"
    }
    #expect(try pairs.map(number) == [0, 0])
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([.update(1, table: "Wholes", attributes: ["KEY": .integer(2)])])
    #expect(try pairs.map(number) == [1, 1])
    _ = try await store.undo()
    #expect(try pairs.map(number) == [0, 0])
    await store.close()
  }
}

/// GeoPackages that hold the tables of a contract.
enum ContractGeoPackage {
  static func write(_ contents: [FeatureTableContents], to url: URL) throws {
    // The table between parks and rangers is made for their relationship.
    let tables = contents.filter { $0.schema.name != "Guards" }
      .map { GeodatabaseDefinition.Table($0.schema) }
    let writer = try GeoPackageWriter(
      at: url, GeodatabaseDefinition(name: "Contract", tables: tables),
      now: Date(timeIntervalSince1970: 1_592_224_496)
    ) { UUID() }
    for table in contents {
      for feature in table.features {
        let files = table.attachedFiles.filter { $0.objectID == feature.objectID }
        try writer.append(
          feature, to: table.schema.name,
          attachments: files.map {
            NewAttachment(name: $0.name, contentType: $0.contentType, data: $0.data)
          })
      }
    }
    #expect(try writer.finish() == [])
  }

  /// Opens a file for edits at the moment, and by the person, of the editing contract.
  static func edited(_ url: URL) throws -> EditableGeoPackage {
    try EditableGeoPackage.open(
      at: url, user: EditingTables.user, now: { EditingTables.moment }, makeID: { UUID() })
  }
}

/// The faults of a GeoPackage that was edited.
enum GeoPackageAudit {
  static func findings(in url: URL) throws -> [String] {
    let connection = try Connection(at: url, access: .readWrite)
    var findings = try connection.integrityCheck()
    for table in ["Huts", "Parcels"] {
      let index = "\"rtree_\(table)_Shape\""
      findings += try rows(connection, "SELECT rtreecheck('rtree_\(table)_Shape')")
        .filter { $0 != "ok" }
      findings += try rows(
        connection,
        """
        SELECT 'index of \(table): ' || OBJECTID FROM \(table)
        WHERE Shape NOTNULL AND OBJECTID NOT IN (SELECT id FROM \(index))
        UNION ALL SELECT 'left in the index of \(table): ' || id FROM \(index)
        WHERE id NOT IN (SELECT OBJECTID FROM \(table) WHERE Shape NOTNULL)
        """)
    }
    for (relation, table) in [("HutVisits", "Visits"), ("HutNotes", "Notes")] {
      let keys = """
        SELECT h.OBJECTID, v.OBJECTID FROM Huts AS h JOIN \(table) AS v ON v.HUT = h.GlobalID
        """
      let pairs = "SELECT base_id, related_id FROM \(relation)__PAIRS"
      for (left, right) in [(keys, pairs), (pairs, keys)] {
        findings += try rows(
          connection,
          "SELECT 'pairs of \(relation): ' || count(*) FROM (\(left) EXCEPT \(right)) HAVING count(*) > 0"
        )
      }
    }
    findings += try rows(
      connection,
      """
      SELECT 'attachment without its pair: ' || id FROM Huts__ATTACH
      WHERE id NOT IN (SELECT related_id FROM Huts__ATTACHREL)
      UNION ALL SELECT 'pair of nothing: ' || base_id || ' ' || related_id FROM Huts__ATTACHREL
      WHERE base_id NOT IN (SELECT OBJECTID FROM Huts)
        OR related_id NOT IN (SELECT id FROM Huts__ATTACH)
      """)
    return findings
  }

  private static func rows(
    _ connection: borrowing Connection, _ sql: String
  ) throws -> [String] {
    let query = try connection.query(sql)
    var rows: [String] = []
    while try query.step() { rows.append(query.text(at: 0)) }
    return rows
  }
}

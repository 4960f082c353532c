import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage

/// The metadata of a GeoPackage about its tables once they were edited, and the tables that are
/// edited at all.
@Suite(.temporaryDirectory) struct GeoPackageUpkeepTests: ChangedGeoPackage {
  private func rows(_ sql: String) throws -> [[SQLValue]] {
    let query = try Connection(at: url, access: .readOnly).query(sql)
    var rows: [[SQLValue]] = []
    while try query.step() { rows.append((0..<query.columnCount).map { query[$0] }) }
    return rows
  }

  private func run(_ sql: String) throws {
    try Connection(at: url, access: .edit).execute(sql)
  }

  @Test func `An unknown feature count is not invented, and no count goes below zero`()
    async throws
  {
    let store = try store()
    try run("CREATE TABLE gpkg_ogr_contents (table_name TEXT PRIMARY KEY, feature_count INTEGER)")
    try run("INSERT INTO gpkg_ogr_contents VALUES ('huts', 3), ('Notes', NULL), ('Visits', 0)")
    _ = try await store.apply([
      .add(NewFeature(attributes: ["NAME": .text("x")]), table: "Huts"),
      .update(9, table: "Huts", attributes: ["AREA": .double(1)]),
      .add(NewFeature(attributes: ["TEXT": .text("x")]), table: "Notes"),
      .delete(3, table: "Visits"),
    ])
    await store.close()
    let counts = try rows(
      "SELECT feature_count FROM gpkg_ogr_contents ORDER BY table_name COLLATE NOCASE")
    #expect(counts == [[4], [.null], [0]])
  }

  @Test(arguments: [false, true])
  func `The declared extent holds what was edited, be it the first shape`(
    isUnknown: Bool
  ) async throws {
    let store = try store()
    if isUnknown {
      try run(
        """
        UPDATE gpkg_contents SET min_x = NULL, min_y = NULL, max_x = NULL, max_y = NULL
        WHERE table_name = 'Huts'
        """)
    }
    for (x, y) in [(100.0, -60.0), (3, 3)] {
      let place = Geometry.point(Point(x: x, y: y, z: 5))
      _ = try await store.apply([
        .update(3, table: "Huts", attributes: [:], geometry: .set(place))
      ])
    }
    await store.close()
    let extents = try rows(
      """
      SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name IN ('Huts', 'Parcels')
      ORDER BY table_name
      """)
    let huts: [Double] = isUnknown ? [3, -60, 100, 3] : [1.5, -60, 100, 45]
    let expected: [[Double]] = [huts, [0, 0, 1, 1]]
    #expect(extents == expected.map { edges in edges.map { SQLValue.real($0) } })
  }

  @Test(arguments: [
    ("rtree_Huts_other", true), ("trigger_insert_feature_count_x", true),
    ("trigger_delete_feature_count_x", true), ("rtreexHuts", false), ("my_rtree_Huts", false),
    ("trigger_update_feature_count_x", false), ("triggerxinsert_feature_count_x", false),
  ])
  func `Only triggers whose work edits do themselves are passed over`(
    _ name: String, _ isPassedOver: Bool
  ) async throws {
    let store = try store()
    try run("CREATE TRIGGER \(name) AFTER UPDATE ON Huts BEGIN DELETE FROM Notes; END")
    let refusal = FeatureEditError.tableNotEditable(
      table: "Huts", reason: "its trigger \"\(name)\" would not run")
    let found = try await store.editability(of: "Huts")
    #expect(found == (isPassedOver ? .editable : .readOnly(refusal)))
    await store.close()
  }

  @Test func `Pairs follow a key also where the other end names the relationship otherwise`()
    async throws
  {
    func relation(
      _ id: Int, _ name: String, _ role: RelationshipInfo.Role
    ) -> RelationshipInfo {
      RelationshipInfo(
        id: id, name: name, relatedTable: name, cardinality: .oneToMany, role: role,
        keyField: "KEY", relatedKeyField: "KEY")
    }
    func table(
      _ name: String, _ id: Int64, key: Int64, _ relations: [RelationshipInfo]
    ) -> FeatureTableContents {
      let fields = [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("KEY", .integer),
      ]
      return FeatureTableContents(
        schema: FeatureTableSchema(name: name, fields: fields, relationships: relations),
        features: [
          Feature(
            objectID: id, attributes: Attributes(FieldList(fields), [.integer(id), .integer(key)]))
        ])
    }
    // Each end is called like the table at the other, as services do.
    try ContractGeoPackage.write(
      [
        table("Sites", 1, key: 1, [relation(1, "Trees", .origin)]),
        table(
          "Trees", 3, key: 1,
          [relation(1, "Sites", .destination), relation(2, "Visits", .origin)]),
        table("Visits", 5, key: 2, [relation(2, "Trees", .destination)]),
      ], to: url)
    let (trees, visits) = ("SELECT * FROM Trees__PAIRS", "SELECT * FROM Visits__PAIRS")
    #expect(try rows(trees) == [[1, 3]])
    #expect(try rows(visits) == [])
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([.update(5, table: "Visits", attributes: ["KEY": .integer(1)])])
    #expect(try rows(trees) == [[1, 3]])
    #expect(try rows(visits) == [[3, 5]])
    _ = try await store.undo()
    #expect(try rows(trees) == [[1, 3]])
    #expect(try rows(visits) == [])
    await store.close()
  }

  @Test func `A table of single lines holds single lines`() async throws {
    let schema = FeatureTableSchema(
      name: "Paths", geometryType: .polyline, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)])
    try ContractGeoPackage.write([FeatureTableContents(schema: schema, features: [])], to: url)
    try run("UPDATE gpkg_geometry_columns SET geometry_type_name = 'LINESTRING'")
    let (one, other) = (
      Path([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]),
      Path([Coordinate(x: 5, y: 0), Coordinate(x: 6, y: 1)])
    )
    func add(_ paths: [Path]) -> FeatureEdit {
      .add(NewFeature(attributes: [:], geometry: .polyline(Polyline(paths: paths))), table: "Paths")
    }
    let store = try ContractGeoPackage.edited(url)
    _ = try await store.apply([add([one])])
    let refusal = FeatureEditError.incompleteGeometry(
      reason: "the table holds shapes of a single part", EditPlace(edit: 1, table: "Paths"))
    await #expect(throws: refusal) { try await store.apply([add([other]), add([one, other])]) }
    let found = try await store.features(in: "Paths", matching: .init()).collect()
    #expect(found.map(\.geometry) == [.polyline(Polyline(paths: [one]))])
    await store.close()
    // The kind stands after the header with its box, and the byte order.
    #expect(try rows("SELECT hex(substr(Shape, 42, 1)) FROM Paths") == [["02"]])
  }
}

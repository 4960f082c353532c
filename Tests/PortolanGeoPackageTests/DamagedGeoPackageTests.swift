import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct DamagedGeoPackageTests {
  private func example() throws -> URL {
    let url = temporaryDirectory.appending(path: "example.gpkg")
    try Example.writeGeoPackage(to: url)
    return url
  }

  private func askEverything(_ url: URL) {
    do throws(FeatureStoreError) {
      let reader = try GeodatabaseReader(atGeoPackage: url)
      HostileFile.askEverything(reader, also: ["Parks", "Trails", "Rangers", "gpkg_contents"])
    } catch {
      #expect(error.errorDescription?.contains("example.gpkg") ?? false)
    }
  }

  private func change(_ url: URL, _ statements: String...) throws {
    let connection = try Connection(at: url, access: .readWrite)
    for statement in statements { try connection.execute(statement) }
  }

  @Test(arguments: 0..<40) func `A file cut short gives errors, and no more`(
    _ part: Int
  ) throws {
    let url = try example()
    try HostileFile.cut(url, part: part)
    askEverything(url)
  }

  @Test(arguments: 0..<60) func `A file with wrong bytes gives errors or rows`(
    _ seed: Int
  ) throws {
    let url = try example()
    try HostileFile.changeBytes(of: url, seed: seed)
    askEverything(url)
  }

  @Test(arguments: [
    "UPDATE gpkg_metadata SET metadata = '\(String(repeating: "[", count: 100_000))'",
    "UPDATE gpkg_metadata SET metadata = '{\"fields\":{}}'",
    "UPDATE gpkg_contents SET table_name = 'Parks\"; DROP TABLE Parks; --' WHERE rowid = 1",
    "UPDATE gpkg_contents SET srs_id = 99, min_x = 'x', data_type = 'FEATURES'",
    "UPDATE gpkg_geometry_columns SET srs_id = -9, geometry_type_name = 'GEOMETRY'",
    "UPDATE gpkg_geometry_columns SET column_name = 'NAME' WHERE table_name = 'Parks'",
    "UPDATE gpkgext_relations SET mapping_table_name = 'none' WHERE relation_name = 'media'",
    "UPDATE gpkgext_relations SET related_table_name = base_table_name",
    "UPDATE gpkgext_relations SET base_primary_column = 'none', related_primary_column = ''",
    "UPDATE gpkg_data_column_constraints SET constraint_type = 'range', value = 'x'",
    "UPDATE gpkg_spatial_ref_sys SET organization = 'x', definition = 'GEOGCS['",
    "DROP TABLE gpkg_contents", "DROP TABLE gpkg_geometry_columns",
    "DROP TABLE gpkg_spatial_ref_sys", "DROP TABLE gpkg_data_columns", "DROP TABLE gpkg_metadata",
    "DROP TABLE rtree_Parks_Shape", "DROP TABLE Parks", "DROP TABLE Parks__ATTACH",
    "ALTER TABLE Parks RENAME COLUMN NAME TO OTHER",
    "ALTER TABLE Parks__ATTACH RENAME COLUMN data TO OTHER",
  ])
  func `System tables that lie give errors or what is left`(_ sql: String) throws {
    let url = try example()
    // Some are refused by the rules of the table, which is as well.
    try? change(url, "PRAGMA foreign_keys = OFF", sql)
    askEverything(url)
  }

  @Test func `A view is read as a table is, with numbers for ids where it has none`() throws {
    let url = try example()
    try change(
      url, "CREATE VIEW Low AS SELECT NAME, Shape FROM Parks",
      "INSERT INTO gpkg_contents (table_name, data_type, srs_id) VALUES ('Low', 'features', 3857)",
      """
      INSERT INTO gpkg_geometry_columns VALUES ('Low', 'Shape', 'MULTIPOLYGON', 3857, 0, 0)
      """)
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.schema(of: "Low").fields.map(\.name) == ["rowid", "NAME"])
    let rows = try reader.features(in: "Low", matching: .init(whereClause: "NAME = 'Acadia'"))
    #expect(rows.map(\.objectID) == [1])
    #expect(rows.first?.geometry == Example.parks[0].geometry)
    let sorted = QueryParameters(orderBy: [.init("rowid", isDescending: true)])
    #expect(try reader.features(in: "Low", matching: sorted).map(\.objectID) == [2, 1])
  }

  @Test func `A view shows what it computes, and the shapes of a column that may hold any`()
    throws
  {
    let url = try example()
    try change(
      url,
      """
      CREATE VIEW Made AS SELECT OBJECTID AS fid, OBJECTID * 2 AS twice, OBJECTID / 2.0 AS half,
        upper(NAME) AS loud, Shape FROM Parks
      """,
      "INSERT INTO gpkg_contents (table_name, data_type, srs_id) VALUES ('Made', 'features', 3857)",
      "INSERT INTO gpkg_geometry_columns VALUES ('Made', 'Shape', 'GEOMETRY', 3857, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let schema = try reader.schema(of: "Made")
    #expect(schema.geometryType == .polygon && schema.mayMixShapes)
    #expect(schema.fields.map(\.type) == [.objectID, .bigInteger, .double, .string])
    let row = try #require(try reader.features(in: "Made", matching: .init(limit: 1)).first)
    #expect(row.geometry == Example.parks[0].geometry)
    #expect(row.attributes["twice"]?.number == Double(row.objectID * 2))
  }

  @Test func `A view of a table that is gone is no harm to the others`() throws {
    let url = try example()
    try change(
      url, "CREATE TABLE Gone (a INTEGER)", "CREATE VIEW Lost AS SELECT a + 1 AS b FROM Gone",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Lost', 'attributes')",
      "DROP TABLE Gone")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.schemas().map(\.name).contains("Parks"))
    #expect(try reader.count(in: "Parks", matching: .init()) > 0)
    #expect(try reader.gaps() == [TableGap(table: "Lost", .brokenView)])
  }

  @Test func `Rows are kept without the surfaces that a column of any kind holds, which is said`()
    throws
  {
    let url = try example()
    // A TIN without patches, in little-endian well-known binary.
    try change(
      url, "CREATE TABLE Roofs (fid INTEGER PRIMARY KEY, name TEXT, geom BLOB)",
      "INSERT INTO Roofs VALUES (1, 'flat', x'47500001110F0000011000000000000000'), (2, 'none', NULL)",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Roofs', 'features')",
      "INSERT INTO gpkg_geometry_columns VALUES ('Roofs', 'geom', 'GEOMETRY', 4326, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let rows = try reader.features(in: "Roofs", matching: .init())
    #expect(rows.map { $0.attributes["name"] } == [.text("flat"), .text("none")])
    #expect(rows.allSatisfy { $0.geometry == nil })
    #expect(try reader.gaps() == [TableGap(table: "Roofs", .shapes)])
    #expect(try !reader.schema(of: "Roofs").mayMixShapes)
  }

  @Test func `A view of which a row cannot be computed is no harm to the others`() throws {
    let url = try example()
    try change(
      url, "CREATE TABLE Numbers (fid INTEGER PRIMARY KEY, number INTEGER)",
      // The least number has no opposite.
      "INSERT INTO Numbers VALUES (1, -9223372036854775808)",
      """
      CREATE VIEW Sizes AS SELECT n.fid, abs(n.number) AS size,
        substr(p.Shape, 1, abs(n.number)) AS Shape FROM Numbers AS n, Parks AS p
      """,
      "INSERT INTO gpkg_contents (table_name, data_type, srs_id) VALUES ('Sizes', 'features', 3857)",
      "INSERT INTO gpkg_geometry_columns VALUES ('Sizes', 'Shape', 'GEOMETRY', 3857, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.schemas().map(\.name).contains("Parks"))
    #expect(try reader.count(in: "Parks", matching: .init()) > 0)
    #expect(throws: FeatureStoreError.self) {
      try reader.features(in: "Sizes", matching: .init(limit: 1))
    }
  }

  @Test func `A reference that only an extension defines is read`() throws {
    let url = try example()
    let text = try #require(SpatialReference(wkid: 25_832).registered()?.wellKnownText)
    try change(
      url, "ALTER TABLE gpkg_spatial_ref_sys ADD COLUMN definition_12_063 TEXT",
      """
      INSERT INTO gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id,
        definition, definition_12_063)
      VALUES ('own', 100001, 'NONE', 100001, 'undefined', '\(text)')
      """, "UPDATE gpkg_geometry_columns SET srs_id = 100001 WHERE table_name = 'Parks'")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let reference = try #require(try reader.schema(of: "Parks").spatialReference)
    #expect(reference.wkt?.contains("25832") == true)
  }

  @Test func `Rows are kept without the surfaces that a column of curves holds`() throws {
    let url = try example()
    // A surface of no triangles, and an area of no points, in little-endian well-known binary.
    try change(
      url, "CREATE TABLE Arcs (fid INTEGER PRIMARY KEY, geom BLOB)",
      "INSERT INTO Arcs VALUES (1, x'47500001110F0000011000000000000000')",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Arcs', 'features')",
      "INSERT INTO gpkg_geometry_columns VALUES ('Arcs', 'geom', 'COMPOUNDCURVE', 4326, 0, 0)",
      "CREATE TABLE Plains (fid INTEGER PRIMARY KEY, geom BLOB)",
      "INSERT INTO Plains VALUES (1, x'47500001110F0000010300000000000000')",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Plains', 'features')",
      "INSERT INTO gpkg_geometry_columns VALUES ('Plains', 'geom', 'CURVEPOLYGON', 4326, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.features(in: "Arcs", matching: .init()).map(\.objectID) == [1])
    #expect(try reader.gaps() == [TableGap(table: "Arcs", .shapes)])
    #expect(try reader.schema(of: "Plains").geometryType == .polygon)
  }

  @Test func `A row that a view cannot compute is not called damaged`() throws {
    let url = try example()
    try change(
      url, "CREATE TABLE Notes (fid INTEGER PRIMARY KEY, number INTEGER)",
      "INSERT INTO Notes VALUES (1, -1), (2, -9223372036854775808)",
      "CREATE VIEW Parsed AS SELECT fid, abs(number) AS a FROM Notes",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Parsed', 'attributes')")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let error = #expect(throws: FeatureStoreError.self) {
      try reader.features(in: "Parsed", matching: .init())
    }
    #expect(
      error
        == .unsupported(
          file: url.path(percentEncoded: false),
          feature: "an expression in Parsed that cannot be computed (integer overflow)"))
    #expect(try reader.count(in: "Parsed", matching: .init()) == 2)
  }

  @Test func `A collection of shapes is called unsupported rather than damaged`() throws {
    let url = try example()
    // A collection without parts, in little-endian well-known binary.
    try change(
      url, "CREATE TABLE Sites (fid INTEGER PRIMARY KEY, geom BLOB)",
      "INSERT INTO Sites VALUES (7, x'47500001110F0000010700000000000000')",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Sites', 'features')",
      "INSERT INTO gpkg_geometry_columns VALUES ('Sites', 'geom', 'POLYGON', 4326, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let error = #expect(throws: FeatureStoreError.self) {
      try reader.features(in: "Sites", matching: .init())
    }
    let path = url.path(percentEncoded: false)
    #expect(
      error?.errorDescription
        == "In \(path), row 7 of Sites cannot be read: a geometry collection is not supported.")
    #expect(error?.recoverySuggestion == "The other rows can be read.")
  }

  @Test func `A column that another program computes keeps none of the others from being read`()
    throws
  {
    let url = try example()
    do {
      let other = try Connection(at: url, access: .readWrite)
      try other.register(
        function: "st_area", argumentCount: 1, traits: [.deterministic, .innocuous]
      ) { _ in .real(1) }
      try other.execute(
        """
        CREATE TABLE Plots (fid INTEGER PRIMARY KEY, shape BLOB, name TEXT,
          area REAL GENERATED ALWAYS AS (st_area(shape)) VIRTUAL,
          kept REAL GENERATED ALWAYS AS (st_area(shape)) STORED)
        """)
      try other.execute("INSERT INTO Plots (shape, name) VALUES (x'00', 'first')")
    }
    try change(
      url, "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Plots', 'attributes')")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try reader.schema(of: "Plots").fields.map(\.name) == ["fid", "shape", "name", "kept"])
    let row = try #require(try reader.features(in: "Plots", matching: .init()).first)
    #expect(row.attributes["name"] == .text("first") && row.attributes["kept"] == .double(1))
  }

  @Test func `Rows of a table without numbers of SQLite are read`() throws {
    let url = try example()
    try change(
      url, "CREATE TABLE Codes (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID",
      "INSERT INTO Codes VALUES ('a', 'first'), ('b', 'second')",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Codes', 'attributes')")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let rows = try reader.features(in: "Codes", matching: .init())
    #expect(rows.map(\.objectID) == [1, 2])
    #expect(rows.map { $0.attributes["name"] } == [.text("first"), .text("second")])
  }

  @Test(arguments: [
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT n FROM t",
    "SELECT n FROM (with t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT n FROM t)",
    "SELECT n FROM (/**/\tWITH\tt(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT n FROM t)",
  ])
  func `A view that may not end is not shown, which is said`(_ sql: String) throws {
    let url = try example()
    try change(
      url, "CREATE VIEW Loop AS \(sql)",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Loop', 'attributes')")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    #expect(try !reader.schemas().map(\.name).contains("Loop"))
    #expect(try reader.gaps() == [TableGap(table: "Loop", .viewOfSubqueries)])
  }

  @Test func `Nor is a view shown of one that may not end`() throws {
    let url = try example()
    try change(
      url,
      """
      CREATE VIEW Loop AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t)
      SELECT n, x'4750' AS shape FROM t WHERE n > 1
      """, "CREATE VIEW \"in the middle\" AS SELECT * FROM [Loop]",
      "CREATE VIEW Behind AS SELECT n + 0 AS m, shape FROM \"In the Middle\"",
      "CREATE VIEW Apart AS SELECT * FROM Rangers",
      "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Apart', 'attributes')",
      "INSERT INTO gpkg_contents (table_name, data_type, srs_id) VALUES ('Behind', 'features', 3857)",
      "INSERT INTO gpkg_geometry_columns VALUES ('Behind', 'shape', 'GEOMETRY', 3857, 0, 0)")
    let reader = try GeodatabaseReader(atGeoPackage: url)
    let names = try reader.schemas().map(\.name)
    #expect(names.contains("Parks") && names.contains("Apart") && !names.contains("Behind"))
    #expect(try reader.gaps() == [TableGap(table: "Behind", .viewOfSubqueries)])
  }

  @Test func `Views do not replace system tables`() throws {
    let url = try example()
    try change(
      url, "PRAGMA foreign_keys = OFF", "ALTER TABLE gpkg_contents RENAME TO contents",
      "CREATE VIEW gpkg_contents AS SELECT * FROM contents")
    #expect(throws: FeatureStoreError.self) { try GeoPackage.open(at: url) }
  }

  @Test func `A row whose shape cannot be read is passed over`() async throws {
    let url = try example()
    // A kind of shape that nobody knows, and then something that is no shape.
    try change(
      url, "DROP TRIGGER rtree_Trails_Shape_update1", "DROP TRIGGER rtree_Trails_Shape_update2",
      "DROP TRIGGER rtree_Trails_Shape_update3", "DROP TRIGGER rtree_Trails_Shape_update4",
      "UPDATE Trails SET Shape = x'475000010000000001FF00000000000000' WHERE OBJECTID = 7",
      "UPDATE Trails SET Shape = x'00' WHERE OBJECTID = 12")
    let package = try GeoPackage.open(at: url)
    var iterator = package.features(in: "Trails", matching: .init()).makeAsyncIterator()
    var outcomes: [String] = []
    for _ in 0..<4 { outcomes.append(await Self.outcome(&iterator)) }
    #expect(outcomes == ["row 7", "8", "row 12", "end"])
  }

  private static func outcome(_ iterator: inout FeatureSequence.Iterator) async -> String {
    do throws(FeatureStoreError) {
      return try await iterator.next().map { String($0.objectID) } ?? "end"
    } catch {
      guard case .unreadableRow(let row) = error else { return "\(error)" }
      return "row \(row.objectID)"
    }
  }

  @Test(
    arguments: [
      [], [0x47], [0x47, 0x50, 0, 1, 0, 0, 0, 0], [0x47, 0x50, 0, 0x0F, 0, 0, 0, 0, 1],
      [0x47, 0x50, 0, 0x03, 0, 0, 0, 0, 1, 2, 3], [0x58, 0x50, 0, 1, 0, 0, 0, 0, 1, 1],
      [0x47, 0x50, 0, 0x21, 0, 0, 0, 0, 1, 1, 1, 1, 1],
    ] as [[UInt8]])
  func `Bytes that are no shape give errors`(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { buffer in
      #expect(throws: StoredShapeError.self) { try unsafe GeoPackageBinary.extent(of: buffer) }
      #expect(throws: StoredShapeError.self) { try unsafe GeoPackageBinary.geometry(of: buffer) }
    }
  }
}

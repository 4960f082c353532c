import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct DamagedGeodatabaseTests {
  private func example() throws -> URL {
    let url = temporaryDirectory.appending(path: "example.geodatabase")
    try Example.write(to: url)
    return url
  }

  /// Asks a file for everything; errors are expected, all else is not.
  private func askEverything(_ url: URL) {
    do throws(FeatureStoreError) {
      let reader = try GeodatabaseReader(at: url)
      HostileFile.askEverything(reader, also: ["Parks", "Trails", "Rangers", "GDB_Items"])
    } catch {
      #expect(error.errorDescription?.contains("example.geodatabase") ?? false)
    }
  }

  @Test func `A file that is absent, empty or something else is refused`() throws {
    let url = temporaryDirectory.appending(path: "x.geodatabase")
    func error() -> FeatureStoreError? {
      do throws(FeatureStoreError) {
        _ = try Geodatabase.open(at: url)
        return nil
      } catch {
        return error
      }
    }
    #expect(isUnreadable(error()))
    try Data("PK\u{3}\u{4} this is something else entirely".utf8).write(to: url)
    #expect(isDamaged(error()))
    try Data().write(to: url)
    #expect(isUnsupported(error()))
    try Connection(at: temporaryDirectory.appending(path: "y"), access: .create)
      .execute("CREATE TABLE plain (a)")
    #expect(throws: FeatureStoreError.self) {
      try Geodatabase.open(at: temporaryDirectory.appending(path: "y"))
    }
  }

  private func isUnreadable(_ error: FeatureStoreError?) -> Bool {
    if case .unreadable = error { true } else { false }
  }

  private func isDamaged(_ error: FeatureStoreError?) -> Bool {
    if case .damaged = error { true } else { false }
  }

  private func isUnsupported(_ error: FeatureStoreError?) -> Bool {
    if case .unsupported = error { true } else { false }
  }

  @Test func `A view is read as a table is, and a broken one is no harm to the others`() throws {
    let url = try example()
    let connection = try Connection(at: url, access: .readWrite)
    for statement in [
      "CREATE VIEW Broken AS SELECT st_length(a) AS l FROM Gone",
      "CREATE VIEW Seen AS SELECT OBJECTID, NAME, Shape FROM Parks",
      """
      INSERT INTO st_geometry_columns
        (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid)
      SELECT 'Seen', f_geometry_column, geometry_type, coord_dimension, srid
      FROM st_geometry_columns WHERE f_table_name = 'Parks'
      """,
      """
      INSERT INTO GDB_ServiceItems (OBJECTID, ItemType, ItemInfo, ItemId, DatasetName)
      VALUES (900, 1, '{}', 900, 'main.Seen'), (901, 1, '{}', 901, 'main.Broken')
      """,
    ] {
      try connection.execute(statement)
    }
    let reader = try GeodatabaseReader(at: url)
    let names = try reader.schemas().map(\.name)
    #expect(names.contains("Parks") && names.contains("Seen") && !names.contains("Broken"))
    #expect(try reader.gaps() == [TableGap(table: "Broken", .brokenView)])
    let schema = try reader.schema(of: "Seen")
    #expect(schema.geometryType == .polygon && schema.objectIDField == "OBJECTID")
    let whole = try reader.features(in: "Parks", matching: .init())
    let seen = try reader.features(in: "Seen", matching: .init(whereClause: "OBJECTID > 0"))
    #expect(seen.map(\.objectID) == whole.map(\.objectID))
    #expect(seen.map { $0.attributes["NAME"] } == whole.map { $0.attributes["NAME"] })
    #expect(seen.map { $0.geometry == nil } == whole.map { $0.geometry == nil })
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
    "UPDATE GDB_ServiceItems SET ItemInfo = '\(String(repeating: "[", count: 100_000))'",
    "UPDATE GDB_ServiceItems SET ItemInfo = '{\"fields\":{}}'",
    "UPDATE GDB_ServiceItems SET DatasetName = 'main.Parks\"; DROP TABLE Parks; --'",
    "UPDATE GDB_Items SET Definition = '<a>' || Definition",
    "UPDATE GDB_Items SET Definition = replace(Definition, 'XYScale>', 'XYScale>-')",
    "UPDATE st_geometry_columns SET srid = -1, geometry_type = 99",
    "UPDATE st_geometry_columns SET f_geometry_column = 'none'",
    "UPDATE GDB_TableRegistry SET rowid_column = 'none'",
    "UPDATE GDB_TableRegistry SET table_name = 'Parks' || registration_id",
    "DROP TABLE st_aux_spatial_reference_systems", "DROP TABLE st_geometry_columns",
    "DROP TABLE GDB_Items", "DROP TABLE GDB_TableRegistry", "DROP TABLE Parks",
    "ALTER TABLE Parks RENAME COLUMN NAME TO OTHER",
    "ALTER TABLE Parks__ATTACH RENAME COLUMN DATA TO OTHER",
  ])
  func `System tables that lie give errors or what is left`(_ sql: String) throws {
    let url = try example()
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    // Some are refused by the rules of the table, which is as well.
    try? connection.execute(sql)
    askEverything(url)
  }

  /// A connection that changes shapes of the parks without the functions of Esri's runtime.
  private func plainConnection(to url: URL) throws -> Connection {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    let triggers = try connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Parks'")
    var names: [String] = []
    while try triggers.step() { names.append(triggers.text(at: 0)) }
    for name in names { try connection.execute("DROP TRIGGER \"\(name)\"") }
    return connection
  }

  @Test(arguments: ["esriGeometryMultiPatch", "esriGeometrySomethingElse"])
  func `Rows are kept without shapes of a kind that is not read, which is said`(
    _ kind: String
  ) throws {
    let url = try example()
    let whole = try GeodatabaseReader(at: url).features(in: "Parks", matching: .init())
    let connection = try plainConnection(to: url)
    for statement in [
      "UPDATE st_geometry_columns SET geometry_type = 1009 WHERE f_table_name = 'Parks'",
      "UPDATE GDB_Items SET Definition = replace(Definition, 'esriGeometryPolygon', '\(kind)')",
      "UPDATE GDB_ServiceItems SET ItemInfo = replace(ItemInfo, 'esriGeometryPolygon', '\(kind)')",
      "UPDATE Parks SET Shape = x'640000000500000020000000000000000000'",
    ] {
      try connection.execute(statement)
    }
    let reader = try GeodatabaseReader(at: url)
    #expect(try reader.schema(of: "Parks").geometryType == nil)
    let rows = try reader.features(in: "Parks", matching: .init())
    #expect(rows.map(\.attributes) == whole.map(\.attributes))
    #expect(rows.allSatisfy { $0.geometry == nil })
    #expect(try reader.extent(of: "Parks", matching: .init()) == nil)
    #expect(try reader.gaps() == [TableGap(table: "Parks", .shapes)])
  }

  @Test func `Multipatches that the list of shapes does not name are not passed over in silence`()
    throws
  {
    let url = try example()
    let whole = try GeodatabaseReader(at: url).features(in: "Parks", matching: .init())
    let connection = try plainConnection(to: url)
    for statement in [
      "DELETE FROM st_geometry_columns WHERE f_table_name = 'Parks'",
      """
      UPDATE GDB_Items
      SET Definition = replace(Definition, 'esriGeometryPolygon', 'esriGeometryMultiPatch')
      """,
      """
      UPDATE GDB_ServiceItems
      SET ItemInfo = replace(ItemInfo, 'esriGeometryPolygon', 'esriGeometryMultiPatch')
      """,
    ] {
      try connection.execute(statement)
    }
    let reader = try GeodatabaseReader(at: url)
    #expect(try reader.gaps() == [TableGap(table: "Parks", .shapes)])
    #expect(try reader.schema(of: "Parks").geometryType == nil)
    let rows = try reader.features(in: "Parks", matching: .init())
    #expect(rows.map(\.attributes) == whole.map(\.attributes))
    #expect(rows.allSatisfy { $0.geometry == nil })
  }

  @Test func `A damaged shape is named by its table and row`() throws {
    let url = try example()
    let connection = try plainConnection(to: url)
    try connection.execute("UPDATE Parks SET Shape = substr(Shape, 1, 25) WHERE OBJECTID = 1")
    let reader = try GeodatabaseReader(at: url)
    let error = #expect(throws: FeatureStoreError.self) {
      try reader.features(in: "Parks", matching: .init())
    }
    #expect(
      error
        == .unreadableRow(
          UnreadableRow(
            file: url.path(percentEncoded: false), table: "Parks", objectID: 1,
            reason: "a shape whose header does not fit its bytes")))
    let parks = try reader.features(
      in: "Parks", matching: QueryParameters(returnsGeometry: false))
    #expect(parks.count == 2)
  }
}

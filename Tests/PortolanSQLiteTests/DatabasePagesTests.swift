import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct DatabasePagesTests {
  private let url: URL

  init() throws { url = temporaryDirectory.appending(path: "pages.sqlite") }

  private func make(_ statements: String...) throws {
    let connection = try Connection(at: url, access: .create)
    for statement in statements { try connection.execute(statement) }
  }

  /// What SQLite reads, for comparison.
  private static func rows(
    of table: String, _ columns: [String], in url: URL
  ) throws -> [[SQLValue]] {
    let connection = try Connection(at: url, access: .immutable)
    let list = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
    let query = try connection.query(
      "SELECT \(list) FROM \(SQLIdentifier.quoted(table)) ORDER BY rowid LIMIT 300")
    var rows: [[SQLValue]] = []
    while try query.step() { rows.append(columns.indices.map { query[$0] }) }
    return rows
  }

  /// The tables of a file with their columns, as SQLite knows them.
  private static func tables(in url: URL) throws -> [(name: String, columns: [String])] {
    let connection = try Connection(at: url, access: .immutable)
    let names = try connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    var tables: [(name: String, columns: [String])] = []
    while try names.step() {
      let name = names.text(at: 0)
      let query = try connection.query("SELECT name FROM pragma_table_info(?)", .text(name))
      var columns: [String] = []
      while try query.step() { columns.append(query.text(at: 0)) }
      tables.append((name, columns))
    }
    return tables
  }

  static let samples: [String] = [
    "geodatabases/usa-10.2.1.geodatabase", "geodatabases/militaryoverlay.geodatabase",
    "geodatabases/LA_Trails.geodatabase",
    "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
    "mbtiles/field_type_from_values.mbtiles", "mbtiles/world_l1.mbtiles",
    "mbtiles/byte_jpeg.mbtiles", "mbtiles/world_l1_webp.mbtiles", "mbtiles/byte.mbtiles",
    "geopackage/raster_and_vector.gpkg", "geopackage/no_envelope.gpkg",
    "geopackage/js-example.gpkg", "geopackage/poly_golden_gpkg_1_4.gpkg",
    "geopackage/relation_mapping_table.gpkg", "geopackage/domains.gpkg",
    "geopackage/2d_envelope.gpkg", "geopackage/java_example.gpkg", "geopackage/3d_envelope.gpkg",
    "geopackage/byte.gpkg",
  ]

  @Test(.needsSharedFiles, arguments: samples)
  func `Every table of a sample reads as SQLite reads it`(path: String) throws {
    let url = SharedFiles.url("samples/\(path)")
    let pages = try DatabasePages(at: url)
    var direct = 0
    for (name, columns) in try Self.tables(in: url) {
      do {
        let rows = try #require(try pages.rows(of: name, columns, limit: 300), "\(name)")
        #expect(try rows == Self.rows(of: name, columns, in: url), "\(name)")
        direct += 1
      } catch PageError.unusual {
        // Virtual tables, and what was altered.
      }
    }
    #expect(direct > 0)
  }

  @Test func `Values of every kind and length read as SQLite reads them`() throws {
    try make(
      "PRAGMA page_size = 512",
      "CREATE TABLE v (id INTEGER PRIMARY KEY, n NUMERIC, r DOUBLE PRECISION, t TEXT, b BLOB)",
      """
      INSERT INTO v WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n LIMIT 200)
      SELECT i * 3 - 100, (1 << (i % 63)) * (1 - 2 * (i % 2)), i / 2.0, printf('%.*c', i * 7, 'é'),
        randomblob(i * i % 5000) FROM n
      """,
      "INSERT INTO v VALUES (9223372036854775807, NULL, 1e300, '', x'')",
      "INSERT INTO v VALUES (-9223372036854775808, 'text', 9e999, char(97, 0, 98), NULL)")
    let columns = ["id", "n", "r", "t", "b"]
    let pages = try DatabasePages(at: url)
    let rows = try pages.rows(of: "v", columns, limit: 300)
    #expect(try rows == Self.rows(of: "v", columns, in: url))
    #expect(rows?.count == 202)
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536])
  func `A table of many pages is read whatever their size`(size: Int) throws {
    try make(
      "PRAGMA page_size = \(size)", "PRAGMA auto_vacuum = FULL",
      "CREATE TABLE a (x, y REAL DEFAULT 5)",
      """
      INSERT INTO a WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 3000)
      SELECT 'row ' || i, i FROM n
      """)
    let rows = try DatabasePages(at: url).rows(of: "A", ["Y", "x"], limit: 300)
    #expect(try rows == Self.rows(of: "a", ["y", "x"], in: url))
  }

  @Test(
    arguments: [
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b)",
      "CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b)",
      "CREATE TABLE t (a INTEGER, b, PRIMARY KEY (a))",
      "CREATE TABLE t (a INTEGER, b, PRIMARY KEY (a DESC))",
      "CREATE TABLE t (a INTEGER, b, PRIMARY KEY (\"a\" AUTOINCREMENT))",
      "CREATE TABLE t (a INTEGER, b, CONSTRAINT k PRIMARY KEY (a, b))",
      "CREATE TABLE t (a INTEGER(8) PRIMARY KEY, b)",
      "CREATE TABLE t (a \"INTEGER\" PRIMARY KEY, b)", "CREATE TABLE t (a INT PRIMARY KEY, b)",
      "CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID",
      "CREATE TABLE t (\"a\" FLOAT, [b] FLOATING POINT, CHECK (a > 0))",
      "CREATE TABLE t (a REAL, b DECIMAL(10, 5) DEFAULT (1 + 2))",
      "CREATE TABLE t (a integer primary key, b text check(cast(b as text) <> ')' or b is null))",
      "CREATE TABLE t (a, b AS (a + 1))", "CREATE TABLE t (a REAL, b TEXT) STRICT",
      "CREATE TABLE t (a, -- a comment, with a comma\n b)",
    ])
  func `A table reads as SQLite reads it, however it was declared`(sql: String) throws {
    try make(sql)
    let connection = try Connection(at: url, access: .edit)
    for value in [7, 3, 1_000_000] {
      try connection.execute("INSERT INTO t (a) VALUES (?)", .integer(Int64(value)))
    }
    let tables = try SmallTables(at: url)
    let query = try connection.query("SELECT a, b FROM t ORDER BY 1")
    var expected: [[SQLValue]] = []
    while try query.step() { expected.append([query[0], query[1]]) }
    let rows = try tables.rows(of: "t", ["a", "b"]) ?? []
    #expect(Set(rows) == Set(expected))
  }

  @Test func `What was added to a table later is left to SQLite`() throws {
    try make(
      "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)",
      "ALTER TABLE t ADD COLUMN b DEFAULT 'later'")
    let tables = try SmallTables(at: url)
    #expect(try tables.rows(of: "t", ["a", "b"]) == [[1, "later"]])
    #expect(!tables.isReadDirectly)
  }

  @Test func `A table or column that is not there is no error`() throws {
    try make("CREATE TABLE t (a)", "CREATE VIEW v AS SELECT a FROM t")
    let tables = try SmallTables(at: url)
    #expect(try tables.rows(of: "absent", ["a"]) == nil)
    #expect(try tables.rows(of: "t", ["a", "absent"]) == nil)
    #expect(tables.isReadDirectly)
    #expect(try tables.rows(of: "v", ["a"]) == nil)
  }

  @Test func `What stands in a write-ahead log is seen`() throws {
    try make("PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("INSERT INTO t VALUES (5)")
    #expect(throws: PageError.unusual) { _ = try DatabasePages(at: url) }
    #expect(try SmallTables(at: url).rows(of: "t", ["a"]) == [[5]])
  }

  @Test func `UTF-16 is left to SQLite`() throws {
    try make("PRAGMA encoding = 'UTF-16'", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('é')")
    #expect(throws: PageError.unusual) { _ = try DatabasePages(at: url) }
    #expect(try SmallTables(at: url).rows(of: "t", ["a"]) == [["é"]])
  }
}

internal import Foundation
internal import PortolanSQLite

extension FuzzTarget {
  /// The pages of a SQLite file are read without SQLite: every table that the schema names.
  static let databasePages = FuzzTarget(
    "database-pages", cost: 10, form: .pages,
    seeds: databasePageSeeds
  ) { data in
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).sqlite")
    // A file that cannot be removed is one more temporary file.
    defer { try? FileManager.default.removeItem(at: url) }
    try data.write(to: url)
    let pages = try DatabasePages(at: url)
    for name in try pages.tableNames {
      guard let table = try pages.table(named: name) else { continue }
      _ = try pages.rows(of: name, table.columnNames, limit: 1_000)
      for row: Int64 in [0, 1, 2, 40, -1, .max] { _ = try table.value(of: 0, inRow: row) }
    }
  }

  private static func databasePageSeeds() throws -> [Data] {
    try TileFileSeeds.geoPackages() + TileFileSeeds.mbtiles() + longRows()
  }

  /// A file of small pages with rows that lie on several of them.
  private static func longRows() throws -> [Data] {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).sqlite")
    let connection = try Connection(at: url, access: .create)
    for statement in [
      "PRAGMA page_size = 512", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, r REAL, b)",
      """
      INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 40)
      SELECT i, 'name ' || i, i / 2.0, zeroblob(i * i) FROM n
      """,
    ] { try connection.execute(statement) }
    let data = try Data(contentsOf: url)
    try FileManager.default.removeItem(at: url)
    return [data]
  }
}

import Foundation
import PortolanSQLite

/// Looks for what edits could have broken in a geodatabase, with SQL of its own.
enum GeodatabaseAudit {
  /// The faults, one sentence each; empty when all is sound.
  static func findings(in url: URL) throws -> [String] {
    let connection = try Connection(at: url, access: .edit)
    try connection.register(collation: "ICUFOLDCASE") { $0.lowercased().compare($1.lowercased()) }
    var findings = try connection.integrityCheck()
    let tables = try connection.texts(
      """
      SELECT f_table_name || '|' || f_geometry_column FROM st_geometry_columns
      WHERE f_table_name NOT LIKE 'GDB%'
      """)
    for table in tables {
      let parts = table.split(separator: "|").map(String.init)
      findings += try spatialIndex(of: parts[0], parts[1], connection)
    }
    for table in try connection.texts(trackedTables) {
      findings += try history(of: table, connection)
    }
    findings += try objectIDs(connection)
    for suffix in ["-wal", "-shm", "-journal"] {
      let path = url.path(percentEncoded: false) + suffix
      // This connection itself may need a file in write-ahead mode.
      if suffix == "-journal", FileManager.default.fileExists(atPath: path) {
        findings.append("\(suffix) is left")
      }
    }
    return findings
  }

  private static let trackedTables = """
    SELECT name FROM sqlite_schema
    WHERE type = 'table' AND rootpage > 0 AND sql LIKE '%gdb_archive_oid%'
    """

  private static func spatialIndex(
    of table: String, _ column: String, _ connection: borrowing Connection
  ) throws -> [String] {
    let index = "st_spindex__\(table)_\(column)"
    var findings = try connection.texts("SELECT rtreecheck('\(index)')").filter { $0 != "ok" }
    // A blob with at least one vertex has a box; one without has none.
    let hasShape =
      "t.\"\(column)\" IS NOT NULL AND substr(hex(t.\"\(column)\"), 9, 8) <> '00000000'"
    findings += try connection.texts(
      """
      SELECT 'no box for row ' || t.rowid || ' of \(table)' FROM "\(table)" AS t
      WHERE \(hasShape) AND t.rowid NOT IN (SELECT pkid FROM "\(index)")
      UNION ALL SELECT 'a box without a shape: ' || r.pkid || ' of \(table)' FROM "\(index)" AS r
      WHERE r.pkid NOT IN (SELECT t.rowid FROM "\(table)" AS t WHERE \(hasShape))
      """)
    return findings
  }

  /// Docs/FORMATS.md, 2.6: of each row one version at most is current, versions do not overlap,
  /// and each begins before it ends.
  private static func history(
    of table: String, _ connection: borrowing Connection
  ) throws -> [String] {
    let registered = try connection.texts(
      "SELECT rowid_column FROM GDB_TableRegistry WHERE table_name = '\(table)' COLLATE NOCASE")
    let id = registered.first ?? "OBJECTID"
    return try connection.texts(
      """
      SELECT '\(table) ' || "\(id)" || ' has ' || count(*) || ' current versions' FROM "\(table)"
      WHERE gdb_to_date > 5373484 GROUP BY "\(id)" HAVING count(*) > 1
      UNION ALL SELECT '\(table) ' || "\(id)" || ' ends before it begins' FROM "\(table)"
      WHERE gdb_to_date <= gdb_from_date + 1e-9
      UNION ALL SELECT '\(table) ' || a."\(id)" || ' has a gap in its history'
      FROM "\(table)" AS a
      WHERE a.gdb_from_date >
          (SELECT min(b.gdb_from_date) FROM "\(table)" AS b WHERE b."\(id)" = a."\(id)")
        AND NOT EXISTS (SELECT 1 FROM "\(table)" AS b
          WHERE b."\(id)" = a."\(id)" AND b.gdb_to_date = a.gdb_from_date)
      UNION ALL SELECT '\(table) ' || a."\(id)" || ' has versions that overlap'
      FROM "\(table)" AS a JOIN "\(table)" AS b ON a."\(id)" = b."\(id)" AND a.rowid <> b.rowid
      WHERE a.gdb_from_date <= b.gdb_from_date AND a.gdb_to_date > b.gdb_from_date + 1e-10
      """)
  }

  private static func objectIDs(_ connection: borrowing Connection) throws -> [String] {
    let tables = try connection.texts(
      """
      SELECT table_name || '|' || rowid_column FROM GDB_TableRegistry
      WHERE rowid_column <> '' AND table_name NOT LIKE 'GDB%'
      """)
    var findings: [String] = []
    for table in tables {
      let parts = table.split(separator: "|").map(String.init)
      findings += try connection.texts(
        """
        SELECT '\(parts[0]) gives out ids again' FROM GDB_RowidGenerators AS g
        JOIN GDB_TableRegistry AS r ON r.registration_id = g.registration_id
        WHERE r.table_name = '\(parts[0])'
          AND g.base_id <= (SELECT max("\(parts[1])") FROM "\(parts[0])")
        """)
    }
    return findings
  }
}

extension Connection {
  /// The first column of all rows.
  fileprivate func texts(_ sql: String) throws -> [String] {
    let query = try query(sql)
    var texts: [String] = []
    while try query.step() { texts.append(query.text(at: 0)) }
    return texts
  }
}

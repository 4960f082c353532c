internal import PortolanSQLite

/// Which tables and columns tiles are in.
///
/// GeoPackages have one table with four columns. MBTiles may have the same as a view over two
/// tables, so that pictures which many addresses share are kept once (Docs/FORMATS.md, 4.2).
struct TileTableLayout: Hashable {
  /// The table that has the addresses.
  var table: String
  /// Its columns.
  var level = "zoom_level"
  var column = "tile_column"
  var row = "tile_row"
  /// The column with the tiles, in the same table or the other one.
  var data = "tile_data"
  /// The other table, if tiles are there.
  var contents: Contents?

  /// A table that tiles are in, and how its rows are found.
  struct Contents: Hashable {
    var table: String
    /// The column that says which tile it is.
    var key: String
    /// The column of the first table that names it.
    var reference: String
  }

  /// The table as SQL spells it.
  var quotedTable: String { SQLIdentifier.quoted(table) }

  /// Finds the tile at level ?1, column ?2 and row ?3.
  var lookUp: String {
    "\(selection) WHERE p.\(quoted(level)) = ?1 AND p.\(quoted(column)) = ?2 "
      + "AND p.\(quoted(row)) = ?3 LIMIT 1"
  }

  /// Finds some tile.
  var first: String { "\(selection) LIMIT 1" }

  /// Lists row number, level, column and row of tiles after ?1 – a row number, or, by address,
  /// a level, with ?2 and ?3 for column and row.
  func list(byAddress: Bool, isFirst: Bool, limit: Int) -> String {
    let address = [level, column, row].map(quoted)
    let names = address.joined(separator: ", ")
    let number = byAddress ? "0" : "rowid"
    var conditions = address.map { "typeof(\($0)) = 'integer' AND \($0) >= 0" }
    if !isFirst {
      conditions.insert(byAddress ? "(\(names)) > (?1, ?2, ?3)" : "rowid > ?1", at: 0)
    }
    return "SELECT \(number), \(names) FROM \(quotedTable) "
      + "WHERE \(conditions.joined(separator: " AND ")) "
      + "ORDER BY \(byAddress ? names : "rowid") LIMIT \(limit)"
  }

  private var selection: String {
    guard let contents else { return "SELECT p.\(quoted(data)) FROM \(quotedTable) AS p" }
    return "SELECT c.\(quoted(data)) FROM \(quotedTable) AS p JOIN \(quoted(contents.table)) AS c "
      + "ON c.\(quoted(contents.key)) = p.\(quoted(contents.reference))"
  }

  private func quoted(_ name: String) -> String { SQLIdentifier.quoted(name) }
}

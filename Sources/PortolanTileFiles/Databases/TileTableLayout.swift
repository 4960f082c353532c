internal import PortolanSQLite

/// The tables and columns that hold tiles.
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
  /// Whether addresses are stored as text, as some writers do.
  var hasTextAddresses = false

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
    let conditions = address.enumerated().map { number, name in
      let parameter = "?\(number + 1)"
      return hasTextAddresses
        ? "p.\(quoted(name)) IN (\(parameter), CAST(\(parameter) AS TEXT))"
        : "p.\(quoted(name)) = \(parameter)"
    }
    return "\(selection) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1"
  }

  /// Finds some tile.
  var first: String {
    let owner = contents == nil ? "p" : "c"
    return "\(selection) WHERE length(\(owner).\(quoted(data))) > 0 LIMIT 1"
  }

  /// Level, column and row, in this order.
  var address: [String] { [level, column, row] }

  /// How the parts of the first address are stored.
  var addressTypes: String {
    let types = address.map { "typeof(\(quoted($0)))" }
    return "SELECT \(types.joined(separator: ", ")) FROM \(quotedTable) LIMIT 1"
  }

  /// A part of an address as a number, for SQL.
  func number(in name: String) -> String {
    hasTextAddresses ? "CAST(\(quoted(name)) AS INTEGER)" : quoted(name)
  }

  /// Whether a part of an address is a whole number from 0 on, for SQL.
  func isNumber(in name: String) -> String {
    let number = number(in: name)
    let isWhole =
      hasTextAddresses
      ? "CAST(\(number) AS TEXT) = CAST(\(quoted(name)) AS TEXT)"
      : "typeof(\(number)) = 'integer'"
    return "\(isWhole) AND \(number) >= 0"
  }

  /// Lists row number, level, column and row of tiles, after those in the parameters unless it is the
  /// first list.
  ///
  /// - Parameters:
  ///   - order: The parts of the address that rows are sorted by, as places in ``address``; by the
  ///     number of the row if `nil`.
  ///   - isFirst: Whether there are no parameters, of which there is one for each part else.
  ///   - limit: How many.
  /// - Returns: The query.
  func list(order: [Int]?, isFirst: Bool, limit: Int) -> String {
    let numbers = address.map(number)
    let terms = order.map { $0.map { numbers[$0] } } ?? ["rowid"]
    var conditions = address.map(isNumber)
    if !isFirst {
      let parameters = terms.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      conditions.insert("(\(terms.joined(separator: ", "))) > (\(parameters))", at: 0)
    }
    return "SELECT \(order == nil ? "rowid" : "0"), \(numbers.joined(separator: ", ")) "
      + "FROM \(quotedTable) WHERE \(conditions.joined(separator: " AND ")) "
      + "ORDER BY \(terms.joined(separator: ", ")) LIMIT \(limit)"
  }

  private var selection: String {
    guard let contents else { return "SELECT p.\(quoted(data)) FROM \(quotedTable) AS p" }
    return "SELECT c.\(quoted(data)) FROM \(quotedTable) AS p JOIN \(quoted(contents.table)) AS c "
      + "ON c.\(quoted(contents.key)) = p.\(quoted(contents.reference))"
  }

  private func quoted(_ name: String) -> String { SQLIdentifier.quoted(name) }
}

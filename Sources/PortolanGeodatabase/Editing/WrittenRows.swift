/// The rows that a transaction has written, by table.
package struct WrittenRows {
  private var rows: [String: Table] = [:]

  private struct Table {
    let table: EditedTable
    var rowIDs: Set<Int64> = []
    /// How many rows there are more than before.
    var growth = 0
  }

  /// The tables, by name.
  package var tables: [EditedTable] { rows.sorted { $0.key < $1.key }.map(\.value.table) }

  /// How many rows of a table there are more than before.
  package func growth(of table: EditedTable) -> Int { rows[table.name]?.growth ?? 0 }

  /// The rows of a table, in order; some may be there no more.
  package func rowIDs(of table: EditedTable) -> [Int64] {
    (rows[table.name]?.rowIDs ?? []).sorted()
  }

  /// Notes that a row was written, and by how many its table has grown by that.
  package mutating func note(_ rowID: Int64, of table: EditedTable, growth: Int = 0) {
    rows[table.name, default: Table(table: table)].rowIDs.insert(rowID)
    rows[table.name]?.growth += growth
  }
}

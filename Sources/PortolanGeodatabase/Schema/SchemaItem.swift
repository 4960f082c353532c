package import PortolanSQLite

/// A table or view of a file.
///
/// Views that name subqueries are left out: these may call themselves without end.
package struct SchemaItem: Sendable {
  /// The name as it was created.
  package let name: String
  package let isView: Bool

  /// Finds a table or view by its name, without case; `nil` if there is none.
  package static func read(
    _ table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> SchemaItem? {
    let query = try connection.query(
      """
      SELECT name, type = 'view' FROM sqlite_schema
      WHERE name = ? COLLATE NOCASE AND (type = 'table'
        OR type = 'view' AND NOT (' ' || replace(sql, char(10), ' ') LIKE '% with %'))
      """, .text(table))
    guard try query.step() else { return nil }
    return SchemaItem(name: query.text(at: 0), isView: query.integer(at: 1) != 0)
  }

  /// The columns; none of a view of what is not there.
  package func columns(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TableColumn] {
    do { return try SystemTables.columns(of: name, connection) } catch {
      guard isView, error.code == .sql else { throw error }
      return []
    }
  }

  /// Whether SQLite numbers the rows.
  package func hasRowID(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
    guard !isView else { return false }
    let sql = "SELECT rowid FROM \(SQLIdentifier.quoted(name)) LIMIT 0"
    guard let query = try connection.optionalQuery(sql) else { return false }
    return try !query.step()
  }
}

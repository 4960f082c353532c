internal import PortolanFeatures
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
      SELECT name, type = 'view', sql FROM sqlite_schema
      WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')
      """, .text(table))
    guard try query.step() else { return nil }
    let isView = query.integer(at: 1) != 0
    guard !isView || !namesSubqueries(query.text(at: 2)) else { return nil }
    return SchemaItem(name: query.text(at: 0), isView: isView)
  }

  /// Why a view cannot be read as a table; `nil` if there is no view of that name.
  static func gap(
    of view: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableGap? {
    let name = TableName.unqualified(view)
    let query = try connection.query(
      "SELECT name, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type = 'view'",
      .text(name))
    guard try query.step() else { return nil }
    return TableGap(
      table: query.text(at: 0),
      namesSubqueries(query.text(at: 1)) ? .viewOfSubqueries : .brokenView)
  }

  /// Whether the word that begins the list of named subqueries is in the SQL of a view, be it in a text.
  private static func namesSubqueries(_ sql: String) -> Bool {
    sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("with")
  }

  /// The columns; none of a view of what is not there.
  package func columns(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TableColumn] {
    // A view may select from another.
    if isView { try connection.allowViews() }
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

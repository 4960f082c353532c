internal import PortolanFeatures
package import PortolanSQLite

/// A table or view of a file.
///
/// Views that name subqueries are left out, as are views of these: they may call themselves without end.
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
    let item = SchemaItem(name: query.text(at: 0), isView: query.integer(at: 1) != 0)
    guard item.isView else { return item }
    return try namesSubqueries(query.text(at: 2), of: item.name, connection) ? nil : item
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
    let table = query.text(at: 0)
    let isOfSubqueries = try namesSubqueries(query.text(at: 1), of: table, connection)
    return TableGap(table: table, isOfSubqueries ? .viewOfSubqueries : .brokenView)
  }

  /// Whether the word that begins the list of named subqueries is in the SQL of a view, be it in a text, or
  /// in that of a view that it names.
  private static func namesSubqueries(
    _ sql: String, of view: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    var others = try viewsBesideSubqueries(connection)
    others[view.lowercased()] = nil
    var unread = [sql.lowercased()]
    while let sql = unread.popLast() {
      let words = Set(sql.split { !isOfWord($0) }.map(String.init))
      if words.contains("with") { return true }
      for (name, sqlOfView) in others
      where words.contains(name) || !name.allSatisfy(isOfWord) && sql.contains(name) {
        others[name] = nil
        unread.append(sqlOfView.lowercased())
      }
    }
    return false
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The SQL of all views by their names in lower case; none where no view may name subqueries.
  private static func viewsBesideSubqueries(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String: String] {
    let first = try connection.query(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%with%' LIMIT 1")
    guard try first.step() else { return [:] }
    let query = try connection.query("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
    var views: [String: String] = [:]
    while try query.step() { views[query.text(at: 0).lowercased()] = query.text(at: 1) }
    return views
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

  /// The names by which SQLite numbers the rows and which no column has, in the order in which to use them.
  ///
  /// None where SQLite does not number the rows, or columns have all of these names.
  package func rowIDNames(_ connection: borrowing Connection) throws(DatabaseError) -> [String] {
    guard !isView else { return [] }
    let columns = try connection.query(
      "SELECT lower(name) FROM pragma_table_xinfo(?)", .text(name))
    var taken: Set<String> = []
    while try columns.step() { taken.insert(columns.text(at: 0)) }
    let names = ["_rowid_", "rowid", "oid"].filter { !taken.contains($0) }
    guard let first = names.first else { return [] }
    let sql = "SELECT \(first) FROM \(SQLIdentifier.quoted(name)) LIMIT 0"
    guard let query = try connection.optionalQuery(sql) else { return [] }
    return try query.step() ? [] : names
  }
}

internal import Foundation
internal import PortolanSQLite

/// The small tables of a SQLite file that describe what it holds, read at one moment.
final class MetadataTables {
  private let connection: Connection
  /// The names of the tables and views, in lower case.
  private let names: Set<String>

  /// Opens a file; see ``PortolanSQLite/Database/Access/readOnly``.
  ///
  /// - Throws: `DatabaseError` if it is absent, unreadable or no database.
  init(at url: URL) throws(DatabaseError) {
    connection = try Connection(at: url, access: .readOnly)
    // One transaction locks the file once, instead of once for each table.
    try connection.execute("BEGIN")
    names = try Self.names(on: connection)
  }

  private static func names(
    on connection: borrowing Connection
  ) throws(DatabaseError) -> Set<String> {
    let query = try connection.query(
      "SELECT lower(name) FROM sqlite_schema WHERE type IN ('table', 'view')")
    var names: Set<String> = []
    while try query.step() { names.insert(query.text(at: 0)) }
    return names
  }

  /// Whether there is a table or view of that name, in whatever case.
  func declares(_ name: String) -> Bool { names.contains(name.lowercased()) }

  /// Some columns of the rows of a table, in the order of their ids.
  ///
  /// - Parameters:
  ///   - table: Its name, in whatever case.
  ///   - columns: The names of the columns, likewise.
  ///   - limit: The most rows that are read.
  /// - Returns: The rows; `nil` if there is no table of that name or it lacks a column.
  /// - Throws: `DatabaseError` if the table cannot be read.
  func rows(
    of table: String, _ columns: [String], limit: Int = 10_000
  ) throws(DatabaseError) -> [[SQLValue]]? {
    guard declares(table) else { return nil }
    let list = columns.map { "t.\(SQLIdentifier.quoted($0))" }.joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(SQLIdentifier.quoted(table)) AS t"
    // Tables without row ids have an order of their own.
    for order in [" ORDER BY t.rowid", ""] {
      do throws(DatabaseError) {
        let query = try connection.query(sql + order + " LIMIT \(limit)")
        var rows: [[SQLValue]] = []
        while try query.step() { rows.append(columns.indices.map { query[$0] }) }
        return rows
      } catch  where error.code == .sql {
        // The SQL is our own and right, so it is the file that lacks something.
        continue
      }
    }
    return nil
  }
}

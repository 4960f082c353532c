public import struct Foundation.URL

/// Small tables of a SQLite file, read from its pages where that is possible, else by SQLite.
///
/// For what only says what a file is, such as the metadata of a thousand files in a folder, for each
/// of which SQLite would parse the whole schema first. Of a file that is damaged elsewhere, tables
/// are read that SQLite would refuse with all of the file.
public final class SmallTables {
  private let url: URL
  private let pages: DatabasePages?
  private var connection: OpenedConnection?

  /// Opens a file; see ``Database/Access/forReading(_:)``.
  ///
  /// - Throws: ``DatabaseError`` if it is absent, unreadable or no database.
  public init(at url: URL) throws(DatabaseError) {
    self.url = url
    do { pages = try DatabasePages(at: url) } catch {
      pages = nil
      connection = try OpenedConnection(url)
    }
  }

  /// Whether everything so far came from the pages.
  var isReadDirectly: Bool { connection == nil }

  /// The rows of a table in the order of their ids, of each the values of some columns.
  ///
  /// - Parameters:
  ///   - table: Its name, of which the case of letters does not matter.
  ///   - columns: The names of the columns, likewise.
  ///   - limit: The most rows that are read.
  /// - Returns: The rows; `nil` if there is no table of that name or it lacks a column.
  /// - Throws: ``DatabaseError`` if the table cannot be read.
  public func rows(
    of table: String, _ columns: [String], limit: Int = 10_000
  ) throws(DatabaseError) -> [[SQLValue]]? {
    if connection == nil, pages != nil {
      do throws(PageError) {
        return try pages?.rows(of: table, columns, limit: limit)
      } catch {
        // Whatever it is, SQLite knows.
        connection = try OpenedConnection(url)
      }
    }
    return try connection?.rows(of: table, columns, limit: limit)
  }

  /// Whether the schema has something of that name, of which the case of letters does not matter.
  ///
  /// - Throws: ``DatabaseError`` if the schema cannot be read.
  public func declares(_ name: String) throws(DatabaseError) -> Bool {
    if connection == nil, pages != nil {
      do throws(PageError) {
        if let isDeclared = try pages?.declares(name) { return isDeclared }
      } catch {
        connection = try OpenedConnection(url)
      }
    }
    return try connection?.declares(name) ?? false
  }
}

/// A connection that a class can hold.
private final class OpenedConnection {
  private let connection: Connection

  init(_ url: URL) throws(DatabaseError) {
    connection = try Connection(at: url, access: .forReading(url))
  }

  func declares(_ name: String) throws(DatabaseError) -> Bool {
    try connection.query(
      "SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", .text(name)
    ).step()
  }

  func rows(
    of table: String, _ columns: [String], limit: Int
  ) throws(DatabaseError) -> [[SQLValue]]? {
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

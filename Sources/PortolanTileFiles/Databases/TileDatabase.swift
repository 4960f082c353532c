internal import Foundation
internal import PortolanArchives
internal import PortolanSQLite
internal import PortolanTiles
internal import Synchronization

/// A database that tiles are read from, by one thread at a time; others wait, for a tile takes
/// microseconds.
final class TileDatabase: Sendable {
  /// The path, for messages.
  let name: String
  private let connection: Mutex<Connection>

  /// The most of a file that is mapped; SQLite reads what lies beyond through system calls.
  private static let maximumMappedSize = 1 << 40

  /// Opens a file; see ``Database/Access/readOnly``.
  init(at url: URL, access: FileByteSource.Access) throws(TileError) {
    name = url.path(percentEncoded: false)
    do {
      connection = Mutex(
        try Connection(
          at: url, access: .readOnly,
          mappedSize: access == .mapped ? Self.maximumMappedSize : 0))
    } catch {
      throw TileError(error, file: url.path(percentEncoded: false))
    }
  }

  /// Opens a database inside another file.
  init(at region: FileRegion) throws(TileError) {
    name = region.url.path(percentEncoded: false)
    do { connection = Mutex(try Connection(at: region)) } catch {
      throw TileError(error, file: region.url.path(percentEncoded: false))
    }
  }

  /// Lends the connection.
  func read<T: Sendable>(
    _ body: (borrowing Connection) throws(DatabaseError) -> T
  ) throws(TileError) -> T {
    do throws(DatabaseError) {
      return try connection.withLock { connection throws(DatabaseError) in try body(connection) }
    } catch {
      throw TileError(error, file: name)
    }
  }

  /// The rows of a short table, each a value for each column.
  ///
  /// - Parameters:
  ///   - sql: A query.
  ///   - values: What is bound to its parameters.
  ///   - limit: How many rows are read.
  /// - Returns: The rows.
  /// - Throws: ``TileError`` if there is no such table or it cannot be read.
  func rows(
    _ sql: String, _ values: SQLValue..., limit: Int = 10_000
  ) throws(TileError) -> [[SQLValue]] {
    try read { connection throws(DatabaseError) in
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      var rows: [[SQLValue]] = []
      while rows.count < limit, try query.step() {
        rows.append((0..<query.columnCount).map { query[$0] })
      }
      return rows
    }
  }

  /// The declaration of a name: `table` or `view` with its SQL, or `nil`.
  func declaration(of name: String) throws(TileError) -> (type: String, sql: String)? {
    let rows = try rows(
      "SELECT type, sql FROM sqlite_schema WHERE lower(name) = lower(?1) AND type IN "
        + "('table', 'view')", .text(name), limit: 1)
    return rows.first.map { ($0[0].text ?? "", $0[1].text ?? "") }
  }

  /// Whether there is a table of that name whose rows are its own.
  func hasTable(_ name: String) throws(TileError) -> Bool {
    guard let (type, sql) = try declaration(of: name), type == "table" else { return false }
    return !sql.uppercased().hasPrefix("CREATE VIRTUAL")
  }

  /// Whether SQLite numbers the rows of a table.
  func hasRowID(_ table: String) throws(TileError) -> Bool {
    try read { connection throws(DatabaseError) in
      do throws(DatabaseError) {
        let query = try connection.query("SELECT rowid FROM \(SQLIdentifier.quoted(table)) LIMIT 0")
        return try !query.step()
      } catch {
        guard error.code == .sql else { throw error }
        return false
      }
    }
  }

  /// The columns of a table, in lower case.
  func columns(of table: String) throws(TileError) -> [String] {
    try rows("SELECT lower(name) FROM pragma_table_info(?1)", .text(table)).compactMap(\.[0].text)
  }
}

extension SQLValue {
  /// The text, if it is one.
  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one.
  var integer: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }

  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

extension TileError {
  /// The error that a failed SQLite call means for a caller of this module.
  init(_ error: DatabaseError, file: String) {
    switch error.code {
    case .interrupted: self = .cancelled
    case .cannotOpen, .inputOutput, .busy: self = .unreadable(file: file, reason: error.message)
    case .full, .readOnly: self = .unwritable(file: file, reason: error.message)
    case .notADatabase:
      self = .unsupported(file: file, reason: "it is no SQLite database")
    default: self = .damaged(file: file, place: "the database", reason: error.message)
    }
  }
}

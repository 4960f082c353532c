internal import Foundation
internal import PortolanSQLite

/// What can still be read in a damaged catalogue, row by row, as far as the damage in each table.
enum SalvagedCatalogue {
  /// Makes a catalogue of what can still be read in another, in a single file without a journal.
  ///
  /// Columns that an older catalogue lacks stay empty, as after bringing it up to date; records that
  /// cannot be understood are copied as they are.
  ///
  /// - Parameters:
  ///   - damaged: The catalogue; what is no database at all holds nothing.
  ///   - url: The new one, in the same folder; nothing is there yet.
  /// - Throws: `DatabaseError` or ``LibraryError`` if the new one cannot be written.
  static func copy(_ damaged: URL, to url: URL) async throws {
    // Not in write-ahead mode yet, in which it would take twice the space until it is closed.
    let database = try Database(at: url, access: .create)
    try await StorageSchema.migrate(database, file: url)
    try await database.write { target in
      try target.setApplicationID(StorageSchema.unlistedMaps)
      try upToDamage { () throws(DatabaseError) in
        let source = try Connection(at: damaged, access: .readOnly)
        for table in StorageSchema.tables { try copy(table, from: source, to: target) }
        try copyNumbers(from: source, to: target)
      }
    }
  }

  private static func copy(
    _ table: String, from source: borrowing Connection, to target: borrowing Connection
  ) throws(DatabaseError) {
    let known = try columns(of: table, in: target)
    try upToDamage { () throws(DatabaseError) in
      let columns = try columns(of: table, in: source).filter(known.contains)
      guard !columns.isEmpty else { return }
      let names = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
      let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      let rows = try source.query("SELECT \(names) FROM \(table)")
      let insert = try target.query(
        "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))")
      while try rows.step() {
        for index in columns.indices { try insert.bind(rows[index], at: index + 1) }
        _ = try insert.step()
        insert.reset()
      }
    }
  }

  /// More than is ever counted; nothing could be numbered after the largest that SQLite knows.
  private static let largestNumber: Int64 = 1 << 48

  /// Has numbers go on where they were: processes that are running know which requests they have answered by
  /// their numbers, and would take new ones for those.
  private static func copyNumbers(
    from source: borrowing Connection, to target: borrowing Connection
  ) throws(DatabaseError) {
    // The first catalogues number nothing.
    guard try columns(of: "sqlite_sequence", in: source).contains("seq") else { return }
    let rows = try source.query("SELECT name, seq FROM sqlite_sequence")
    while try rows.step() {
      let (name, last) = (SQLValue.text(rows.text(at: 0)), rows.integer(at: 1))
      let present = try target.query("SELECT seq FROM sqlite_sequence WHERE name = ?1", name)
      let known = try present.step() ? present.integer(at: 0) : 0
      present.reset()
      guard known < last, last < largestNumber else { continue }
      try target.execute("DELETE FROM sqlite_sequence WHERE name = ?1", name)
      try target.execute(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", name, .integer(last))
    }
  }

  /// Reads until there is no going on; what else keeps it from being read is no damage, and thrown.
  private static func upToDamage(
    _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    do { try body() } catch {
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
    }
  }

  private static func columns(
    of table: String, in connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    let query = try connection.query("SELECT name FROM pragma_table_info(?1)", .text(table))
    var columns: [String] = []
    while try query.step() { columns.append(query.text(at: 0)) }
    return columns
  }
}

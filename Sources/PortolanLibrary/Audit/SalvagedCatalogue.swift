internal import Foundation
internal import PortolanSQLite

/// The readable part of a damaged catalogue, row by row, from either end of each table up to the
/// damage.
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
      guard try isNumbered(table, in: source) else {
        var last: Int64 = 0
        return try copyRows(of: table, columns, "0", "", &last, from: source, to: target)
      }
      var last = Int64.min
      do throws(DatabaseError) {
        try copyRows(
          of: table, columns, "rowid", "ORDER BY rowid", &last, from: source, to: target)
      } catch {
        guard isDamage(error) else { throw error }
        // What lies behind the damage, from the end.
        try copyRows(
          of: table, columns, "rowid", "WHERE rowid > \(last) ORDER BY rowid DESC", &last,
          from: source, to: target)
      }
    }
  }

  /// Copies rows one by one; `last` is the number of the last one, also where there is no going on.
  private static func copyRows(
    of table: String, _ columns: [String], _ number: String, _ selection: String,
    _ last: inout Int64, from source: borrowing Connection, to target: borrowing Connection
  ) throws(DatabaseError) {
    var names = columns.map(SQLIdentifier.quoted)
    let rows = try source.query(
      "SELECT \(names.joined(separator: ", ")), \(number) FROM \(table) \(selection)")
    // Rows that are in the order of their numbers stay so; where a column holds the number it is copied with it.
    if number == "rowid", !columns.contains("number") { names.append(number) }
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = try target.query(
      "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    while try rows.step() {
      for index in names.indices { try insert.bind(rows[index], at: index + 1) }
      _ = try insert.step()
      insert.reset()
      last = rows.integer(at: columns.count)
    }
  }

  /// Whether the rows of a table have numbers, by which it can be read from its end.
  private static func isNumbered(
    _ table: String, in connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    try connection.query(
      """
      SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND type = 'table' AND wr = 0
      """, .text(table)
    ).step()
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
      guard isDamage(error) else { throw error }
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    error.code == .corrupt || error.code == .notADatabase
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

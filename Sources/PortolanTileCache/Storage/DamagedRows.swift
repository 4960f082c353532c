internal import PortolanSQLite

/// Recovers the readable rows of a damaged database.
struct DamagedRows: ~Copyable {
  /// How many rows are read at a time.
  private static let batchSize = 256
  /// No table has as many rows.
  private static let lastRow = Int64(1) << 40

  private let connection: Connection

  /// Reads what `connection` leads to.
  init(_ connection: consuming Connection) { self.connection = connection }

  /// Reads rows until there is no more or the next is damaged.
  ///
  /// - Returns: Whether all were read.
  func read(
    _ sql: String, _ values: SQLValue..., row: (borrowing Query) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      while try query.step() { try row(query) }
      return true
    } catch  where error.code == .corrupt || error.code == .inputOutput {
      return false
    }
  }

  /// Reads the rows of a table in the order of their numbers, past pages that are damaged.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: What is read of it besides the number, which comes first.
  ///   - row: Reads a row.
  ///   - batch: Takes what some rows were, a limited number at a time.
  /// - Returns: Whether all were read.
  /// - Throws: What `row` or `batch` throws, and ``DatabaseError`` for what is no damage.
  func readAll<T>(
    of table: String, _ columns: String, row: (borrowing Query) throws(DatabaseError) -> T,
    batch: ([T]) throws -> Void
  ) throws -> Bool {
    var (first, isWhole) = (Int64(1), true)
    while true {
      var rows: [T] = []
      let isReadable = try read(
        "SELECT id, \(columns) FROM \(table) WHERE id >= ?1 ORDER BY id LIMIT ?2",
        .integer(first), .integer(Int64(Self.batchSize))
      ) { query throws(DatabaseError) in
        rows.append(try row(query))
        first = query.integer(at: 0) + 1
      }
      if !rows.isEmpty { try batch(rows) }
      if isReadable, rows.isEmpty { return isWhole }
      guard !isReadable else { continue }
      isWhole = false
      guard let next = try nextPlace(in: table, after: first) else { return false }
      first = next
    }
  }

  /// Where reading continues behind a damaged page: that is looked for ever further on, then back to the
  /// end of the page.
  private func nextPlace(in table: String, after bad: Int64) throws(DatabaseError) -> Int64? {
    var (low, step) = (bad, Int64(1))
    while try !canRead(table, from: low + step) {
      low += step
      step *= 2
      guard low < Self.lastRow else { return nil }
    }
    var high = low + step
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try canRead(table, from: middle) { high = middle } else { low = middle }
    }
    return high
  }

  private func canRead(_ table: String, from place: Int64) throws(DatabaseError) -> Bool {
    try read("SELECT id FROM \(table) WHERE id >= ?1 ORDER BY id LIMIT 1", .integer(place)) { _ in }
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Gives each transaction its moment: one for all its rows, and later than all before it.
///
/// Moments are whole milliseconds, as SQLite's own are, so that two of them differ by more than
/// the billionth of a day to which files compare. Where the clock stands still or was set back,
/// the next moment is a millisecond after the last.
///
/// - SeeAlso: Docs/FORMATS.md, 2.6
struct TransactionClock {
  /// The last moment, in milliseconds from the first Julian day; `nil` until it is looked up.
  private var last: Int64?

  /// The moment of a transaction that begins, as a Julian day.
  mutating func begin(_ file: EditedFile, at now: Date) throws(FeatureEditError) -> Double {
    let known = if let last { last } else { try Self.lastMoment(in: file) }
    let clock = (now.timeIntervalSince1970 * 1000).rounded() + Self.unixEpoch
    // A clock beyond the calendar is no clock.
    let moment = max(known + 1, Int64(exactly: min(clock, Self.lastRealMoment)) ?? 0)
    last = moment
    return Double(moment) / Self.millisecondsPerDay
  }

  /// Forgets the last moment, since another connection has changed the file.
  mutating func forget() { last = nil }

  /// The last moment in the histories of all tables.
  private static func lastMoment(in file: EditedFile) throws(FeatureEditError) -> Int64 {
    var last: Int64 = 0
    // An edit that is no later than the last synchronization would not count as one.
    let history = LocalHistory(file)
    if let sync = try history.lastSync() {
      let moment = max(
        sync.timeIntervalSince1970 * 1000 + Double(unixEpoch),
        try history.lastSyncedDay() * millisecondsPerDay)
      last = Int64(exactly: min(moment, lastRealMoment).rounded(.up)) ?? 0
    }
    for table in try file.tablesWithHistory() {
      for day in try file.lastDays(inHistoryOf: table) {
        let moment = (day * millisecondsPerDay).rounded(.up)
        guard moment < lastRealMoment else {
          throw .damaged(
            file: file.path, place: "the history of \(table)",
            reason: "a row begins at the end of time")
        }
        last = max(last, Int64(moment))
      }
    }
    return last
  }

  private static let millisecondsPerDay = 86_400_000.0
  private static let unixEpoch = 210_866_760_000_000.0
  /// A day before the end of time.
  private static let lastRealMoment = (JulianDay.endOfTime - 1) * millisecondsPerDay
}

extension EditedFile {
  /// When the last row of a history began and when the last one ended, as Julian days.
  func lastDays(inHistoryOf table: String) throws(FeatureEditError) -> [Double] {
    let name = SQLIdentifier.quoted(table)
    let rows = try rows(
      """
      SELECT max(gdb_from_date) FROM \(name)
      UNION ALL SELECT max(gdb_to_date) FROM \(name)
        WHERE gdb_to_date < \(JulianDay.endOfTime - 1e-9)
      """, in: "the history of \(table)")
    return rows.compactMap { row in
      if case .real(let day)? = row.first { day } else { nil }
    }
  }

  /// The name by which SQLite numbers the rows of a table; `nil` if it does not.
  func rowIDName(of table: String) throws(FeatureEditError) -> String? {
    try doing("the table \(table)") { connection throws(DatabaseError) -> String? in
      guard let item = try SchemaItem.read(table, connection) else { return nil }
      return try item.rowIDNames(connection).first
    }
  }

  /// The tables that keep their history.
  func tablesWithHistory() throws(FeatureEditError) -> [String] {
    // The columns of virtual tables cannot be asked for where their module is not here.
    let rows = try rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
        AND lower(sql) LIKE '%gdb_archive_oid%'
      """, in: "the list of tables")
    var names: [String] = []
    for case .text(let name)? in rows.map(\.first) {
      let storage = try reading { reader throws(FeatureStoreError) in
        try reader.storage(of: name)
      }
      if storage.isTracked { names.append(storage.name) }
    }
    return names
  }
}

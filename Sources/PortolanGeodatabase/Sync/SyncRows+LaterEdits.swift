internal import PortolanFeatures
internal import PortolanSQLite

/// Tells what another program has made of a row during an upload from what was sent: by the clock of that
/// program it may have been earlier.
extension SyncRows {
  /// The last row of each table with a history, by the table's name; none of foreign tables whose rows SQLite
  /// does not number, of which nothing is sent.
  static func lastRows(in file: EditedFile) throws(FeatureEditError) -> [String: Int64] {
    var last: [String: Int64] = [:]
    for name in try file.tablesWithHistory() {
      guard let number = try file.rowIDName(of: name) else { continue }
      let rows = try file.rows(
        "SELECT max(\(number)) FROM \(SQLIdentifier.quoted(name))", in: "the history of \(name)")
      if case .integer(let id)? = rows.first?.first { last[name] = id }
    }
    return last
  }

  /// Dates what was made of a row since its edits were sent after the moment of that, so that it is an edit
  /// of later.
  ///
  /// - Parameters:
  ///   - objectID: The row.
  ///   - table: Its table.
  ///   - last: The last row of the history when the edits were sent.
  ///   - moment: The Julian day up to which edits were sent.
  ///   - wasDeleted: Whether the row was deleted by what was sent.
  /// - Returns: Whether the history still has what was sent; if not, nothing of it can count as received.
  /// - Throws: `FeatureEditError` if the history can be neither read nor written.
  func keepLaterEdits(
    of objectID: Int64, in table: EditedTable, after last: Int64, at moment: Double,
    wasDeleted: Bool
  ) throws(FeatureEditError) -> Bool {
    let (start, end) = (since + LocalHistory.tolerance, moment + LocalHistory.tolerance)
    let versions = try versions(of: objectID, in: table)
    let current = versions.first { $0.from <= end && $0.to > end }
    // What this program has done since is dated later anyway.
    guard current.map({ $0.rowID > last }) ?? !wasDeleted else { return true }
    let sent = versions.filter { $0.rowID <= last && $0.from > start }
      .max { $0.rowID < $1.rowID }
    guard let sent else { return false }
    // Between that moment and the next transaction of this program.
    let later = moment + Self.millisecond / 2
    if !wasDeleted { try setDates(of: sent.rowID, in: table, from: sent.from, to: later) }
    if let current {
      try setDates(of: current.rowID, in: table, from: later, to: current.to)
    }
    return true
  }
}

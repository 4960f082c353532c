internal import PortolanFeatures
internal import PortolanSQLite

// The versions of a row that the archive of its table has.
extension SyncRows {
  /// A version of a row, and the Julian days from and up to which it held.
  struct Version {
    let rowID: Int64
    let from: Double
    let to: Double
  }

  func versions(
    of objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) -> [Version] {
    try file.rows(
      """
      SELECT \(table.rowNumber), gdb_from_date, gdb_to_date FROM \(table.storage.quotedName)
      WHERE \(SQLIdentifier.quoted(table.storage.objectIDColumn)) = ?1 ORDER BY gdb_from_date
      """, [.integer(objectID)], in: "the history of \(table.name)"
    ).compactMap { row in
      guard case .integer(let id) = row[0], case .real(let from) = row[1],
        case .real(let to) = row[2]
      else { return nil }
      return Version(rowID: id, from: from, to: to)
    }
  }

  /// Takes the edits of a row up to a moment for what the service has.
  func settle(
    _ objectID: Int64, of table: EditedTable, upTo moment: Double
  ) throws(FeatureEditError) {
    let (start, end) = (since + Self.tolerance, moment + Self.tolerance)
    let versions = try versions(of: objectID, in: table)
    for version in versions where version.to > start && version.to <= end {
      try writer.erase(version.rowID, of: table)
    }
    for version in versions where version.from > start && version.from <= end && version.to > end {
      // The end stays, and with it the indexes that it is in.
      try file.run(
        "UPDATE OR ABORT \(table.storage.quotedName) SET gdb_from_date = ?1 WHERE \(table.rowNumber) = ?2",
        [.real(since), .integer(version.rowID)], in: "the history of \(table.name)")
    }
  }

  /// Whether a row was edited since the last synchronization.
  func isEdited(_ objectID: Int64, in table: EditedTable) throws(FeatureEditError) -> Bool {
    try versions(of: objectID, in: table).contains { $0.from > since + Self.tolerance }
  }

  /// Gives up the edits of a row for what it was when it was synchronized.
  func revert(_ objectID: Int64, of table: EditedTable) throws(FeatureEditError) {
    let start = since + Self.tolerance
    let versions = try versions(of: objectID, in: table)
    for version in versions where version.from > start {
      try writer.erase(version.rowID, of: table)
    }
    for version in versions where version.from <= start && version.to > start {
      try setDates(of: version.rowID, in: table, from: version.from, to: JulianDay.endOfTime)
    }
  }

  /// Forgets what a row was when it was synchronized, so that it counts as a new one.
  func makeNew(_ objectID: Int64, of table: EditedTable) throws(FeatureEditError) {
    let start = since + Self.tolerance
    for version in try versions(of: objectID, in: table)
    where version.from <= start && version.to > start {
      if version.to < JulianDay.endOfTime - 1 {
        try writer.erase(version.rowID, of: table)
      } else {
        let moment = max(since, try Self.lastMoment(in: file)) + Self.millisecond
        try setDates(of: version.rowID, in: table, from: moment, to: version.to)
      }
    }
  }

  /// Dates all that is later than a moment with it, where nothing is an edit: the clock was ahead when that
  /// was written, and what other programs edit from now on would be earlier.
  ///
  /// - Returns: Whether that could be done; if not, everything is as it was.
  func dateBack(to moment: Double) throws(FeatureEditError) -> Bool {
    var tables: [EditedTable] = []
    for name in try file.tablesWithHistory() {
      guard try file.rowIDName(of: name) != nil else { return false }
      // Others that cannot be edited have dates, too.
      do throws(FeatureEditError) { tables.append(try file.writtenTable(name)) } catch {
        guard case .tableNotEditable = error else { throw error }
        return false
      }
    }
    let (start, end) = (moment + Self.tolerance, JulianDay.endOfTime - Self.tolerance)
    for table in tables {
      let place = "the history of \(table.name)"
      // What is no more would have been there at that moment, and count as removed since.
      let closed = try file.rows(
        """
        SELECT \(table.rowNumber) FROM \(table.storage.quotedName) WHERE gdb_to_date > ?1 AND gdb_to_date < ?2
        """, [.real(start), .real(end)], in: place)
      for case .integer(let rowID)? in closed.map(\.first) {
        try writer.erase(rowID, of: table)
      }
      try file.run(
        """
        UPDATE OR ABORT \(table.storage.quotedName) SET gdb_from_date = ?1 WHERE gdb_from_date > ?2
        """, [.real(moment), .real(start)], in: place)
    }
    return true
  }

  func setDates(
    of rowID: Int64, in table: EditedTable, from: Double, to: Double
  ) throws(FeatureEditError) {
    try file.run(
      """
      UPDATE OR ABORT \(table.storage.quotedName) SET gdb_from_date = ?1, gdb_to_date = ?2
      WHERE \(table.rowNumber) = ?3
      """, [.real(from), .real(to), .integer(rowID)], in: "the history of \(table.name)")
  }

  /// The last moment in the history of any table.
  static func lastMoment(in file: EditedFile) throws(FeatureEditError) -> Double {
    var last = 0.0
    for table in try file.tablesWithHistory() {
      for day in try file.lastDays(inHistoryOf: table) { last = max(last, day) }
    }
    return last
  }

  /// Gives a feature the key back that it had when it was synchronized; if nothing else was edited, it
  /// is as it was then.
  func restore(
    _ column: String, of objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) {
    let start = since + Self.tolerance
    let versions = try versions(of: objectID, in: table)
    guard let current = versions.last, current.to >= JulianDay.endOfTime - 1,
      let base = versions.last(where: { $0.from <= start && $0.to > start }),
      base.rowID != current.rowID
    else { return }
    let name = table.storage.quotedName
    try file.run(
      """
      UPDATE OR ABORT \(name) SET \(SQLIdentifier.quoted(column)) = (
        SELECT b.\(SQLIdentifier.quoted(column)) FROM \(name) AS b WHERE b.\(table.rowNumber) = ?1)
      WHERE \(table.rowNumber) = ?2
      """, [.integer(base.rowID), .integer(current.rowID)], in: "the rows of \(table.name)")
    let dates = TableStorage.trackingColumns
    let isSame = table.plainColumns.filter { !dates.contains($0.lowercased()) }
      .map(SQLIdentifier.quoted).map { "a.\($0) IS b.\($0)" }.joined(separator: " AND ")
    let same = try file.rows(
      """
      SELECT 1 FROM \(name) AS a, \(name) AS b
      WHERE a.\(table.rowNumber) = ?1 AND b.\(table.rowNumber) = ?2 AND \(isSame)
      """, [.integer(base.rowID), .integer(current.rowID)], in: "the rows of \(table.name)")
    if !same.isEmpty { try revert(objectID, of: table) }
  }
}

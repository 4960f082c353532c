internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite
internal import PortolanXML

/// Finds, in the archives of tables and in the journal of edits of those without one, what was
/// changed since they were synchronized last.
///
/// A row was there at that moment if one of its versions was valid then; it is there now if one is
/// current. Which of the two hold says whether it was added, deleted, or, if its current version
/// began later, changed.
///
/// - SeeAlso: Docs/FORMATS.md, 2.6
struct LocalHistory {
  private let file: EditedFile

  init(_ file: EditedFile) { self.file = file }

  /// The changes, by table.
  func changes(orderOfTables: [String]) throws(FeatureEditError) -> LocalChanges {
    let journaled = try EditJournal(file).changes()
    let (lastSync, since) = (try lastSync(), try lastSyncedDay())
    var changes: [RowChange] = []
    var withoutHistory: [String] = []
    for name in orderOfTables {
      guard let table = try editableTable(name) else {
        // Other software has changed it since: what was edited before has not been sent by that.
        changes += journaled.filter { $0.table.isSameName(as: name) }
        continue
      }
      if table.storage.isTracked {
        changes += try rowChanges(of: table, since: since)
      } else {
        withoutHistory.append(name)
        changes += journaled.filter { $0.attachment == nil && $0.table.isSameName(as: name) }
      }
      changes += try attachmentChanges(of: table, since: since, journaled)
    }
    // Nor by removing or renaming a table.
    let gone = journaled.filter { entry in
      !orderOfTables.contains { $0.isSameName(as: entry.table) }
    }
    changes += gone
    let order = orderOfTables + Set(gone.map { $0.table.lowercased() }).sorted()
    return LocalChanges(
      lastSync: lastSync,
      changes: LocalChange.merged(changes, orderOfTables: order),
      tablesWithoutHistory: withoutHistory)
  }

  /// A table; `nil` if it cannot be edited, for the journal alone says what was changed in it then.
  private func editableTable(_ name: String) throws(FeatureEditError) -> EditedTable? {
    do throws(FeatureEditError) {
      return try file.table(name)
    } catch {
      if case .tableNotEditable = error { return nil }
      throw error
    }
  }

  // MARK: - Last sync

  /// When the file was synchronized last; `nil` if it never was, or belongs to no service.
  func lastSync() throws(FeatureEditError) -> Date? {
    let definitions = try file.doing("the list of items") { connection throws(DatabaseError) in
      try SystemTables.definitions(ofTypes: [.syncReplica], connection)
    }
    // Where there are several, the earliest hides no change.
    let dates = definitions.compactMap { item -> Date? in
      // What cannot be parsed says nothing; then everything since the download counts.
      guard let root = try? XMLElement(parsing: item.definition),
        let text = root.text(of: "LastSyncDate")
      else { return nil }
      return CivilDate(parsing: text)?.date
    }
    guard let earliest = dates.min(),
      JulianDay.day(earliest) > JulianDay.beginningOfTime + Self.tolerance
    else { return nil }
    return earliest
  }

  /// The Julian day after which what the histories hold is an edit; the beginning of time if the file was
  /// never synchronized.
  ///
  /// The clock may have been ahead when it was, and what other programs have edited since would be earlier:
  /// where it was noted how far the histories went then, that counts.
  func lastSyncedDay() throws(FeatureEditError) -> Double {
    guard let lastSync = try lastSync() else { return JulianDay.beginningOfTime }
    // Another program that has synchronized since has left another date.
    guard let known = try SyncStore(file: file).syncedMoment(), known.lastSync == lastSync else {
      return JulianDay.day(lastSync)
    }
    return known.day
  }

  /// The difference up to which files take moments for the same.
  static let tolerance = 1e-9

  // MARK: - Rows

  private func rowChanges(
    of table: EditedTable, since: Double
  ) throws(FeatureEditError) -> [RowChange] {
    try versions(of: table, table.schema.globalIDField, since: since).compactMap { row in
      row.kind.map {
        RowChange(table: table.name, objectID: row.objectID, globalID: row.text, kind: $0)
      }
    }
  }

  private func attachmentChanges(
    of table: EditedTable, since: Double, _ journaled: [RowChange]
  ) throws(FeatureEditError) -> [RowChange] {
    let found = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: table.name)
    }
    guard let found, found.storage.isTracked else {
      return journaled.filter { $0.attachment != nil && $0.table.isSameName(as: table.name) }
    }
    let attachments = try file.table(found.storage.name)
    let globalIDColumn = attachments.storage.column(named: "GLOBALID")?.name
    let rows = try versions(of: attachments, globalIDColumn, since: since, owner: found.keyColumn)
    var changes: [RowChange] = []
    for row in rows {
      guard let kind = row.kind,
        let objectID = try owner(row.owner, found.featureKey, in: table)
      else { continue }
      changes.append(
        RowChange(
          table: table.name, objectID: objectID, globalID: try globalID(objectID, table),
          attachment: AttachmentRow(id: row.objectID, globalID: row.text, objectID: objectID),
          kind: kind))
    }
    return changes
  }

  /// What the versions of a row amount to.
  private struct Versions {
    let objectID: Int64
    let text: String?
    let owner: SQLValue
    let kind: LocalChange.Kind?
  }

  private func versions(
    of table: EditedTable, _ textColumn: String?, since: Double, owner: String? = nil
  ) throws(FeatureEditError) -> [Versions] {
    func column(_ name: String?) -> String {
      name.flatMap { table.storage.column(named: $0) }.map { SQLIdentifier.quoted($0.name) }
        ?? "NULL"
    }
    let id = SQLIdentifier.quoted(table.storage.objectIDColumn)
    let (moment, end) = (since + Self.tolerance, JulianDay.endOfTime - Self.tolerance)
    let rows = try file.rows(
      """
      SELECT \(id), max(\(column(textColumn))), max(\(column(owner))),
        max(gdb_from_date <= ?1 AND gdb_to_date > ?1), max(gdb_to_date >= ?2)
      FROM \(table.storage.quotedName)
      WHERE \(id) IN (
        SELECT \(id) FROM \(table.storage.quotedName)
        WHERE gdb_from_date > ?1 OR (gdb_to_date > ?1 AND gdb_to_date < ?2))
      GROUP BY \(id)
      """, [.real(moment), .real(end)], in: "the history of \(table.name)")
    return rows.compactMap { row in
      guard case .integer(let objectID) = row[0] else { return nil }
      let kind: LocalChange.Kind? =
        switch (row[3] == .integer(1), row[4] == .integer(1)) {
        case (true, true): .update
        case (false, true): .add
        case (true, false): .delete
        case (false, false): nil
        }
      let text: String? = if case .text(let text) = row[1] { text } else { nil }
      return Versions(objectID: objectID, text: text, owner: row[2], kind: kind)
    }
  }

  /// The object id of the feature that an attachment belongs to, be it deleted.
  private func owner(
    _ key: SQLValue, _ column: String, in table: EditedTable
  ) throws(FeatureEditError) -> Int64? {
    let id = SQLIdentifier.quoted(table.storage.objectIDColumn)
    let rows = try file.rows(
      """
      SELECT \(id) FROM \(table.storage.quotedName)
      WHERE \(SQLIdentifier.quoted(column)) IN (\(key.spellings.parameters)) LIMIT 1
      """, key.spellings, in: "the rows of \(table.name)")
    guard case .integer(let objectID)? = rows.first?.first else { return nil }
    return objectID
  }

  private func globalID(
    _ objectID: Int64, _ table: EditedTable
  ) throws(FeatureEditError) -> String? {
    guard let field = table.schema.globalIDField,
      let column = table.storage.column(named: field)?.name
    else { return nil }
    let rows = try file.rows(
      """
      SELECT \(SQLIdentifier.quoted(column)) FROM \(table.storage.quotedName)
      WHERE \(SQLIdentifier.quoted(table.storage.objectIDColumn)) = ?1 LIMIT 1
      """, [.integer(objectID)], in: "the rows of \(table.name)")
    guard case .text(let globalID)? = rows.first?.first else { return nil }
    return globalID
  }
}

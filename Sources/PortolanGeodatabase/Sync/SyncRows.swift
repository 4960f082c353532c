internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Changes rows of a file without making edits of it: what a service has sent, and edits that a
/// service has received.
///
/// Edits are what the history holds after the moment of the last synchronization. So rows are
/// written as if they had been there at that moment, and the history of what was received is
/// folded up to it.
struct SyncRows {
  let file: EditedFile
  let writer: RowWriter
  /// The moment of the last synchronization.
  let since: Double

  static let tolerance = LocalHistory.tolerance
  /// The difference between two moments of a history, in days.
  static let millisecond = 1 / 86_400_000.0

  init(_ file: EditedFile) throws(FeatureEditError) {
    self.file = file
    since = try LocalHistory(file).lastSyncedDay()
    // What a synchronization writes is not undone.
    writer = RowWriter(file, moment: since, keepsImages: false)
  }

  func rows(_ globalID: String? = nil) -> GeodatabaseRows {
    GeodatabaseRows(file: file, writer: writer) {
      globalID.flatMap { UUID(uuidString: $0.plainID) } ?? UUID()
    }
  }

  // MARK: - Features

  /// The object id of the feature with a global id.
  func objectID(of globalID: String, in table: EditedTable) throws(FeatureEditError) -> Int64? {
    guard let field = table.schema.globalIDField else { return nil }
    return try rows().objectIDs(
      in: table.name, where: field, equals: .text("{\(globalID.plainID)}")
    ).first
  }

  /// Writes a feature as the service has it.
  ///
  /// - Returns: Whether it is new here.
  /// - Throws: Why the file cannot hold it; it is as it was then.
  func put(
    _ feature: Feature, _ globalID: String, in table: EditedTable
  ) throws(FeatureEditError) -> Bool {
    let known = try objectID(of: globalID, in: table)
    guard let known else {
      let place = EditPlace(table: table.name)
      let values = try Self.values(of: feature, table)
      _ = try rows(globalID).insert(values, feature.geometry, into: table, at: place)
      return true
    }
    try file.attempt { () throws(FeatureEditError) in
      try update(known, as: feature, in: table)
    }
    return false
  }

  private func update(
    _ objectID: Int64, as feature: Feature, in table: EditedTable
  ) throws(FeatureEditError) {
    let shape: GeometryChange =
      table.storage.geometry == nil ? .keep : feature.geometry.map { .set($0) } ?? .remove
    try rows().update(
      objectID, in: table, try Self.values(of: feature, table), shape,
      at: EditPlace(table: table.name))
  }

  /// The values that a service may set, as the table stores them.
  private static func values(
    of feature: Feature, _ table: EditedTable
  ) throws(FeatureEditError) -> [RowWriter.ColumnValue] {
    let place = EditPlace(table: table.name)
    var values: [RowWriter.ColumnValue] = []
    for field in table.schema.fields
    where field.name != table.schema.objectIDField && field.name != table.schema.globalIDField {
      guard table.storage.column(named: field.name) != nil,
        let value = feature.attributes[field.name]
      else { continue }
      values.append(try table.stored(value, in: field.name, at: place))
    }
    return values
  }

  func delete(_ objectID: Int64, from table: EditedTable) throws(FeatureEditError) {
    for attachment in try rows().attachments(of: objectID, in: table.name) {
      try rows().delete(attachment: attachment.id, in: table.name)
    }
    try rows().delete(objectID, from: table.name)
  }

  /// Takes a feature that was edited here for what others have made of it: the edit stays, and if it is
  /// discarded, whenever that is, theirs comes back.
  ///
  /// - Throws: Also why the file cannot hold theirs; the feature is as it was then.
  func rebase(
    _ objectID: Int64, as feature: Feature, in table: EditedTable
  ) throws(FeatureEditError) {
    let start = since + Self.tolerance
    let versions = try versions(of: objectID, in: table)
    guard let base = versions.last(where: { $0.from <= start && $0.to > start }),
      base.to < JulianDay.endOfTime - 1
    else { return }
    let edits = versions.filter { $0.from > start }
    // One version at a time is the current one.
    for (number, edit) in edits.enumerated() {
      try setDates(of: edit.rowID, in: table, from: edit.from, to: Double(number + 1))
    }
    try setDates(of: base.rowID, in: table, from: base.from, to: JulianDay.endOfTime)
    var refusal: FeatureEditError?
    do {
      try file.attempt { () throws(FeatureEditError) in
        try update(objectID, as: feature, in: table)
      }
    } catch {
      guard error.isAboutRow else { throw error }
      refusal = error
    }
    for version in try self.versions(of: objectID, in: table)
    where version.to >= JulianDay.endOfTime - 1 {
      try setDates(of: version.rowID, in: table, from: version.from, to: base.to)
    }
    for edit in edits { try setDates(of: edit.rowID, in: table, from: edit.from, to: edit.to) }
    if let refusal { throw refusal }
  }

  /// Adds an attachment that others have given to a feature which was deleted here, as one that went
  /// with it.
  func add(
    _ attachment: NewAttachment, _ globalID: String, toDeleted objectID: Int64,
    of table: EditedTable, _ files: EditedTable
  ) throws(FeatureEditError) {
    guard let last = try versions(of: objectID, in: table).last,
      last.to < JulianDay.endOfTime - 1
    else { return }
    try setDates(of: last.rowID, in: table, from: last.from, to: JulianDay.endOfTime)
    let row = try rows(globalID).insert(
      attachment, to: objectID, in: table.name, at: EditPlace(table: table.name))
    try setDates(of: last.rowID, in: table, from: last.from, to: last.to)
    for version in try versions(of: row.id, in: files) {
      try setDates(of: version.rowID, in: files, from: version.from, to: last.to)
    }
  }

  /// Takes an attachment that was edited here for what others have made of it: the edit stays, and if it
  /// is discarded, theirs comes back.
  ///
  /// - Returns: Whether others have changed it, and not to what it is here.
  func rebase(
    _ id: Attachment.ID, as attachment: NewAttachment, in table: EditedTable, _ files: EditedTable
  ) throws(FeatureEditError) -> Bool {
    let start = since + Self.tolerance
    let versions = try versions(of: id, in: files)
    guard let base = versions.last(where: { $0.from <= start && $0.to > start }) else {
      return false
    }
    let contents = try rows().contents(of: attachment, in: table.name)
    func list(_ middle: String, _ separator: String) -> String {
      contents.enumerated().map { "\(SQLIdentifier.quoted($1.column)) \(middle) ?\($0 + 2)" }
        .joined(separator: separator)
    }
    func isTheirs(_ version: Version) throws(FeatureEditError) -> Bool {
      try !file.rows(
        "SELECT 1 FROM \(files.storage.quotedName) WHERE \(files.rowNumber) = ?1 AND \(list("IS", " AND "))",
        [.integer(version.rowID)] + contents.map(\.value), in: "the history of \(files.name)"
      ).isEmpty
    }
    guard try !isTheirs(base) else { return false }
    try file.run(
      "UPDATE OR ABORT \(files.storage.quotedName) SET \(list("=", ", ")) WHERE \(files.rowNumber) = ?1",
      [.integer(base.rowID)] + contents.map(\.value), in: "the history of \(files.name)")
    guard let current = versions.last, current.to >= JulianDay.endOfTime - 1 else { return true }
    return try !isTheirs(current)
  }

  /// A number that is another one where the name or the contents of an attachment differ, as it was when
  /// it was synchronized, or else as it is.
  func fingerprint(
    of id: Attachment.ID, in files: EditedTable, _ columns: AttachmentTable.Columns
  ) throws(FeatureEditError) -> Int {
    let names = [columns.name, columns.data].compactMap { files.storage.column(named: $0)?.name }
    let row =
      try file.rows(
        """
        SELECT \(names.map(SQLIdentifier.quoted).joined(separator: ","))
        FROM \(files.storage.quotedName)
        WHERE \(SQLIdentifier.quoted(files.storage.objectIDColumn)) = ?1
        ORDER BY gdb_from_date <= ?2 AND gdb_to_date > ?2 DESC, gdb_from_date DESC LIMIT 1
        """, [.integer(id), .real(since + Self.tolerance)], in: "the rows of \(files.name)"
      ).first ?? []
    return row.hashValue
  }
}

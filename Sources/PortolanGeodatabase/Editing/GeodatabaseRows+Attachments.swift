internal import PortolanFeatures
internal import PortolanSQLite

/// Rows of attachment tables.
///
/// - SeeAlso: Docs/FORMATS.md, 2.5
extension GeodatabaseRows {
  /// An attachment table that is written, and what it hangs on.
  private struct Attachments {
    let table: EditedTable
    /// The column that names the feature; in ``pairs``, where there is such a table.
    let keyColumn: String
    let owner: EditedTable
    /// The column of the feature whose value that is.
    let ownerKey: String
    /// The table that says which attachment belongs to which feature, and its column with the
    /// attachment.
    let pairs: (table: EditedTable, column: String)?
    /// The names of the columns.
    let columns: AttachmentTable.Columns

    var globalIDColumn: String? { table.storage.column(named: "GLOBALID")?.name }
  }

  private func attachments(
    of table: String
  ) throws(FeatureEditError) -> Attachments {
    let owner = try file.table(table)
    let found = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: table)
    }
    guard let found else { throw .noAttachments(EditPlace(table: owner.name)) }
    var pairs: (table: EditedTable, column: String)?
    if let found = found.pairs {
      let table = try file.numberedTable(found.storage.name)
      pairs = (table: table, column: found.attachmentColumn)
    }
    return Attachments(
      table: try file.table(found.storage.name), keyColumn: found.keyColumn, owner: owner,
      ownerKey: found.featureKey, pairs: pairs, columns: found.columns)
  }

  /// Where a search for attachments starts.
  private enum Start {
    case feature
    case attachment
  }

  /// Joins the features `o` to the attachments `t`, so that an index of the column that is sought
  /// serves; GUIDs are the same in either case.
  private func join(_ attachments: Attachments, from start: Start) -> String {
    let source = "JOIN \(attachments.owner.storage.quotedName) AS o ON"
    if let pairs = attachments.pairs {
      let media = SQLIdentifier.quoted(attachments.table.storage.objectIDColumn)
      return """
        JOIN \(pairs.table.storage.quotedName) AS p
          ON p.\(SQLIdentifier.quoted(pairs.column)) = t.\(media)
        \(source) o.\(SQLIdentifier.quoted(attachments.ownerKey))
          = p.\(SQLIdentifier.quoted(attachments.keyColumn))
        """
    }
    let owner = "o.\(SQLIdentifier.quoted(attachments.ownerKey))"
    let attachment = "t.\(SQLIdentifier.quoted(attachments.keyColumn))"
    let (sought, known) = start == .feature ? (attachment, owner) : (owner, attachment)
    return "\(source) \(sought) IN (\(known), upper(\(known)), lower(\(known)))"
  }

  private func rows(
    _ attachments: Attachments, from start: Start, _ id: Int64
  ) throws(FeatureEditError) -> [AttachmentRow] {
    let storage = attachments.table.storage
    let condition =
      start == .feature
      ? "o.\(SQLIdentifier.quoted(attachments.owner.storage.objectIDColumn))"
      : "t.\(SQLIdentifier.quoted(storage.objectIDColumn))"
    let globalID = attachments.globalIDColumn.map { "t.\(SQLIdentifier.quoted($0))" } ?? "NULL"
    let owner = attachments.owner.storage
    let current = owner.isCurrent("o").map { " AND \($0)" } ?? ""
    let found = try file.rows(
      """
      SELECT t.\(SQLIdentifier.quoted(storage.objectIDColumn)), \(globalID),
        o.\(SQLIdentifier.quoted(owner.objectIDColumn))
      FROM \(storage.quotedName) AS t \(join(attachments, from: start))\(current)
      WHERE \(condition) = ?1\(attachments.table.andIsCurrent) ORDER BY 1
      """, [.integer(id)], in: "the attachments of \(attachments.owner.name)")
    return found.compactMap { row in
      guard case .integer(let id) = row[0], case .integer(let objectID) = row[2] else {
        return nil
      }
      let globalID: String? = if case .text(let text) = row[1] { text } else { nil }
      return AttachmentRow(id: id, globalID: globalID, objectID: objectID)
    }
  }

  func attachments(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> [AttachmentRow] {
    guard try file.table(table).schema.hasAttachments else { return [] }
    let attachments = try attachments(of: table)
    return try rows(attachments, from: .feature, objectID)
  }

  func attachment(
    _ id: Attachment.ID, in table: String
  ) throws(FeatureEditError) -> AttachmentRow? {
    try rows(attachments(of: table), from: .attachment, id).first
  }

  func insert(
    _ attachment: NewAttachment, to objectID: Int64, in table: String, at place: EditPlace
  ) throws(FeatureEditError) -> AttachmentRow {
    let attachments = try attachments(of: table)
    let key = try file.rows(
      """
      SELECT t.\(SQLIdentifier.quoted(attachments.ownerKey))
      FROM \(attachments.owner.storage.quotedName) AS t
      WHERE t.\(SQLIdentifier.quoted(attachments.owner.storage.objectIDColumn)) = ?1
        \(attachments.owner.andIsCurrent)
      """, [.integer(objectID)], in: "the rows of \(attachments.owner.name)")
    guard let key = key.first?.first, key != .null else { throw .noAttachments(place) }
    let id = try nextObjectID(of: attachments.table, at: place)
    var row = try contents(of: attachment, attachments, at: place)
    row.append((attachments.table.storage.objectIDColumn, .integer(id)))
    if attachments.pairs == nil { row.append((attachments.keyColumn, key)) }
    let globalID = newGlobalID()
    if let column = attachments.globalIDColumn { row.append((column, .text(globalID))) }
    try writer.insert(row, into: attachments.table, at: place)
    if let pairs = attachments.pairs {
      try writer.insert(
        [(attachments.keyColumn, key), (pairs.column, .integer(id))], into: pairs.table,
        at: place)
    }
    return AttachmentRow(
      id: id, globalID: attachments.globalIDColumn == nil ? nil : globalID, objectID: objectID)
  }

  func update(
    _ id: Attachment.ID, _ attachment: NewAttachment, in table: String, at place: EditPlace
  ) throws(FeatureEditError) {
    let attachments = try attachments(of: table)
    let row = try contents(of: attachment, attachments, at: place)
    try writer.update(id, of: attachments.table, row, at: place)
  }

  func delete(attachment id: Attachment.ID, in table: String) throws(FeatureEditError) {
    let attachments = try attachments(of: table)
    if let pairs = attachments.pairs { try delete(id, from: pairs.table, pairs.column) }
    try writer.delete(id, of: attachments.table)
  }

  /// Removes what says whose an attachment is.
  ///
  /// - Throws: `tableNotEditable` if it belongs to several features, which would all lose it.
  private func delete(
    _ id: Attachment.ID, from pairs: EditedTable, _ column: String
  ) throws(FeatureEditError) {
    let rows = try file.rows(
      """
      SELECT \(pairs.rowNumber) FROM \(pairs.storage.quotedName)
      WHERE \(SQLIdentifier.quoted(column)) = ?1
      """, [.integer(id)], in: "the rows of \(pairs.name)")
    guard rows.count < 2 else {
      throw .tableNotEditable(
        table: pairs.name, reason: "attachment \(id) belongs to several features")
    }
    for case .integer(let rowID)? in rows.map(\.first) {
      try writer.delete(rowID: rowID, from: 0, of: pairs)
    }
  }

  /// The columns of an attachment of a table, as they are stored.
  func contents(
    of attachment: NewAttachment, in table: String
  ) throws(FeatureEditError) -> [RowWriter.ColumnValue] {
    try contents(of: attachment, attachments(of: table), at: EditPlace(table: table))
  }

  private func contents(
    of attachment: NewAttachment, _ attachments: Attachments, at place: EditPlace
  ) throws(FeatureEditError) -> [RowWriter.ColumnValue] {
    let columns = attachments.columns
    let values: KeyValuePairs<String, AttributeValue> = [
      columns.contentType: .text(attachment.contentType), columns.name: .text(attachment.name),
      columns.size: .integer(Int64(attachment.data.count)), columns.data: .blob(attachment.data),
    ]
    var row: [RowWriter.ColumnValue] = []
    for (column, value) in values where attachments.table.storage.column(named: column) != nil {
      row.append(try attachments.table.stored(value, in: column, at: place))
    }
    return row
  }
}

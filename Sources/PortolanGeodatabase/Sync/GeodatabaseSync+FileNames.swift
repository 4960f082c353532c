internal import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseSync {
  /// The names of the attachments that an edit which could not be exchanged is about.
  ///
  /// They are those that the attachments have here, or had before they were deleted; of one that the file cannot
  /// hold, the name as it came. Those that are unknown are left out, and so are those that others have deleted:
  /// here is another file in their place.
  func fileNames(of issue: SyncIssue) throws(FeatureEditError) -> [String] {
    guard let ids = issue.attachments, !ids.isEmpty else { return [] }
    let withheld = try WithheldFiles(store).entries(ofLayer: issue.layerID)
    let files = try attachmentTable(of: issue.table)
    var names: [String] = []
    for id in ids where issue.removedAttachments?[id.plainID] == nil {
      if let entry = withheld.last(where: { $0.attachment.isSameID(as: id) }) {
        if let name = try store.name(of: entry) { names.append(name) }
      } else if let files {
        let key = SQLValue.text("{\(id.plainID)}")
        let rows = try file.rows(
          """
          SELECT \(SQLIdentifier.quoted(files.name)) FROM \(files.table.storage.quotedName)
          WHERE \(SQLIdentifier.quoted(files.key)) IN (\(key.spellings.parameters))
          ORDER BY gdb_to_date DESC, gdb_from_date DESC LIMIT 1
          """, key.spellings, in: "the history of \(files.table.name)")
        if case .text(let name)? = rows.first?.first { names.append(name) }
      }
    }
    return names
  }

  /// The name that an attachment had when it was synchronized last; `nil` if that is unknown.
  func synchronizedFileName(
    _ id: Attachment.ID, of table: String
  ) throws(FeatureEditError) -> String? {
    guard let files = try attachmentTable(of: table) else { return nil }
    let storage = files.table.storage
    return try file.rows(
      """
      SELECT \(SQLIdentifier.quoted(files.name)) FROM \(storage.quotedName)
      WHERE \(SQLIdentifier.quoted(storage.objectIDColumn)) = ?1
        AND gdb_from_date <= ?2 AND gdb_to_date > ?2 LIMIT 1
      """, [.integer(id), .real(try SyncRows(file).since + LocalHistory.tolerance)],
      in: "the history of \(files.table.name)"
    ).first?.first?.text
  }

  /// The attachments of a table with the columns of their names and global ids; `nil` where it keeps no history
  /// of them, or is gone.
  private func attachmentTable(
    of name: String
  ) throws(FeatureEditError) -> (table: EditedTable, name: String, key: String)? {
    guard try file.hasTable(name) else { return nil }
    let found = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: name)
    }
    guard let found, found.storage.isTracked,
      let column = found.storage.column(named: found.columns.name)?.name,
      let key = found.storage.column(named: "GLOBALID")?.name
    else { return nil }
    return (try file.table(found.storage.name), column, key)
  }
}

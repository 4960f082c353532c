internal import PortolanFeatures
internal import PortolanSQLite

// What related rows were before a feature was deleted.
extension SyncRows {
  /// Empties the keys of features whose deletion a service has carried out, in what rows that were edited here
  /// were when they were synchronized.
  ///
  /// The service has emptied them, too: to give up the edit of such a row would bring back the key of what is
  /// gone.
  ///
  /// - Parameters:
  ///   - deleted: The deletions.
  ///   - plan: What is known of the edits here; they are read if `nil`.
  ///   - sync: The file.
  /// - Throws: `FeatureEditError` if the history can be neither read nor written.
  func emptyKeys(
    ofDeleted deleted: [SyncUpload.Edit], _ plan: UploadPlan?, _ sync: GeodatabaseSync
  ) throws(FeatureEditError) {
    guard !deleted.isEmpty else { return }
    if let plan {
      for mention in deleted.flatMap({ plan.mentions(of: $0) }) {
        let table = try file.table(mention.row.table)
        try emptyBase(mention.field, of: mention.row.objectID, in: table)
      }
      return
    }
    try emptyKeys(
      ofDeleted: deleted.map { SyncRow($0.table, $0.objectID) },
      in: try sync.tables(try sync.requiredState()).map(\.table),
      among: try sync.editing.localChanges().changes)
  }

  /// Empties the keys of features that are deleted on both sides, in what rows that were edited here were when
  /// they were synchronized.
  ///
  /// - Parameters:
  ///   - deleted: The features that were deleted.
  ///   - tables: The tables that are synchronized.
  ///   - changes: What was changed here.
  /// - Throws: `FeatureEditError` if the history can be neither read nor written.
  func emptyKeys(
    ofDeleted deleted: [SyncRow], in tables: [EditedTable], among changes: [LocalChange]
  ) throws(FeatureEditError) {
    guard !deleted.isEmpty else { return }
    for table in tables {
      let own = deleted.filter { table.isNamed($0.table) }.map(\.objectID)
      for relation in table.schema.relationships
      where relation.role == .origin && relation.joinTable == nil && !relation.isComposite {
        guard !own.isEmpty,
          let related = tables.first(where: { $0.isNamed(relation.relatedTable) })
        else { continue }
        // What is new was nothing when it was synchronized.
        let edited = changes.filter { change in
          related.isNamed(change.table) && (change.kind == .update || change.kind == .delete)
        }
        try emptyKeys(of: own, in: table, relation, related, edited)
      }
    }
  }

  private func emptyKeys(
    of deleted: [Int64], in table: EditedTable, _ relation: RelationshipInfo,
    _ related: EditedTable, _ edited: [LocalChange]
  ) throws(FeatureEditError) {
    guard !edited.isEmpty else { return }
    let (keys, field) = (SyncKeys(file: file, since: since), relation.relatedKeyField)
    let gone = Set(try keys.bases(deleted, table, relation.keyField).values)
    guard !gone.isEmpty else { return }
    let held = try keys.bases(edited.map(\.objectID), related, field)
    for change in edited {
      guard let key = held[change.objectID], gone.contains(key) else { continue }
      try emptyBase(field, of: change.objectID, in: related)
    }
  }

  /// Empties a value of what an edited row was when it was synchronized, unless there must be one.
  private func emptyBase(
    _ field: String, of objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) {
    let start = since + Self.tolerance
    guard let column = table.storage.column(named: field)?.name,
      table.schema.field(named: field)?.isNullable ?? true,
      let base = try versions(of: objectID, in: table).last(where: {
        $0.from <= start && $0.to > start
      }), base.to < JulianDay.endOfTime - 1
    else { return }
    try file.run(
      """
      UPDATE OR ABORT \(table.storage.quotedName) SET \(SQLIdentifier.quoted(column)) = NULL
      WHERE \(table.rowNumber) = ?1
      """, [.integer(base.rowID)], in: "the history of \(table.name)")
  }
}

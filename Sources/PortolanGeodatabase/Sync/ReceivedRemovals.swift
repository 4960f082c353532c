internal import PortolanFeatures

/// The features that others have removed, and which of them stay until the user has decided.
///
/// One that belongs together with a feature that was edited here stays with it: sent again, that would
/// have lost its parts, or what it is a part of.
struct ReceivedRemovals {
  private(set) var kept: Set<SyncRow> = []

  init(
    _ parts: [ReceivedPart],
    _ tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)],
    _ changes: [LocalChange], _ issues: SyncIssueList, _ rows: SyncRows
  ) throws(FeatureEditError) {
    let edited = Set(changes.filter { $0.kind != .delete }.map(SyncRow.init))
    guard !edited.isEmpty else { return }
    var removed: Set<SyncRow> = []
    for (layer, table) in tables where table.schema.relationships.contains(where: \.isComposite) {
      let part = parts.first { $0.layerID == layer.layerID }
      for id in part?.deletes ?? [] {
        guard let objectID = try rows.objectID(of: id, in: table) else { continue }
        removed.insert(SyncRow(table.name, objectID))
      }
    }
    guard !removed.isEmpty else { return }
    let known = issues.all.filter(\.isGoneThere).map(SyncRow.init)
    // What others have changed was edited here as well, so that it keeps by itself what belongs to it.
    let families = try SyncFamilies(
      SyncFamilies.Source(
        tables: tables.map(\.table), changes: changes, lost: removed.union(known), contested: [],
        keys: SyncKeys(file: rows.file, since: rows.since)))
    kept = removed.filter { row in
      !edited.contains(row) && !families.members(of: row).isDisjoint(with: edited)
    }
  }
}

/// What others have added to features that were deleted here, or changed of what belongs to them: the
/// deletion would take it along.
struct ReceivedParts {
  private struct Deletion {
    let edit: LocalChange
    let layer: GeodatabaseSyncState.Layer
    let table: EditedTable
  }

  private var deletions: [Deletion] = []

  /// - Parameters:
  ///   - parts: The changes of others.
  ///   - stored: The issues of features that waited, and are in the file now.
  ///   - tables: The layers and their tables.
  ///   - changes: The edits made here.
  ///   - rows: The rows of the file.
  /// - Throws: The reason for which rows cannot be read.
  init(
    _ parts: [ReceivedPart], _ stored: [SyncIssue],
    _ tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)],
    _ changes: [LocalChange], _ rows: SyncRows
  ) throws(FeatureEditError) {
    let keys = SyncKeys(file: rows.file, since: rows.since)
    // What was deleted here and changed by others is a conflict of its own.
    let contested = Set(changes.filter { $0.kind == .delete }.compactMap { $0.globalID?.plainID })
    for (layer, table) in tables {
      let gone = Set(
        parts.first { $0.layerID == layer.layerID }?.deletes.map(\.plainID) ?? [])
      let own = changes.filter { change in
        change.kind == .delete && table.isNamed(change.table)
          && !(change.globalID.map { gone.contains($0.plainID) } ?? true)
      }
      for relation in table.schema.relationships
      where relation.isComposite && relation.role == .origin && !own.isEmpty {
        guard let related = tables.first(where: { $0.table.isNamed(relation.relatedTable) })
        else { continue }
        let part = parts.first { $0.layerID == related.layer.layerID }
        var deleted: [(edit: LocalChange, key: String)] = []
        for edit in own {
          if let key = try keys.base(edit.objectID, table, relation.keyField) {
            deleted.append((edit: edit, key: key))
          }
        }
        let wanted = Set(deleted.map(\.key))
        var received: Set<String> = []
        guard !wanted.isEmpty else { continue }
        try part?.forEachRow(withShapes: false) { row throws(FeatureEditError) in
          let attributes = row.feature.attributes
          guard let key = attributes[relation.relatedKeyField]?.relationKey, wanted.contains(key)
          else { return }
          let id = attributes.globalID(related.table.schema)
          if id.map({ !contested.contains($0.plainID) }) ?? true { received.insert(key) }
        }
        for issue in stored
        where issue.layerID == related.layer.layerID && !contested.contains(issue.globalID.plainID)
        {
          guard let key = issue.withheld?.attributes[relation.relatedKeyField]?.relationKey,
            wanted.contains(key), try rows.objectID(of: issue.globalID, in: related.table) != nil
          else { continue }
          received.insert(key)
        }
        for (edit, key) in deleted where received.contains(key) {
          deletions.append(Deletion(edit: edit, layer: layer, table: table))
        }
      }
    }
  }

  /// Lists the deletions, unless they are listed already.
  func note(
    in issues: SyncIssueList, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    for deletion in deletions {
      let (edit, layer) = (deletion.edit, deletion.layer)
      guard issues[layer.layerID, edit.globalID ?? ""] == nil else { continue }
      var issue = SyncIssue(edit, layer, theirs: nil, in: deletion.table)
      issue.isGoneThere = false
      receipt.conflicts += 1
      try issues.put(issue)
    }
  }
}

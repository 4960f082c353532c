internal import PortolanFeatures

/// A feature of a file.
struct SyncRow: Hashable {
  /// The name of the table in small letters.
  let table: String
  let objectID: Int64

  init(_ table: String, _ objectID: Int64) {
    self.table = table.lowercased()
    self.objectID = objectID
  }

  init(_ change: LocalChange) { self.init(change.table, change.objectID) }
  /// The feature of an edit that could not be exchanged; features that are not in the file are told apart
  /// by the number of the edit.
  init(_ issue: SyncIssue) {
    self.init(issue.table, issue.objectID == 0 ? 0 &- issue.id : issue.objectID)
  }
}

/// The groups of features that belong together where one of them was deleted on one side.
///
/// A feature that was deleted here has taken its parts along, and emptied the keys of what else related
/// to it; one that others have removed may have parts that were edited here. None of them is sent,
/// restored or discarded without the others. What was emptied, given to another feature or deleted by itself is
/// a member only if its own edit waits for a decision. Else what was emptied waits for the deletion, and gets
/// its key back with it.
struct SyncFamilies {
  /// A feature whose key was emptied with the deletion of the one that it related to, or a pair of related
  /// features that went with one of them.
  struct Emptied {
    let row: SyncRow
    let parent: SyncRow
    /// The column of the key; `nil` for a pair.
    let column: String?
  }

  /// A row that held the key of a feature which it was no part of.
  struct Mention {
    let row: SyncRow
    /// The field of the key.
    let field: String
  }

  /// The inputs from which the families are found.
  struct Source {
    /// The tables that are synchronized.
    let tables: [EditedTable]
    /// What was changed here.
    let changes: [LocalChange]
    /// The features that others have removed and that are still here.
    let lost: Set<SyncRow>
    /// The features that were edited here and of which the service has something else: others have changed
    /// them, or it has refused the edit.
    let contested: Set<SyncRow>
    /// What others have made of features that the file cannot hold, unless the user has decided that they go
    /// with what they are parts of.
    var withheld: [(row: SyncRow, feature: Feature)] = []
    let keys: SyncKeys
  }

  private var neighbors: [SyncRow: Set<SyncRow>] = [:]
  private(set) var emptied: [Emptied] = []
  /// The features that relate to one that was deleted on one side, or are paired with it, together
  /// with the deleted ones.
  private(set) var linked: Set<SyncRow> = []
  /// The rows that were edited here and whose key, at the last synchronization, was that of a
  /// feature deleted here; by that feature.
  private(set) var mentions: [SyncRow: [Mention]] = [:]
  /// The rows that others have made parts of a feature deleted here, and that the file cannot hold; by row,
  /// that feature.
  private(set) var takenAlong: [SyncRow: SyncRow] = [:]
  /// The edits that are sent only when others have arrived, each with these.
  private(set) var awaited: [SyncRow: Set<SyncRow>] = [:]
  /// Whether the families stay valid as edits arrive, so that they need not be found again: no two
  /// features that were deleted here had the same key, none would wait for each other, and no key that
  /// goes with one of them is that by which others relate to its row.
  private(set) var isLasting = true
  private var order = SyncOrder()

  init(_ source: Source) throws(FeatureEditError) {
    for table in source.tables {
      for relation in table.schema.relationships {
        if let join = relation.joinTable {
          try addPairs(of: table, relation, join, source)
          continue
        }
        guard relation.role == .origin,
          let related = source.tables.first(where: { $0.isNamed(relation.relatedTable) })
        else { continue }
        try addDeleted(in: table, related, relation, source)
        if relation.isComposite { try addLost(in: table, related, relation, source) }
      }
    }
    let (awaited, hasCycles) = order.awaited()
    self.awaited = awaited
    if hasCycles { isLasting = false }
  }

  /// All that belongs together with a feature, and the feature.
  func members(of row: SyncRow) -> Set<SyncRow> {
    var members: Set<SyncRow> = [row]
    var pending = [row]
    while let next = pending.popLast() {
      for other in neighbors[next] ?? [] where members.insert(other).inserted {
        pending.append(other)
      }
    }
    return members
  }

  /// The features that are not sent while some wait for a decision.
  func held(by rows: some Sequence<SyncRow>) -> Set<SyncRow> {
    var held: Set<SyncRow> = []
    for row in rows where !held.contains(row) { held.formUnion(members(of: row)) }
    for entry in emptied where held.contains(entry.parent) { held.insert(entry.row) }
    return held
  }

  /// Whether an edit is sent only once another one has arrived.
  ///
  /// It waits for the deletion that it follows from, so that nothing is lost if that is refused; a
  /// deletion waits for edits that move its parts to other features, since it would take these
  /// along.
  func waits(_ row: SyncRow) -> Bool { awaited[row] != nil }

  // MARK: - Making

  /// Joins what was deleted here to what went with it.
  private mutating func addDeleted(
    in table: EditedTable, _ related: EditedTable, _ relation: RelationshipInfo, _ source: Source
  ) throws(FeatureEditError) {
    let parents = try deleted(in: table, relation.keyField, source)
    guard !parents.isEmpty else { return }
    let field = relation.relatedKeyField
    if relation.isComposite { joinWithheld(in: related, field, parents, source) }
    let edited = source.changes.filter { change in
      (change.kind == .update || change.kind == .delete) && related.isNamed(change.table)
    }
    let keys = try source.keys.bases(edited.map(\.objectID), related, field)
    for change in edited {
      let row = SyncRow(change)
      guard let kind = change.kind, let key = keys[change.objectID],
        let parent = parents[key], parent != row
      else { continue }
      link(parent, row)
      if !relation.isComposite {
        mentions[parent, default: []].append(Mention(row: row, field: field))
        if related.relatesOthers(by: field) { isLasting = false }
      }
      // What the service has of it still relates to that feature, which must be there if that is taken: so the
      // deletion waits for the same decision.
      if source.contested.contains(row) { join(parent, row) }
      switch (kind, relation.isComposite) {
      case (.delete, true):
        join(parent, row)
        order.add(row, asPartOf: parent)
      case (.update, true):
        // Of what the service does not have, or does not know, nothing can be lost there.
        guard change.globalID != nil, !source.lost.contains(row) else { continue }
        order.add(row, leaving: parent)
      case (.update, false):
        guard try source.keys.current(change.objectID, related, field) == nil,
          let column = related.storage.column(named: field)?.name
        else { continue }
        note(Emptied(row: row, parent: parent, column: column), source)
      case (.delete, false), (.add, _): continue
      }
    }
  }

  /// Joins what was deleted here to what others have made a part of it and the file cannot hold: the deletion
  /// would take it along.
  private mutating func joinWithheld(
    in related: EditedTable, _ field: String, _ parents: [String: SyncRow], _ source: Source
  ) {
    for (row, feature) in source.withheld where related.isNamed(row.table) {
      guard let key = feature.attributes[field]?.relationKey, let parent = parents[key],
        parent != row
      else { continue }
      join(parent, row)
      takenAlong[row] = parent
    }
  }

  /// Notes the pairs that went with features which were deleted here, where a service knows the table
  /// between the two.
  private mutating func addPairs(
    of table: EditedTable, _ relation: RelationshipInfo, _ join: RelationshipInfo.JoinTable,
    _ source: Source
  ) throws(FeatureEditError) {
    guard let pairs = source.tables.first(where: { $0.isNamed(join.name) }) else { return }
    let parents = try deleted(in: table, relation.keyField, source)
    guard !parents.isEmpty else { return }
    let gone = source.changes.filter { $0.kind == .delete && pairs.isNamed($0.table) }
    let keys = try source.keys.bases(gone.map(\.objectID), pairs, join.keyField)
    for change in gone {
      guard let key = keys[change.objectID], let parent = parents[key] else { continue }
      link(parent, SyncRow(change))
      note(Emptied(row: SyncRow(change), parent: parent, column: nil), source)
    }
  }

  /// Notes what lost its key, or went, with a feature that was deleted here; if others have changed it, the
  /// deletion waits for the same decision.
  private mutating func note(_ entry: Emptied, _ source: Source) {
    emptied.append(entry)
    order.add(entry.row, after: entry.parent)
    if source.contested.contains(entry.row) { join(entry.parent, entry.row) }
  }

  /// The features that were deleted here, by their keys.
  private mutating func deleted(
    in table: EditedTable, _ field: String, _ source: Source
  ) throws(FeatureEditError) -> [String: SyncRow] {
    var rows: [String: SyncRow] = [:]
    let gone = source.changes.filter { $0.kind == .delete && table.isNamed($0.table) }
    let keys = try source.keys.bases(gone.map(\.objectID), table, field)
    for change in gone {
      guard let key = keys[change.objectID] else { continue }
      if rows.updateValue(SyncRow(change), forKey: key) != nil { isLasting = false }
    }
    return rows
  }

  /// Joins what others have removed to those of its parts that are here.
  private mutating func addLost(
    in table: EditedTable, _ related: EditedTable, _ relation: RelationshipInfo, _ source: Source
  ) throws(FeatureEditError) {
    var parents: [String: SyncRow] = [:]
    for row in source.lost where table.isNamed(row.table) {
      guard let key = try source.keys.current(row.objectID, table, relation.keyField) else {
        continue
      }
      parents[key] = row
    }
    guard !parents.isEmpty else { return }
    let edited = source.changes.filter { $0.kind != .delete }.map(SyncRow.init)
    for row in source.lost.union(edited) where related.isNamed(row.table) {
      let key = try source.keys.current(row.objectID, related, relation.relatedKeyField)
      guard let parent = key.flatMap({ parents[$0] }), parent != row else { continue }
      join(parent, row)
    }
  }

  private mutating func link(_ parent: SyncRow, _ row: SyncRow) {
    linked.insert(parent)
    linked.insert(row)
  }

  private mutating func join(_ parent: SyncRow, _ part: SyncRow) {
    link(parent, part)
    neighbors[parent, default: []].insert(part)
    neighbors[part, default: []].insert(parent)
  }
}

extension EditedTable {
  /// Whether a name is that of the table.
  func isNamed(_ other: String) -> Bool { name.isSameName(as: other) }

  /// Whether other rows relate to those of the table by the values of a field.
  fileprivate func relatesOthers(by field: String) -> Bool {
    schema.relationships.contains { relation in
      (relation.joinTable != nil || relation.role == .origin)
        && relation.keyField.lowercased() == field.lowercased()
    }
  }
}

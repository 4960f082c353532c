internal import PortolanFeatures

extension GeodatabaseSync {
  /// New features whose shapes cannot be read, and what was written here that relates to one of them: these
  /// features stay, and the service would have the rest without them.
  ///
  /// - Parameters:
  ///   - changes: What was changed here.
  ///   - tables: The tables that are synchronized.
  ///   - keys: What reads the keys by which features relate to each other.
  /// - Returns: The features.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func stayingBehind(
    _ changes: [LocalChange], _ tables: [EditedTable], _ keys: SyncKeys
  ) throws(FeatureEditError) -> Set<SyncRow> {
    let written = changes.filter(\.isWritten)
    let added = Set(written.filter { $0.kind == .add }.map(SyncRow.init))
    var staying: Set<SyncRow> = []
    for table in tables where table.schema.geometryType != nil && table.leadsToOthers {
      let ids = added.filter { table.isNamed($0.table) }.map(\.objectID).sorted()
      staying.formUnion(try unreadable(among: ids, in: table))
    }
    var parents = staying
    while !parents.isEmpty {
      let related = try rows(among: written, relatedTo: parents, tables, keys)
        .subtracting(staying)
      staying.formUnion(related)
      // What the service has already may be related to.
      parents = related.intersection(added)
    }
    return staying
  }

  /// Those of some features whose shapes cannot be read.
  func unreadable(
    among ids: [Int64], in table: EditedTable
  ) throws(FeatureEditError) -> Set<SyncRow> {
    var found: Set<SyncRow> = []
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      let some = Array(ids[start..<min(start + Self.batch, ids.count)])
      try forEachRow(of: table, matching: QueryParameters(objectIDs: some)) { row in
        if case .incomplete(let row) = row {
          found.insert(SyncRow(table.name, row.feature.objectID))
        }
      }
    }
    return found
  }

  /// What of some changes relates to one of some features, or pairs one with another.
  private func rows(
    among changes: [LocalChange], relatedTo parents: Set<SyncRow>, _ tables: [EditedTable],
    _ keys: SyncKeys
  ) throws(FeatureEditError) -> Set<SyncRow> {
    var found: Set<SyncRow> = []
    for table in tables {
      let own = parents.filter { table.isNamed($0.table) }
      guard !own.isEmpty else { continue }
      for relation in table.schema.relationships where relation.leadsToOthers {
        let name = relation.joinTable?.name ?? relation.relatedTable
        let field = relation.joinTable?.keyField ?? relation.relatedKeyField
        guard let related = tables.first(where: { $0.isNamed(name) }) else { continue }
        var parentKeys: Set<String> = []
        for row in own {
          let key = try keys.current(row.objectID, table, relation.keyField)
          if let key { parentKeys.insert(key) }
        }
        for change in changes where related.isNamed(change.table) {
          let key = try keys.current(change.objectID, related, field)
          if let key, parentKeys.contains(key) { found.insert(SyncRow(change)) }
        }
      }
    }
    return found
  }
}

extension EditedTable {
  /// Whether rows of other tables may relate to those of this one.
  fileprivate var leadsToOthers: Bool { schema.relationships.contains(where: \.leadsToOthers) }
}

extension RelationshipInfo {
  /// Whether other rows hold the keys of those of the table.
  fileprivate var leadsToOthers: Bool { joinTable != nil || role == .origin }
}

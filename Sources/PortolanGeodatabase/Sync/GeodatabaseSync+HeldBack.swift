internal import PortolanFeatures

extension GeodatabaseSync {
  /// The tables of which edits stay since they are sent only once others have arrived, which are left out: such
  /// as the deletion of a feature whose part was given to another, where that part stays.
  ///
  /// Those that are left out are listed as that, and no matter of this list.
  ///
  /// - Parameters:
  ///   - state: The registration.
  ///   - changes: What was changed here.
  ///   - stopped: The layers whose edits stay.
  /// - Returns: The tables.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func tablesHeldBack(
    _ state: GeodatabaseSyncState, _ changes: [LocalChange], leavingOut stopped: Set<Int>
  ) throws(FeatureEditError) -> [UnsynchronizedTable] {
    guard changes.contains(where: { $0.kind == .delete }) else { return [] }
    let since = try SyncRows(file).since
    let awaited = try families(changes, SyncIssueList(store).all, since).awaited
    guard !awaited.isEmpty else { return [] }
    var followers: [SyncRow: [SyncRow]] = [:]
    for (row, others) in awaited {
      for other in others { followers[other, default: []].append(row) }
    }
    let tables = try tables(state)
    let staying = try leftOut(
      changes, tables, stopped, SyncKeys(file: file, since: since),
      amongAwaited: Set(followers.keys))
    var (held, pending): (Set<SyncRow>, [SyncRow]) = ([], Array(staying))
    while let next = pending.popLast() {
      for row in followers[next] ?? [] where !staying.contains(row) {
        if held.insert(row).inserted { pending.append(row) }
      }
    }
    guard !held.isEmpty else { return [] }
    return tables.compactMap { _, table in
      let edits = changes.count { table.isNamed($0.table) && held.contains(SyncRow($0)) }
      guard edits > 0 else { return nil }
      return UnsynchronizedTable(
        table: table.name, reason: .featuresWaitingForOthers, edits: edits)
    }
  }

  /// The edits that are left out, as far as others may wait for them.
  private func leftOut(
    _ changes: [LocalChange],
    _ tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)], _ stopped: Set<Int>,
    _ keys: SyncKeys, amongAwaited awaited: Set<SyncRow>
  ) throws(FeatureEditError) -> Set<SyncRow> {
    var staying = try stayingBehind(changes, tables.map(\.table), keys)
    for (layer, table) in tables {
      let own = changes.filter { table.isNamed($0.table) }
      if stopped.contains(layer.layerID) { staying.formUnion(own.map(SyncRow.init)) }
      staying.formUnion(own.filter { $0.globalID == nil }.map(SyncRow.init))
      guard table.schema.geometryType != nil else { continue }
      let written = own.filter { $0.isWritten && awaited.contains(SyncRow($0)) }
      staying.formUnion(try unreadable(among: written.map(\.objectID).sorted(), in: table))
    }
    return staying
  }
}

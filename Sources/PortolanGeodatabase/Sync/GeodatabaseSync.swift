internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Exchanges changes between a file and its service, each time in one transaction.
struct GeodatabaseSync {
  let editing: GeodatabaseEditing

  var file: EditedFile { editing.file }
  var store: SyncStore { SyncStore(file: file) }

  // MARK: - Registration

  /// The registration, and the definition that says so.
  private func registration() throws(FeatureEditError) -> (
    state: GeodatabaseSyncState, id: Int64, definition: String
  )? {
    let rows = try file.rows(
      "SELECT ObjectID, Definition FROM GDB_Items WHERE Type = ?1 ORDER BY ObjectID",
      [.text(ItemType.syncReplica.rawValue)], in: "the list of items")
    for row in rows {
      guard case .integer(let id) = row[0], case .text(let text) = row[1],
        var state = GeodatabaseSyncState(definition: text)
      else { continue }
      state.lastSync = try LocalHistory(file).lastSync()
      return (state, id, text)
    }
    return nil
  }

  /// The registration, without the home that it was made in.
  func state() throws(FeatureEditError) -> GeodatabaseSyncState? { try registration()?.state }

  /// The document of the registration.
  func definition() throws(FeatureEditError) -> String? { try registration()?.definition }

  func requiredState() throws(FeatureEditError) -> GeodatabaseSyncState {
    guard let state = try state() else {
      throw .unreadable(file: file.path, reason: "it does not come from a service")
    }
    return state
  }

  func update(_ change: (inout ReplicaDefinition) -> Void) throws(FeatureEditError) {
    guard let found = try registration() else { return }
    var definition = ReplicaDefinition(text: found.definition)
    change(&definition)
    guard definition.text != found.definition else { return }
    try file.run(
      "UPDATE GDB_Items SET Definition = ?1 WHERE ObjectID = ?2",
      [.text(definition.text), .integer(found.id)], in: "the list of items")
  }

  // MARK: - Tables

  /// The tables that are synchronized and whose edits are known from their history.
  func tables(
    _ state: GeodatabaseSyncState
  ) throws(FeatureEditError) -> [(layer: GeodatabaseSyncState.Layer, table: EditedTable)] {
    var tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)] = []
    for layer in state.layers {
      if case .success(let table) = try synchronizedTable(layer.table) {
        tables.append((layer, table))
      }
    }
    return tables
  }

  /// A table that can be synchronized, or why it cannot be.
  private func synchronizedTable(
    _ name: String
  ) throws(FeatureEditError) -> Result<EditedTable, UnsynchronizedTable> {
    func refusal(_ reason: UnsynchronizedTable.Reason) -> Result<EditedTable, UnsynchronizedTable> {
      .failure(UnsynchronizedTable(table: name, reason: reason))
    }
    guard try file.hasTable(name) else { return refusal(.absent) }
    do throws(FeatureEditError) {
      let table = try file.table(name)
      guard table.schema.globalIDField != nil else { return refusal(.noGlobalIDs) }
      return table.storage.isTracked ? .success(table) : refusal(.noHistory)
    } catch {
      guard case .tableNotEditable = error else { throw error }
      return refusal(.notEditable)
    }
  }

  /// The tables that are left out of synchronization, and how many edits therefore stay here.
  ///
  /// - Parameter stopped: The layers whose edits stay for another reason, which is listed elsewhere.
  /// - Returns: The tables.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func unsynchronizedTables(
    leavingOut stopped: Set<Int>
  ) throws(FeatureEditError) -> [UnsynchronizedTable] {
    let state = try requiredState()
    let changes = try editing.localChanges().changes
    var left: [UnsynchronizedTable] = []
    for layer in state.layers {
      guard case .failure(var table) = try synchronizedTable(layer.table) else { continue }
      table.layerID = layer.layerID
      table.edits = changes.count { $0.table.isSameName(as: layer.table) }
      left.append(table)
    }
    let known = state.layers.map { $0.table.lowercased() }
    let others = Dictionary(grouping: changes) { $0.table }
      .filter { !known.contains($0.key.lowercased()) }
    for (name, edits) in others.sorted(by: { $0.key < $1.key }) {
      left.append(UnsynchronizedTable(table: name, reason: .notRegistered, edits: edits.count))
    }
    left += try tablesWithoutIDs(state, changes)
    left += try tablesHeldBack(state, changes, leavingOut: stopped)
    return try left + tablesWithoutAttachments(state, changes)
  }

  /// The tables of which only what has no global ids, or no shape that can be read, is left out, or what relates
  /// to such a new feature, where that was edited.
  private func tablesWithoutIDs(
    _ state: GeodatabaseSyncState, _ changes: [LocalChange]
  ) throws(FeatureEditError) -> [UnsynchronizedTable] {
    let isExchanged = try exchangesAttachments()
    let tables = try tables(state)
    let staying = try stayingBehind(
      changes, tables.map(\.table), SyncKeys(file: file, since: try SyncRows(file).since))
    var left: [UnsynchronizedTable] = []
    for (_, table) in tables {
      let own = changes.filter { table.isNamed($0.table) }
      if let features = UnsynchronizedTable(featuresWithoutGlobalIDs: own, of: table.name) {
        left.append(features)
      }
      let sent = own.filter { $0.isWritten && $0.globalID != nil }
      let readable = Set(
        (try features(sent, .add, table) + features(sent, .update, table)).map(\.objectID))
      if readable.count < sent.count {
        left.append(
          UnsynchronizedTable(
            table: table.name, reason: .featuresWithUnreadableShapes,
            edits: sent.count - readable.count))
      }
      let related = sent.count {
        readable.contains($0.objectID) && staying.contains(SyncRow($0))
      }
      if related > 0 {
        left.append(
          UnsynchronizedTable(
            table: table.name, reason: .featuresRelatedToUnreadableOnes, edits: related))
      }
      guard isExchanged, try attachments(of: table) != nil else { continue }
      if let files = UnsynchronizedTable(attachmentsWithoutGlobalIDs: own, of: table.name) {
        left.append(files)
      }
    }
    return left
  }

  /// The tables of which only the attachments are left out, where some were edited.
  private func tablesWithoutAttachments(
    _ state: GeodatabaseSyncState, _ changes: [LocalChange]
  ) throws(FeatureEditError) -> [UnsynchronizedTable] {
    let isExchanged = try exchangesAttachments()
    var left: [UnsynchronizedTable] = []
    for (_, table) in try tables(state) {
      let edits = changes.count {
        table.isNamed($0.table) && $0.kind != .delete && !$0.attachments.isEmpty
      }
      guard edits > 0 else { continue }
      if isExchanged, try attachments(of: table) != nil { continue }
      left.append(
        UnsynchronizedTable(table: table.name, reason: .attachmentsNotExchanged, edits: edits))
    }
    return left
  }

  /// Whether the service takes attachments from this replica.
  func exchangesAttachments() throws(FeatureEditError) -> Bool {
    guard let replica = try replica(), try state()?.isRegistered == true else { return true }
    return replica.attachmentsDirection != .none
  }

  /// Whether attachments come from the service into this replica.
  func receivesAttachments() throws(FeatureEditError) -> Bool {
    guard let replica = try replica(), try state()?.isRegistered == true else { return true }
    return [.bidirectional, .download].contains(replica.attachmentsDirection)
  }

  /// The table with the attachments of another.
  func attachments(of table: EditedTable) throws(FeatureEditError) -> EditedTable? {
    guard table.schema.hasAttachments else { return nil }
    let found = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: table.name)
    }
    guard let found, found.storage.isTracked else { return nil }
    return try file.table(found.storage.name)
  }

  func finish(_ rows: SyncRows) throws(FeatureEditError) {
    try editing.settings.format.editing.finish(
      rows.writer.written, in: file, at: editing.settings.now())
  }

  /// A feature as it is here; `nil` if it is not there, or its shape cannot be read.
  func feature(
    _ objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) -> Feature? {
    try file.reading { reader throws(FeatureStoreError) -> Feature? in
      let query = QueryParameters(objectIDs: [objectID])
      do throws(FeatureStoreError) {
        return try reader.features(in: table.name, matching: query).first
      } catch {
        guard case .unreadableRow = error else { throw error }
        return nil
      }
    }
  }
}

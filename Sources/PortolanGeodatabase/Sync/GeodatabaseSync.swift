internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Brings a file and what its service says together, each time in one transaction.
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
    for layer in state.layers where try file.hasTable(layer.table) {
      let table = try file.table(layer.table)
      guard table.storage.isTracked, table.schema.globalIDField != nil else { continue }
      tables.append((layer, table))
    }
    return tables
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

  func feature(
    _ objectID: Int64, in table: EditedTable
  ) throws(FeatureEditError) -> Feature? {
    try file.reading { reader throws(FeatureStoreError) in
      try reader.features(in: table.name, matching: QueryParameters(objectIDs: [objectID])).first
    }
  }
}

internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// Writes what changed at the service, and how far the file has come, in one transaction.
  ///
  /// A feature that was edited here too is left as it is here, and listed as a conflict.
  func receive(
    _ delta: GeodatabaseDelta, _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) -> SyncReceipt {
    try editing.rewriting { () throws(FeatureEditError) in
      try write(delta, generations, whole)
    }
  }

  /// Writes what changed at the service, inside of a transaction.
  ///
  /// Of a table that has lost a field there nothing is written, and its generation stays, so that what
  /// has come now comes again.
  func write(
    _ delta: GeodatabaseDelta, _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) -> SyncReceipt {
    let changes = try editing.localChanges().changes
    let state = try requiredState()
    let tables = try tables(state)
    var delta = delta.withOneEntryPerLayer.withoutDeletions(ofWhatIsThere: tables)
    var receipt = SyncReceipt()
    receipt.changedFields = tables.compactMap { layer, table in
      delta.layers.first { $0.layerID == layer.layerID }.flatMap { ChangedFields($0, in: table) }
    }
    let stopped = Set(receipt.changedFields.filter(\.stopsExchange).map(\.layerID))
    // Where the layers go together, none goes on without the others.
    guard stopped.isEmpty || state.syncModel == .perLayer else { return receipt }
    delta.layers.removeAll { stopped.contains($0.layerID) }
    let rows = try SyncRows(file)
    let issues = try SyncIssueList(store)
    let withheld = try WithheldFiles(store)
    let removals = try ReceivedRemovals(delta, tables, changes, issues, rows)
    for (layer, table) in tables {
      let part = delta.layers.first { $0.layerID == layer.layerID }
      let isWaiting =
        issues.hasUnstorable(ofLayer: layer.layerID)
        || !withheld.entries(ofLayer: layer.layerID).isEmpty
      guard part != nil || isWaiting else { continue }
      let received = ReceivedLayer(
        sync: self, rows: rows, layer: layer, table: table,
        changes: changes.filter { table.isNamed($0.table) }, issues: issues, withheld: withheld,
        kept: removals.kept)
      let earlier = receipt
      if let part { try received.receive(part, &receipt) }
      try received.tryAgain(besides: part, &receipt)
      try received.tryFilesAgain(besides: part, &receipt)
      receipt.note(since: earlier, ofLayer: layer.layerID)
    }
    try ReceivedParts(delta, tables, changes, rows).note(in: issues, &receipt)
    try finish(rows)
    let known = Set(tables.map(\.layer.layerID)).subtracting(stopped)
    try update { definition in
      // Of a layer that is left out nothing has come in.
      for (id, generation) in generations where known.contains(id) {
        definition.setGeneration(generation, ofLayer: id)
      }
      if let whole, stopped.isEmpty { definition.setGeneration(whole) }
    }
    return receipt
  }
}

extension GeodatabaseDelta {
  /// The same changes; what services list of a layer in several places is in one.
  fileprivate var withOneEntryPerLayer: GeodatabaseDelta {
    var delta = self
    delta.layers = []
    for layer in layers {
      guard let index = delta.layers.firstIndex(where: { $0.layerID == layer.layerID }) else {
        delta.layers.append(layer)
        continue
      }
      delta.layers[index].adds += layer.adds
      delta.layers[index].updates += layer.updates
      delta.layers[index].deletes += layer.deletes
      delta.layers[index].addedFiles += layer.addedFiles
      delta.layers[index].updatedFiles += layer.updatedFiles
      delta.layers[index].deletedFiles += layer.deletedFiles
      delta.layers[index].incomplete += layer.incomplete
      delta.layers[index].unknownFields += layer.unknownFields
    }
    return delta
  }

  /// The same changes without the deletions of rows that are among them: what was deleted and added
  /// again under its global id since the last time is listed both ways, and is there.
  fileprivate func withoutDeletions(
    ofWhatIsThere tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)]
  ) -> GeodatabaseDelta {
    var delta = self
    for index in delta.layers.indices {
      let layer = delta.layers[index]
      guard let table = tables.first(where: { $0.layer.layerID == layer.layerID })?.table else {
        continue
      }
      let features = (layer.adds + layer.updates + layer.incomplete.map(\.feature)).compactMap {
        $0.attributes.globalID(table.schema)
      }
      let files = (layer.addedFiles + layer.updatedFiles).compactMap(\.attachment.globalID)
      delta.layers[index].deletes = layer.deletes.without(features)
      delta.layers[index].deletedFiles = layer.deletedFiles.without(files)
    }
    return delta
  }
}

extension [String] {
  /// The ids but for some, however each is written.
  fileprivate func without(_ others: [String]) -> [String] {
    guard !isEmpty, !others.isEmpty else { return self }
    let known = Set(others.map(\.plainID))
    return filter { !known.contains($0.plainID) }
  }
}

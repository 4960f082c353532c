internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// Writes what changed at the service, and how far the file has come, in one transaction.
  ///
  /// A feature that was edited here too is left as it is here, and listed as a conflict.
  func receive(
    _ changes: [any LayerChanges], _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) -> SyncReceipt {
    try editing.rewriting { () throws(FeatureEditError) in
      try write(changes, generations, whole)
    }
  }

  /// Writes what changed at the service, read from a file row by row.
  func receive(
    _ delta: GeodatabaseDeltaFile, _ generations: [Int: Int64], _ whole: Int64?,
    leavingOut layers: Set<Int>
  ) throws(FeatureEditError) -> SyncReceipt {
    let hasFiles = try receivesAttachments()
    let changes: [DeltaFileLayer]
    do { changes = try DeltaReader(delta.url).changes(withFiles: hasFiles) } catch {
      throw FeatureEditError(error)
    }
    return try receive(changes.filter { !layers.contains($0.layerID) }, generations, whole)
  }

  /// Writes what changed at the service, inside of a transaction.
  ///
  /// Of a table that has lost a field there nothing is written, and its generation stays, so that what
  /// has come now comes again.
  func write(
    _ received: [any LayerChanges], _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) -> SyncReceipt {
    let changes = try editing.localChanges().changes
    let state = try requiredState()
    let tables = try tables(state)
    var parts = ReceivedPart.parts(of: received)
    var receipt = SyncReceipt()
    for (layer, table) in tables {
      guard let index = parts.firstIndex(where: { $0.layerID == layer.layerID }) else { continue }
      try parts[index].leaveOutDeletions(ofWhatIsThereIn: table)
      if let fields = try ChangedFields(parts[index], in: table) {
        receipt.changedFields.append(fields)
      }
    }
    let stopped = Set(receipt.changedFields.filter(\.stopsExchange).map(\.layerID))
    // Where the layers go together, none continues without the others.
    guard stopped.isEmpty || state.syncModel == .perLayer else { return receipt }
    parts.removeAll { stopped.contains($0.layerID) }
    let rows = try SyncRows(file)
    let issues = try SyncIssueList(store)
    let withheld = try WithheldFiles(store)
    // What a feature was let go with stays let go only while that is deleted here.
    let deleted = Set(changes.filter { $0.kind == .delete }.compactMap { $0.globalID?.plainID })
    for var issue in issues.all where issue.goesWith.map({ !deleted.contains($0.plainID) }) ?? false
    {
      issue.goesWith = nil
      try issues.put(issue)
    }
    let waiting = issues.all.filter { $0.isAboutWithheldFeature && $0.goesWith == nil }
    let removals = try ReceivedRemovals(parts, tables, changes, issues, rows)
    // Not every service sends the rows whose keys it has emptied with a feature.
    try rows.emptyKeys(
      ofDeleted: Self.deletedTwice(parts, tables, changes), in: tables.map(\.table), among: changes)
    for (layer, table) in tables {
      let part = parts.first { $0.layerID == layer.layerID }
      let isWaiting =
        issues.hasUnstorable(ofLayer: layer.layerID)
        || !withheld.entries(ofLayer: layer.layerID).isEmpty
      guard part != nil || isWaiting else { continue }
      let receiver = ReceivedLayer(
        sync: self, rows: rows, layer: layer, table: table,
        changes: changes.filter { table.isNamed($0.table) }, issues: issues, withheld: withheld,
        kept: removals.kept)
      let earlier = receipt
      if let part { try receiver.receive(part, &receipt) }
      try receiver.tryAgain(besides: part, &receipt)
      try receiver.tryFilesAgain(besides: part, &receipt)
      receipt.note(since: earlier, ofLayer: layer.layerID)
    }
    let stored = waiting.filter {
      issues[$0.layerID, $0.globalID]?.isAboutWithheldFeature != true
    }
    try ReceivedParts(parts, stored, tables, changes, rows).note(in: issues, &receipt)
    try finish(rows)
    // Of a layer that is left out nothing has come in.
    let known = Set(tables.map(\.layer.layerID)).subtracting(stopped)
    try setGenerations(
      generations.filter { known.contains($0.key) }, stopped.isEmpty ? whole : nil)
    return receipt
  }

  /// The features that were deleted here and by others.
  private static func deletedTwice(
    _ parts: [ReceivedPart],
    _ tables: [(layer: GeodatabaseSyncState.Layer, table: EditedTable)], _ changes: [LocalChange]
  ) -> [SyncRow] {
    tables.flatMap { layer, table in
      let gone = Set(
        parts.filter { $0.layerID == layer.layerID }.flatMap(\.deletes).map(\.plainID))
      return changes.filter { change in
        change.kind == .delete && table.isNamed(change.table)
          && change.globalID.map { gone.contains($0.plainID) } ?? false
      }.map(SyncRow.init)
    }
  }

  private func setGenerations(
    _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) {
    try update { definition in
      for (id, generation) in generations { definition.setGeneration(generation, ofLayer: id) }
      if let whole { definition.setGeneration(whole) }
    }
  }
}

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
  func write(
    _ delta: GeodatabaseDelta, _ generations: [Int: Int64], _ whole: Int64?
  ) throws(FeatureEditError) -> SyncReceipt {
    let changes = try editing.localChanges().changes
    let tables = try tables(try requiredState())
    let rows = try SyncRows(file)
    let issues = try SyncIssueList(store)
    let removals = try ReceivedRemovals(delta, tables, changes, issues, rows)
    var receipt = SyncReceipt()
    for (layer, table) in tables {
      guard let part = delta.layers.first(where: { $0.layerID == layer.layerID }) else {
        continue
      }
      let received = ReceivedLayer(
        sync: self, rows: rows, layer: layer, table: table,
        changes: changes.filter { table.isNamed($0.table) }, issues: issues, kept: removals.kept)
      try received.receive(part, &receipt)
    }
    try ReceivedParts(delta, tables, changes, rows).note(in: issues, &receipt)
    try finish(rows)
    let known = Set(tables.map(\.layer.layerID))
    try update { definition in
      // Of a layer that is left out nothing has come in.
      for (id, generation) in generations where known.contains(id) {
        definition.setGeneration(generation, ofLayer: id)
      }
      if let whole { definition.setGeneration(whole) }
    }
    return receipt
  }
}

/// What a service has sent of one layer.
private struct ReceivedLayer {
  let sync: GeodatabaseSync
  let rows: SyncRows
  let layer: GeodatabaseSyncState.Layer
  let table: EditedTable
  /// What waits for a decision.
  let issues: SyncIssueList
  /// The features that stay although others have removed them.
  let kept: Set<SyncRow>
  /// The edits here, by global id.
  private let edits: [String: LocalChange]
  /// The edits of attachments here, by the global id of the attachment.
  private let fileEdits: [String: (feature: LocalChange, file: LocalChange.AttachmentChange)]

  init(
    sync: GeodatabaseSync, rows: SyncRows, layer: GeodatabaseSyncState.Layer, table: EditedTable,
    changes: [LocalChange], issues: SyncIssueList, kept: Set<SyncRow>
  ) {
    self.sync = sync
    self.rows = rows
    self.layer = layer
    self.table = table
    self.issues = issues
    self.kept = kept
    edits = Dictionary(
      changes.compactMap { change in change.globalID.map { ($0.plainID, change) } },
      uniquingKeysWith: { first, _ in first })
    var fileEdits: [String: (feature: LocalChange, file: LocalChange.AttachmentChange)] = [:]
    for change in changes {
      for file in change.attachments {
        if let id = file.globalID { fileEdits[id.plainID] = (feature: change, file: file) }
      }
    }
    self.fileEdits = fileEdits
  }

  func receive(
    _ part: GeodatabaseDelta.Layer, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    for feature in part.adds + part.updates { try receive(feature, &receipt) }
    var held: Set<Int64> = []
    for id in part.deletes {
      if let objectID = try receiveDeletion(of: id, &receipt) { held.insert(objectID) }
    }
    for file in part.addedFiles + part.updatedFiles { try receive(file, &receipt) }
    for id in part.deletedFiles { try receiveDeletion(ofFile: id, unlessOf: held, &receipt) }
  }

  // MARK: - Features

  private func receive(
    _ feature: Feature, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let id = feature.attributes.globalID(table.schema) else { return }
    if let edit = edits[id.plainID], let kind = edit.kind {
      if kind != .delete, let own = try sync.feature(edit.objectID, in: table),
        isSame(own, feature)
      {
        return
      }
      receipt.conflicts += 1
      try rows.rebase(edit.objectID, as: feature, in: table)
      return try issues.put(SyncIssue(edit, layer, theirs: feature, in: table))
    }
    if try rows.put(feature, id, in: table) { receipt.adds += 1 } else { receipt.updates += 1 }
    try settleIssue(of: id)
  }

  /// Takes what was to be decided off the list, once nothing is left of the edit: to give it up
  /// later would bring back what the service had then.
  private func settleIssue(of id: String) throws(FeatureEditError) {
    guard edits[id.plainID] == nil, let issue = issues[layer.layerID, id] else { return }
    try issues.remove(issue)
  }

  /// Removes a feature.
  ///
  /// - Returns: Its object id if it stays until somebody has decided.
  private func receiveDeletion(
    of id: String, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) -> Int64? {
    guard let edit = edits[id.plainID] else {
      guard let objectID = try rows.objectID(of: id, in: table) else {
        try settleIssue(of: id)
        return nil
      }
      guard !kept.contains(SyncRow(table.name, objectID)) else {
        let change = LocalChange(
          table: table.name, objectID: objectID, globalID: id, kind: nil)
        receipt.conflicts += 1
        var issue = SyncIssue(change, layer, theirs: nil, in: table)
        issue.edit = SyncIssue.noEdit
        try issues.put(issue)
        return objectID
      }
      try settleIssue(of: id)
      receipt.deletes += 1
      try rows.delete(objectID, from: table)
      return nil
    }
    guard edit.kind != .delete else {
      try settleDeletion(edit)
      return nil
    }
    receipt.conflicts += 1
    try issues.put(SyncIssue(edit, layer, theirs: nil, in: table))
    return edit.objectID
  }

  /// Both have removed a feature, with its attachments.
  private func settleDeletion(_ edit: LocalChange) throws(FeatureEditError) {
    let moment = try SyncRows.lastMoment(in: sync.file)
    if let files = try sync.attachments(of: table) {
      for file in edit.attachments { try rows.settle(file.id, of: files, upTo: moment) }
    }
    try rows.settle(edit.objectID, of: table, upTo: moment)
    if let id = edit.globalID, let issue = issues[layer.layerID, id] { try issues.remove(issue) }
  }

  /// Whether both have the same shape and the same values.
  private func isSame(_ own: Feature, _ other: Feature) -> Bool {
    guard own.geometry == other.geometry else { return false }
    let schema = table.schema
    let tracking = schema.editorTracking.map { "\($0)" } ?? ""
    return schema.fields.allSatisfy { field in
      field.name == schema.objectIDField || field.name == schema.globalIDField
        || tracking.contains("\"\(field.name)\"")
        || (own.attributes[field.name] ?? .null) == (other.attributes[field.name] ?? .null)
    }
  }

  // MARK: - Attachments

  private func receive(
    _ received: GeodatabaseDelta.File, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let files = try sync.attachments(of: table), let id = received.attachment.globalID
    else { return }
    if let edit = fileEdits[id.plainID] {
      // What was added here can only come back as it was sent.
      guard edit.file.kind != .add,
        try rows.rebase(edit.file.id, as: received.attachment, in: table, files)
      else { return }
      return try note(id, of: edit.feature, &receipt)
    }
    guard let owner = try rows.objectID(of: received.parentGlobalID, in: table) else {
      guard let edit = edits[received.parentGlobalID.plainID], edit.kind == .delete else { return }
      // It is there if the feature comes back.
      try rows.add(received.attachment, id, toDeleted: edit.objectID, of: table, files)
      return try note(id, of: edit, &receipt)
    }
    let place = EditPlace(table: table.name, objectID: owner)
    let present = try rows.rows().attachments(of: owner, in: table.name)
    if let known = present.first(where: { $0.globalID?.isSameID(as: id) == true }) {
      try rows.rows().update(known.id, received.attachment, in: table.name, at: place)
      receipt.updates += 1
    } else {
      _ = try rows.rows(id).insert(received.attachment, to: owner, in: table.name, at: place)
      receipt.adds += 1
    }
  }

  /// Removes an attachment, unless its feature is gone there and stays here until somebody has decided:
  /// it goes with the feature, if that is decided.
  private func receiveDeletion(
    ofFile id: String, unlessOf held: Set<Int64>, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let files = try sync.attachments(of: table) else { return }
    if let edit = fileEdits[id.plainID] {
      guard !held.contains(edit.feature.objectID) else { return }
      switch edit.file.kind {
      case .add: return
      case .delete:
        return try rows.settle(
          edit.file.id, of: files, upTo: try SyncRows.lastMoment(in: sync.file))
      case .update:
        try rows.makeNew(edit.file.id, of: files)
        return try note(id, of: edit.feature, &receipt)
      }
    }
    let found = try rows.rows().objectIDs(
      in: files.name, where: "GLOBALID", equals: .text("{\(id.plainID)}"))
    guard let objectID = found.first else { return }
    let owner = try rows.rows().attachment(objectID, in: table.name)?.objectID
    guard !(owner.map(held.contains) ?? false) else { return }
    try rows.rows().delete(attachment: objectID, in: table.name)
    receipt.deletes += 1
  }

  /// Lists an attachment that both sides have changed, or that went with a feature here.
  private func note(
    _ id: String, of edit: LocalChange, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    var issue = SyncIssue(edit, layer, theirs: nil, in: table)
    issue.isGoneThere = false
    if let known = issues[layer.layerID, issue.globalID], known.kind == .conflict { issue = known }
    issue.attachments = [id]
    receipt.conflicts += 1
    try issues.put(issue)
  }
}

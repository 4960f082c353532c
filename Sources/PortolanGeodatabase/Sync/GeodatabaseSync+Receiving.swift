internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

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
    let state = try requiredState()
    let rows = try SyncRows(file)
    let issues = try store.all()
    var receipt = SyncReceipt()
    for (layer, table) in try tables(state) {
      guard let part = delta.layers.first(where: { $0.layerID == layer.layerID }) else {
        continue
      }
      let own = changes.filter { $0.table.isSameName(as: table.name) }
      try ReceivedLayer(
        sync: self, rows: rows, layer: layer, table: table,
        edits: Dictionary(
          own.compactMap { change in change.globalID.map { ($0.plainID, change) } },
          uniquingKeysWith: { first, _ in first }),
        issues: Dictionary(
          issues.filter { $0.layerID == layer.layerID }.map { ($0.globalID.plainID, $0.id) },
          uniquingKeysWith: { $1 })
      ).receive(part, &receipt)
    }
    try finish(rows)
    try update { definition in
      for (id, generation) in generations {
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
  /// The edits here, by global id.
  let edits: [String: LocalChange]
  /// What waits for a decision, by global id.
  let issues: [String: SyncIssue.ID]

  func receive(
    _ part: GeodatabaseDelta.Layer, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    for feature in part.adds + part.updates { try receive(feature, &receipt) }
    for id in part.deletes { try receiveDeletion(of: id, &receipt) }
    for file in part.addedFiles + part.updatedFiles { try receive(file, &receipt) }
    let gone = Set(part.deletes.map(\.plainID))
    for id in part.deletedFiles { try receiveDeletion(ofFile: id, unlessOf: gone, &receipt) }
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
      return try sync.store.put(issue(edit, theirs: feature))
    }
    if try rows.put(feature, id, in: table) { receipt.adds += 1 } else { receipt.updates += 1 }
    try settleIssue(of: id)
  }

  /// Takes what was to be decided off the list, once nothing is left of the edit: to give it up
  /// later would bring back what the service had then.
  private func settleIssue(of id: String) throws(FeatureEditError) {
    if edits[id.plainID] == nil, let issue = issues[id.plainID] { try sync.store.remove(issue) }
  }

  private func receiveDeletion(
    of id: String, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let edit = edits[id.plainID] else {
      try settleIssue(of: id)
      guard let objectID = try rows.objectID(of: id, in: table) else { return }
      receipt.deletes += 1
      return try rows.delete(objectID, from: table)
    }
    guard edit.kind != .delete else {
      return try rows.settle(
        edit.objectID, of: table, upTo: try SyncRows.lastMoment(in: sync.file))
    }
    receipt.conflicts += 1
    try sync.store.put(issue(edit, theirs: nil))
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

  private func issue(_ edit: LocalChange, theirs: Feature?) -> SyncIssue {
    var document: JSONValue?
    if let theirs {
      var members: JSONObject = ["attributes": theirs.attributes.esriJSON]
      members["geometry"] = theirs.geometry?.esriJSON(
        spatialReference: table.schema.spatialReference)
      document = .object(members)
    }
    return SyncIssue(
      id: 0, kind: .conflict, table: table.name, layerID: layer.layerID, objectID: edit.objectID,
      globalID: edit.globalID ?? "", edit: edit.kind?.rawValue ?? "attachments",
      theirs: document.map(JSONText.init), isGoneThere: theirs == nil)
  }

  // MARK: - Attachments

  private func isEdited(_ globalID: String) -> Bool {
    edits.values.contains { change in
      change.attachments.contains { $0.globalID?.isSameID(as: globalID) == true }
    }
  }

  private func receive(
    _ received: GeodatabaseDelta.File, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let files = try sync.attachments(of: table), let id = received.attachment.globalID,
      !isEdited(id)
    else { return }
    guard let owner = try rows.objectID(of: received.parentGlobalID, in: table) else {
      guard let edit = edits[received.parentGlobalID.plainID], edit.kind == .delete else { return }
      // It is there if the feature comes back.
      return try rows.add(received.attachment, id, toDeleted: edit.objectID, of: table, files)
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

  /// Removes an attachment, unless its feature is gone there and was edited here: it goes with the
  /// feature, if somebody decides so.
  private func receiveDeletion(
    ofFile id: String, unlessOf gone: Set<String>, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard !isEdited(id), let files = try sync.attachments(of: table),
      let objectID = try rows.rows().objectIDs(
        in: files.name, where: "GLOBALID", equals: .text("{\(id.plainID)}")
      ).first
    else { return }
    let owner = try rows.rows().attachment(objectID, in: table.name)?.objectID
    let isHeld = edits.contains { gone.contains($0) && $1.objectID == owner }
    guard !isHeld else { return }
    try rows.rows().delete(attachment: objectID, in: table.name)
    receipt.deletes += 1
  }
}

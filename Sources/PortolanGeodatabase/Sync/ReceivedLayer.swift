internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// What a service has sent of one layer.
struct ReceivedLayer {
  let sync: GeodatabaseSync
  let rows: SyncRows
  let layer: GeodatabaseSyncState.Layer
  let table: EditedTable
  /// What waits for a decision.
  let issues: SyncIssueList
  /// The attachments of features that the file cannot hold.
  let withheld: WithheldFiles
  /// The features that stay although others have removed them.
  let kept: Set<SyncRow>
  /// The edits here, by global id.
  let edits: [String: LocalChange]
  /// The edits of attachments here, by the global id of the attachment.
  private let fileEdits: [String: (feature: LocalChange, file: LocalChange.AttachmentChange)]

  init(
    sync: GeodatabaseSync, rows: SyncRows, layer: GeodatabaseSyncState.Layer, table: EditedTable,
    changes: [LocalChange], issues: SyncIssueList, withheld: WithheldFiles, kept: Set<SyncRow>
  ) {
    self.sync = sync
    self.rows = rows
    self.layer = layer
    self.table = table
    self.issues = issues
    self.withheld = withheld
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
    _ part: ReceivedPart, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    try part.forEachRow { row throws(FeatureEditError) in
      switch row {
      case .incomplete(let row): try withhold(row, &receipt)
      case .whole(let feature): try receive(feature, try globalID(of: feature), &receipt)
      }
    }
    var held: Set<Int64> = []
    for id in part.deletes {
      if let objectID = try receiveDeletion(of: id, &receipt) { held.insert(objectID) }
    }
    try part.forEachFile { file throws(FeatureEditError) in try receive(file, &receipt) }
    for id in part.deletedFiles { try receiveDeletion(ofFile: id, unlessOf: held, &receipt) }
  }

  // MARK: - Features

  /// Which feature it is; what does not say so must not be passed over.
  func globalID(of feature: Feature) throws(FeatureEditError) -> String {
    guard let id = feature.attributes.globalID(table.schema), Self.isGlobalID(id) else {
      throw .damaged(
        file: sync.file.path, place: "the changes of \(table.name)",
        reason: "a feature does not say which it is")
    }
    return id
  }

  /// Whether a text is a global id: what came under another one would be new here each time.
  private static func isGlobalID(_ text: String) -> Bool { UUID(uuidString: text.plainID) != nil }

  func receive(
    _ feature: Feature, _ id: String, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    if let edit = edits[id.plainID], let kind = edit.kind {
      let own = kind == .delete ? nil : try sync.feature(edit.objectID, in: table)
      let base = try sync.synchronizedFeature(edit.objectID, in: table.name)
      let feature = onGrid(feature, like: [own, base])
      if let own, isSame(own, feature) {
        // If the service refuses the edit, what is given up for it is this.
        try rebase(edit, as: feature)
        return try settleAgreement(on: id, edit)
      }
      guard try !isKnown(feature, id, edit) else { return }
      receipt.conflicts += 1
      var issue = SyncIssue(edit, layer, theirs: feature, in: table)
      issue.before = try before(edit, id)
      try rebase(edit, as: feature)
      return try issues.put(issue)
    }
    do {
      if try rows.put(feature, id, in: table) { receipt.adds += 1 } else { receipt.updates += 1 }
    } catch {
      guard error.isAboutRow else { throw error }
      return try withhold(feature, id, because: error.errorDescription, &receipt)
    }
    // One that was gone there, and of which attachments were edited here, is there again.
    if let edit = edits[id.plainID] { return try settleAgreement(on: id, edit) }
    try settleUnstorable(id, nil)
    try settleIssue(of: id)
  }

  /// Takes a feature that was edited here for what others have made of it, if the file can hold that.
  private func rebase(_ edit: LocalChange, as feature: Feature) throws(FeatureEditError) {
    do { try rows.rebase(edit.objectID, as: feature, in: table) } catch {
      // To give the edit up then says why that cannot be.
      guard error.isAboutRow else { throw error }
    }
  }

  /// Takes a feature off the list that both sides have the same of by now.
  ///
  /// What is listed is what others had before, and to decide for that would bring it back here alone. What
  /// they have done to its attachments is still to be decided on.
  private func settleAgreement(on id: String, _ edit: LocalChange) throws(FeatureEditError) {
    try settleUnstorable(id, edit)
    guard let issue = issues[layer.layerID, id], issue.kind == .conflict,
      !issue.isAboutAttachmentsAlone
    else { return }
    try issues.remove(issue)
    guard issue.attachments != nil else { return }
    var rest = SyncIssue(edit, layer, theirs: nil, in: table)
    rest.isGoneThere = false
    rest.attachments = issue.attachments
    rest.removedAttachments = issue.removedAttachments
    try issues.put(rest)
  }

  /// Whether a feature that was edited here comes once more as it was synchronized, as where the service sends
  /// what it has received from here, or a generation was not believed: nobody has changed it.
  private func isKnown(
    _ feature: Feature, _ id: String, _ edit: LocalChange
  ) throws(FeatureEditError) -> Bool {
    guard edit.kind != .add, issues[layer.layerID, id] == nil,
      let base = try sync.synchronizedFeature(edit.objectID, in: table.name)
    else { return false }
    return isSame(base, feature)
  }

  /// What a feature that was changed here was before; of one that others have changed twice, before the
  /// first time.
  private func before(_ edit: LocalChange, _ id: String) throws(FeatureEditError) -> JSONText? {
    guard edit.kind == .update else { return nil }
    if let known = issues[layer.layerID, id], known.kind == .conflict, known.theirs != nil {
      return known.before
    }
    return try sync.synchronizedFeature(edit.objectID, in: table.name)
      .map { JSONText($0, in: table) }
  }

  /// Takes what was to be decided off the list, once nothing is left of the edit: to give it up
  /// later would restore what the service had then.
  private func settleIssue(of id: String) throws(FeatureEditError) {
    guard edits[id.plainID] == nil, let issue = issues[layer.layerID, id] else { return }
    try issues.remove(issue)
  }

  /// Removes a feature.
  ///
  /// - Returns: Its object id if it stays until the user has decided.
  private func receiveDeletion(
    of id: String, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) -> Int64? {
    try withheld.remove(of: id, layer.layerID)
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

  /// A feature with the shape that it has here, or had, where the table holds the same for both: services write
  /// more digits than its grid has.
  private func onGrid(_ feature: Feature, like known: [Feature?]) -> Feature {
    let place = EditPlace(table: table.name)
    guard table.storage.geometry != nil, let shape = feature.geometry,
      // What the table cannot hold is no shape that it has.
      let stored = try? table.stored(shape, at: place)
    else { return feature }
    let same = known.compactMap { $0?.geometry }.first { other in
      // What has been read from the table can be written; else it is another one.
      (try? table.stored(other, at: place)) == stored
    }
    var feature = feature
    if let same { feature.geometry = same }
    return feature
  }

  /// Whether both have the same shape and the same values.
  private func isSame(_ own: Feature, _ other: Feature) -> Bool {
    guard isSame(own.geometry, other.geometry) else { return false }
    let schema = table.schema
    let tracking = schema.editorTracking.map { "\($0)" } ?? ""
    return schema.fields.allSatisfy { field in
      field.name == schema.objectIDField || field.name == schema.globalIDField
        || tracking.contains("\"\(field.name)\"")
        || Self.isSame(
          own.attributes[field.name] ?? .null, other.attributes[field.name] ?? .null, field.type)
    }
  }

  /// Whether the table holds the same for both shapes: measures that are not known differ from each other.
  private func isSame(_ own: Geometry?, _ other: Geometry?) -> Bool {
    guard own != other else { return true }
    let place = EditPlace(table: table.name)
    guard let own, let other,
      // What the table cannot hold is no shape that it has.
      let stored = try? table.stored(own, at: place)
    else { return false }
    // The same.
    return (try? table.stored(other, at: place)) == stored
  }

  /// Services write GUIDs in their own letters, and numbers of single precision in fewer digits.
  private static func isSame(
    _ own: AttributeValue, _ other: AttributeValue, _ type: FieldType
  ) -> Bool {
    switch (own, other) {
    case (.text(let own), .text(let other)) where type == .guid: own.isSameID(as: other)
    case (.double(let own), .double(let other)) where type == .single: Float(own) == Float(other)
    default: own == other
    }
  }

  // MARK: - Attachments

  func receive(
    _ received: GeodatabaseDelta.File, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    guard let id = received.attachment.globalID, Self.isGlobalID(id) else {
      throw .damaged(
        file: sync.file.path, place: "the changes of \(table.name)",
        reason: "an attachment does not say which it is")
    }
    guard let files = try sync.attachments(of: table) else {
      return try withhold(received, id, &receipt)
    }
    do {
      try sync.file.attempt { () throws(FeatureEditError) in
        try receive(received, id, files, &receipt)
      }
    } catch {
      guard error.isAboutRow else { throw error }
      return try withhold(received, id, because: error, &receipt)
    }
    try settleFile(id, of: received.parentGlobalID)
  }

  private func receive(
    _ received: GeodatabaseDelta.File, _ id: String, _ files: EditedTable,
    _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    if let edit = fileEdits[id.plainID] {
      // What was added here can only come back as it was sent.
      guard edit.file.kind != .add,
        try rows.rebase(edit.file.id, as: received.attachment, in: table, files)
      else { return }
      return try note(id, of: edit.feature, &receipt)
    }
    guard let owner = try rows.objectID(of: received.parentGlobalID, in: table) else {
      if issues[layer.layerID, received.parentGlobalID]?.isAboutWithheldFeature == true {
        return try withheld.put(received, layer.layerID)
      }
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
    receipt.attachments += 1
  }

  /// Removes an attachment, unless its feature is gone there and stays here until the user has
  /// decided: it goes with the feature, if that is decided.
  private func receiveDeletion(
    ofFile id: String, unlessOf held: Set<Int64>, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    try withheld.remove(id, layer.layerID)
    try settleFile(id)
    guard let files = try sync.attachments(of: table) else { return }
    if let edit = fileEdits[id.plainID] {
      guard !held.contains(edit.feature.objectID) else { return }
      switch edit.file.kind {
      case .add: return
      case .delete:
        return try rows.settle(
          edit.file.id, of: files, upTo: try SyncRows.lastMoment(in: sync.file))
      case .update:
        let name = try sync.synchronizedFileName(edit.file.id, of: table.name)
        try rows.makeNew(edit.file.id, of: files)
        return try note(id, of: edit.feature, removed: [id.plainID: name ?? ""], &receipt)
      }
    }
    let found = try rows.rows().objectIDs(
      in: files.name, where: "GLOBALID", equals: .text("{\(id.plainID)}"))
    guard let objectID = found.first else { return }
    let owner = try rows.rows().attachment(objectID, in: table.name)?.objectID
    guard !(owner.map(held.contains) ?? false) else { return }
    try rows.rows().delete(attachment: objectID, in: table.name)
    receipt.deletes += 1
    receipt.attachments += 1
  }

  /// Lists an attachment that both sides have changed, or that went with a feature here; with its name if
  /// others have deleted it.
  private func note(
    _ id: String, of edit: LocalChange, removed name: [String: String]? = nil,
    _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    var issue = SyncIssue(edit, layer, theirs: nil, in: table)
    issue.isGoneThere = false
    // Attachments that the file cannot hold wait elsewhere, and hold no edit back.
    if let known = issues[layer.layerID, issue.globalID], known.kind != .rejected,
      !known.isAboutWithheldAttachments
    {
      issue = known
    }
    issue.attachments = [id]
    issue.removedAttachments = name
    receipt.conflicts += 1
    try issues.put(issue)
  }
}

internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// How many features are read at once.
  static let batch = 500

  /// What an upload takes.
  struct UploadLimits {
    /// The most bytes of attachments, unless one alone has more.
    var attachments: Int
    /// What its request takes, where the edits are written into it; one edit goes in any case.
    var request: SyncUpload.Limit?
  }

  /// The edits that are to be sent: all but those that the user must decide on first, and no more of them
  /// than `limits` allow.
  ///
  /// They are those of one state of the file: an edit that another program makes meanwhile is later
  /// than the moment of the upload. Those of layers that are left out take no room.
  ///
  /// - Parameters:
  ///   - limits: What goes at once.
  ///   - stopped: The layers whose edits stay.
  ///   - sent: The edits that were sent before, whatever became of them; the attachments of a feature that is
  ///     among them stay as well.
  /// - Returns: The edits.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func upload(
    _ limits: UploadLimits, leavingOut stopped: Set<Int>, besides sent: Set<SyncUpload.Edit>
  ) throws(FeatureEditError) -> SyncUpload {
    try file.transaction { () throws(FeatureEditError) in
      try editing.noticeOthers()
      return try makeUpload(limits, stopped, sent)
    }
  }

  private func makeUpload(
    _ limits: UploadLimits, _ stopped: Set<Int>, _ sent: Set<SyncUpload.Edit>
  ) throws(FeatureEditError) -> SyncUpload {
    let state = try requiredState()
    var plan = try uploadPlan(state, leavingOut: stopped, besides: sent)
    var upload = SyncUpload(
      delta: GeodatabaseDelta(
        replicaID: state.replicaID, serverGeneration: state.serverGeneration ?? 0, layers: []),
      edits: [], moment: try SyncRows.lastMoment(in: file),
      lastRows: try SyncRows.lastRows(in: file))
    upload.hasMore = plan.isWaiting
    var room = limits.request.map { RequestBudget(limit: $0) }
    let sendsFiles = try exchangesAttachments()
    var chosen: [ReadyEdits] = []
    for index in plan.queues.indices {
      let (layer, table) = (plan.queues[index].layer, plan.queues[index].table)
      var takesFiles = sendsFiles
      if takesFiles { takesFiles = try attachments(of: table) != nil }
      let own: [LocalChange]
      if var place = room {
        own = try first(of: index, in: &plan, &place, besides: sent, takesFiles)
        upload.hasMore = upload.hasMore || place.isFull || plan.hasUnreadable
        room = place
      } else {
        own = plan.queues[index].edits.compactMap { Self.left(of: $0, layer, sent, takesFiles) }
      }
      if !own.isEmpty { chosen.append((layer, table, own)) }
    }
    var files = attachmentRoom(limits, room, beside: chosen)
    for (layer, table, own) in chosen {
      let (part, edits) = try self.upload(own, layer, table, &files)
      guard !edits.isEmpty else { continue }
      upload.delta.layers.append(part)
      upload.edits += edits
    }
    upload.hasMore = upload.hasMore || files.isShort
    plan.note(upload)
    editing.uploadPlan = upload.isEmpty || !plan.isLasting ? nil : plan
    return upload
  }

  /// What an upload takes of attachments; in a request that the edits are written into they are Base64, and
  /// have the room that features leave.
  private func attachmentRoom(
    _ limits: UploadLimits, _ room: RequestBudget?, beside chosen: [ReadyEdits]
  ) -> AttachmentBudget {
    guard let room else { return AttachmentBudget(left: limits.attachments) }
    let hasFeatures = chosen.contains { $0.changes.contains { $0.kind != nil } }
    return AttachmentBudget(
      left: min(limits.attachments, room.bytes / 4 * 3), isUsed: hasFeatures)
  }

  /// The edits of a table that need no decision first.
  typealias ReadyEdits = (
    layer: GeodatabaseSyncState.Layer, table: EditedTable, changes: [LocalChange]
  )

  /// The edits that need no decision first, by table, and which of them belong together; none of new features
  /// whose shapes cannot be read and of what relates to them.
  func readyEdits(
    _ state: GeodatabaseSyncState, leavingOut stopped: Set<Int>
  ) throws(FeatureEditError) -> (edits: [ReadyEdits], families: SyncFamilies) {
    guard try !store.hasUnreadableIssues() else {
      throw .unreadable(file: file.path, reason: "a newer Portolan has written its conflicts")
    }
    let changes = try editing.localChanges().changes
    let issues = try SyncIssueList(store)
    let since = try SyncRows(file).since
    let families = try families(changes, issues.all, since)
    // Only a deletion would take along the attachments that the file cannot hold, also one of what the
    // feature is a part of.
    let deleted = Set(changes.filter { $0.kind == .delete }.map(SyncRow.init))
    var held = families.held(
      by: issues.all.filter { issue in
        // What goes with a deletion does not keep that from being sent.
        issue.goesWith == nil
          && (!issue.isAboutWithheldAttachments || deleted.contains(SyncRow(issue)))
      }.map(SyncRow.init))
    let tables = try tables(state)
    held.formUnion(
      try stayingBehind(changes, tables.map(\.table), SyncKeys(file: file, since: since)))
    var ready: [ReadyEdits] = []
    for (layer, table) in tables where !stopped.contains(layer.layerID) {
      let own = changes.filter { change in
        guard table.isNamed(change.table), let id = change.globalID else { return false }
        let issue = issues[layer.layerID, id]
        return (issue?.isAboutWithheldAttachments ?? true) && !held.contains(SyncRow(change))
      }
      ready.append((layer, table, own))
    }
    return (ready, families)
  }

  /// How many bytes of attachments an upload still takes, all of which are in memory for it.
  struct AttachmentBudget {
    var left: Int
    /// Whether something had no room.
    private(set) var isShort = false
    private var isUsed: Bool

    init(left: Int, isUsed: Bool = false) {
      self.left = left
      self.isUsed = isUsed
    }

    /// Whether so many bytes are taken; the first are, whatever they are.
    mutating func takes(_ count: Int) -> Bool {
      guard count <= left || !isUsed else {
        isShort = true
        return false
      }
      left -= min(max(0, count), left)
      isUsed = true
      return true
    }
  }

  /// The edits of a table as they are sent, and which they are; none of features whose shapes cannot be read.
  func upload(
    _ changes: [LocalChange], _ layer: GeodatabaseSyncState.Layer, _ table: EditedTable,
    _ room: inout AttachmentBudget
  ) throws(FeatureEditError) -> (GeodatabaseDelta.Layer, [SyncUpload.Edit]) {
    var delta = GeodatabaseDelta.Layer(
      layerID: layer.layerID, schema: table.schema.alone(named: table.schema.name),
      serverGeneration: layer.serverGeneration)
    delta.adds = try features(changes, .add, table)
    delta.updates = try features(changes, .update, table)
    let deletes = changes.filter { $0.kind == .delete }.sorted { $0.objectID < $1.objectID }
    delta.deletes = deletes.compactMap(\.globalID)
    let readable = Set((delta.adds + delta.updates).map(\.objectID))
    let sent = changes.filter { !$0.isWritten || readable.contains($0.objectID) }
    var edits: [SyncUpload.Edit] = []
    for kind in [LocalChange.Kind.add, .update, .delete] {
      let own = sent.filter { $0.kind == kind }.sorted { $0.objectID < $1.objectID }
      edits += own.compactMap { Self.edit($0, layer, kind) }
    }
    guard try exchangesAttachments(), try attachments(of: table) != nil else {
      return (delta, edits)
    }
    for change in sent where change.kind != .delete {
      for file in change.attachments {
        edits += try add(file, of: change, layer, table, to: &delta, &room)
      }
    }
    return (delta, edits)
  }

  /// An edit as it is named in uploads; `nil` for one of a feature without a global id.
  static func edit(
    _ change: LocalChange, _ layer: GeodatabaseSyncState.Layer, _ kind: LocalChange.Kind,
    _ file: LocalChange.AttachmentChange? = nil
  ) -> SyncUpload.Edit? {
    change.globalID.map { id in
      SyncUpload.Edit(
        table: change.table, layerID: layer.layerID, objectID: change.objectID, globalID: id,
        kind: kind.rawValue, attachmentID: file?.id, attachmentGlobalID: file?.globalID)
    }
  }

  /// The features of those changes that are of a kind, by their object ids.
  ///
  /// Those whose shapes cannot be read are left out: sent without them, they would have none at the service.
  func features(
    _ changes: [LocalChange], _ kind: LocalChange.Kind, _ table: EditedTable
  ) throws(FeatureEditError) -> [Feature] {
    let ids = changes.filter { $0.kind == kind }.map(\.objectID).sorted()
    var features: [Feature] = []
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      let some = Array(ids[start..<min(start + Self.batch, ids.count)])
      try forEachRow(of: table, matching: QueryParameters(objectIDs: some)) { row in
        if case .whole(let feature) = row { features.append(feature) }
      }
    }
    return features.sorted { $0.objectID < $1.objectID }
  }

  private func add(
    _ change: LocalChange.AttachmentChange, of feature: LocalChange,
    _ layer: GeodatabaseSyncState.Layer, _ table: EditedTable,
    to delta: inout GeodatabaseDelta.Layer, _ room: inout AttachmentBudget
  ) throws(FeatureEditError) -> [SyncUpload.Edit] {
    guard let globalID = change.globalID, let parent = feature.globalID,
      let edit = Self.edit(feature, layer, change.kind, change)
    else { return [] }
    if change.kind == .delete {
      delta.deletedFiles.append(globalID)
      return [edit]
    }
    let found = try file.reading { reader throws(FeatureStoreError) -> NewAttachment? in
      let list = try reader.attachments(of: feature.objectID, in: table.name)
      guard let info = list.first(where: { $0.id == change.id }), room.takes(info.size) else {
        return nil
      }
      return NewAttachment(
        name: info.name, contentType: info.contentType,
        data: try reader.data(of: change.id, in: table.name), id: change.id, globalID: globalID)
    }
    guard let found else { return [] }
    let file = GeodatabaseDelta.File(found, parentGlobalID: parent)
    if change.kind == .add {
      delta.addedFiles.append(file)
    } else {
      delta.updatedFiles.append(file)
    }
    return [edit]
  }
}

extension LocalChange {
  /// Whether the feature itself is sent, as it is now.
  var isWritten: Bool { kind == .add || kind == .update }
}

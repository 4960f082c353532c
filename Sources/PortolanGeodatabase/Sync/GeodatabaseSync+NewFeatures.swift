internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// Features that were added here, with all of their attachments, as many as go into one request; and those
  /// attachments that have not arrived with such features.
  ///
  /// - Parameters:
  ///   - limit: What goes at once; one feature goes in any case.
  ///   - stopped: The layers whose features stay.
  ///   - sent: The global ids of features that were sent before, whatever became of them.
  ///   - lacking: The global ids of those attachments, as keys.
  /// - Returns: The features.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func newFeatures(
    _ limit: SyncUpload.Limit, leavingOut stopped: Set<Int>, besides sent: Set<String>,
    with lacking: Set<String>
  ) throws(FeatureEditError) -> SyncUpload {
    try file.transaction { () throws(FeatureEditError) in
      try editing.noticeOthers()
      return try makeNewFeatures(limit, stopped, sent, lacking)
    }
  }

  private func makeNewFeatures(
    _ limit: SyncUpload.Limit, _ stopped: Set<Int>, _ sent: Set<String>, _ lacking: Set<String>
  ) throws(FeatureEditError) -> SyncUpload {
    let state = try requiredState()
    var upload = SyncUpload(
      delta: GeodatabaseDelta(replicaID: state.replicaID, layers: []), edits: [],
      moment: try SyncRows.lastMoment(in: file), lastRows: try SyncRows.lastRows(in: file))
    var plan = try newFeaturePlan(state, leavingOut: stopped, with: lacking)
    var room = RequestBudget(limit: limit)
    for queue in plan.queues {
      let (own, hasMore) = try first(of: queue, &room) { change in
        change.globalID.map(sent.contains) ?? true ? nil : Self.wanted(of: change, lacking)
      }
      upload.hasMore = upload.hasMore || hasMore
      guard !own.isEmpty else { continue }
      // They go with their features, however many there are.
      var files = AttachmentBudget(left: .max)
      let (part, edits) = try self.upload(own, queue.layer, queue.table, &files)
      guard !edits.isEmpty else { continue }
      upload.delta.layers.append(part)
      upload.edits += edits
    }
    plan.note(upload)
    editing.uploadPlan = upload.isEmpty || !plan.isLasting ? nil : plan
    return upload
  }

  /// The new features that are left, and such attachments: those that were found out for the last request, if
  /// they still are.
  private func newFeaturePlan(
    _ state: GeodatabaseSyncState, leavingOut stopped: Set<Int>, with lacking: Set<String>
  ) throws(FeatureEditError) -> UploadPlan {
    if let plan = editing.takeUploadPlan(),
      plan.holds(leavingOut: stopped, forNewFeaturesAnd: lacking)
    {
      return plan
    }
    let (ready, families) = try readyEdits(state, leavingOut: stopped)
    let wanted = ready.map { layer, table, changes in
      (layer, table, changes.compactMap { Self.wanted(of: $0, lacking) })
    }
    return UploadPlan(wanted, families, stopped: stopped, ofNewFeaturesAnd: lacking)
  }

  /// Those of the edits of a table that a request still takes, with all of their attachments, and whether there
  /// are more.
  private func first(
    of queue: UploadQueue, _ room: inout RequestBudget, wanted: (LocalChange) -> LocalChange?
  ) throws(FeatureEditError) -> (edits: [LocalChange], hasMore: Bool) {
    var (taken, hasMore, start): ([LocalChange], Bool, Int) = ([], false, 0)
    while start < queue.edits.count, !room.isFull {
      let some = queue.edits(from: start, atMost: Self.batch).compactMap(wanted)
      let own = try first(of: some, in: queue.table, &room, withFiles: true)
      hasMore = hasMore || own.count < some.count
      taken += own
      start += Self.batch
    }
    return (taken, hasMore)
  }

  /// What of an edit is sent: all of a new feature, of others the attachments that the service lacks.
  private static func wanted(
    of change: LocalChange, _ lacking: Set<String>
  ) -> LocalChange? {
    guard change.kind != .add else { return change }
    guard change.kind != .delete else { return nil }
    var rest = change
    rest.kind = nil
    rest.attachments = change.attachments.filter { file in
      file.kind == .add && file.globalID.map { lacking.contains($0.plainID) } ?? false
    }
    return rest.attachments.isEmpty ? nil : rest
  }

  /// Notes which attachments a service lacks although it has their features, which were added here.
  ///
  /// Where all edits are sent, they go without that.
  func noteLacking(
    after outcomes: [(edit: SyncUpload.Edit, isAccepted: Bool)]
  ) throws(FeatureEditError) {
    guard try state()?.isRegistered == false else { return }
    let added = outcomes.filter { $0.edit.kind == LocalChange.Kind.add.rawValue }
    let arrived = Set(
      added.filter { $0.isAccepted && $0.edit.attachmentID == nil }
        .map { SyncRow($0.edit.table, $0.edit.objectID) })
    var lacking = try store.lackingFiles()
    for (edit, isAccepted) in added {
      guard let id = edit.attachmentGlobalID?.plainID else { continue }
      if isAccepted {
        lacking.remove(id)
      } else if arrived.contains(SyncRow(edit.table, edit.objectID)) {
        lacking.insert(id)
      }
    }
    try store.setLacking(lacking)
  }
}

internal import PortolanFeatures

// Which edits go into the next request.
extension GeodatabaseSync {
  /// The edits that are to be sent: those that were found out for the last request, if they still are.
  func uploadPlan(
    _ state: GeodatabaseSyncState, leavingOut stopped: Set<Int>, besides sent: Set<SyncUpload.Edit>
  ) throws(FeatureEditError) -> UploadPlan {
    if let plan = editing.takeUploadPlan(), plan.holds(leavingOut: stopped, besides: sent) {
      return plan
    }
    let (ready, families) = try readyEdits(state, leavingOut: stopped)
    return UploadPlan(ready, families, stopped: stopped)
  }

  /// Those of the edits of a table that a request still takes; what was sent before, or cannot be read, is in
  /// its queue no longer.
  func first(
    of index: Int, in plan: inout UploadPlan, _ room: inout RequestBudget,
    besides sent: Set<SyncUpload.Edit>, _ takesFiles: Bool
  ) throws(FeatureEditError) -> [LocalChange] {
    let (layer, table) = (plan.queues[index].layer, plan.queues[index].table)
    var (own, start): ([LocalChange], Int) = ([], 0)
    while start < plan.queues[index].edits.count, !room.isFull {
      let some = plan.queues[index].edits(from: start, atMost: Self.batch)
      var left: [LocalChange] = []
      var over: [LocalChange] = []
      for change in some {
        if let rest = Self.left(of: change, layer, sent, takesFiles) {
          left.append(rest)
        } else {
          over.append(change)
        }
      }
      let taken = try first(of: left, in: table, &room, withFiles: false)
      own += taken
      start += some.count - over.count
      if !over.isEmpty {
        plan.drop(over, over.flatMap { Self.edits(of: $0, layer, sent) }, from: index)
      }
      guard !room.isFull else { break }
      let readable = Set(taken.map(\.objectID))
      let unreadable = Set(left.map(\.objectID)).subtracting(readable)
      start -= unreadable.count
      plan.setAside(unreadable, from: index)
    }
    return own
  }

  /// What of an edit is sent: nothing that was sent before, nor the attachments of a feature that was.
  static func left(
    of change: LocalChange, _ layer: GeodatabaseSyncState.Layer, _ sent: Set<SyncUpload.Edit>,
    _ takesFiles: Bool
  ) -> LocalChange? {
    if let kind = change.kind, let edit = edit(change, layer, kind), sent.contains(edit) {
      return nil
    }
    var rest = change
    rest.attachments = change.attachments.filter { file in
      guard takesFiles, file.globalID != nil, let edit = edit(change, layer, file.kind, file)
      else { return false }
      return !sent.contains(edit)
    }
    return rest.kind == nil && rest.attachments.isEmpty ? nil : rest
  }

  /// Those edits of a change that were sent before.
  private static func edits(
    of change: LocalChange, _ layer: GeodatabaseSyncState.Layer, _ sent: Set<SyncUpload.Edit>
  ) -> [SyncUpload.Edit] {
    let own = change.kind.flatMap { edit(change, layer, $0) }
    let files = change.attachments.compactMap { edit(change, layer, $0.kind, $0) }
    return ([own].compactMap(\.self) + files).filter(sent.contains)
  }
}

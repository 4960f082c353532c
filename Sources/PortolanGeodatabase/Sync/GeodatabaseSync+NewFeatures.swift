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
      try makeNewFeatures(limit, stopped, sent, lacking)
    }
  }

  private func makeNewFeatures(
    _ limit: SyncUpload.Limit, _ stopped: Set<Int>, _ sent: Set<String>, _ lacking: Set<String>
  ) throws(FeatureEditError) -> SyncUpload {
    let state = try requiredState()
    var upload = SyncUpload(
      delta: GeodatabaseDelta(replicaID: state.replicaID, layers: []), edits: [],
      moment: try SyncRows.lastMoment(in: file), lastRows: try SyncRows.lastRows(in: file))
    var room = RequestBudget(limit: limit)
    for (layer, table, changes) in try readyEdits(state, leavingOut: stopped).edits {
      let wanted = changes.compactMap { change in
        change.globalID.map(sent.contains) ?? true ? nil : Self.wanted(of: change, lacking)
      }
      let own = try first(of: wanted, in: table, &room, withFiles: true)
      upload.hasMore = upload.hasMore || own.count < wanted.count
      guard !own.isEmpty else { continue }
      // They go with their features, however many there are.
      var files = AttachmentBudget(left: .max)
      let (part, edits) = try self.upload(own, layer, table, &files)
      guard !edits.isEmpty else { continue }
      upload.delta.layers.append(part)
      upload.edits += edits
    }
    return upload
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

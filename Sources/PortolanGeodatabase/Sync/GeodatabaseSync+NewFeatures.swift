internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// Features that were added here, with all of their attachments, as many as go into one request.
  ///
  /// - Parameters:
  ///   - limit: What goes at once; one feature goes in any case.
  ///   - stopped: The layers whose features stay.
  ///   - sent: The global ids of features that were sent before, whatever became of them.
  /// - Returns: The features.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func newFeatures(
    _ limit: SyncUpload.Limit, leavingOut stopped: Set<Int>, besides sent: Set<String>
  ) throws(FeatureEditError) -> SyncUpload {
    try file.transaction { () throws(FeatureEditError) in
      try makeNewFeatures(limit, stopped, sent)
    }
  }

  private func makeNewFeatures(
    _ limit: SyncUpload.Limit, _ stopped: Set<Int>, _ sent: Set<String>
  ) throws(FeatureEditError) -> SyncUpload {
    let state = try requiredState()
    var upload = SyncUpload(
      delta: GeodatabaseDelta(replicaID: state.replicaID, layers: []), edits: [],
      moment: try SyncRows.lastMoment(in: file), lastRows: try SyncRows.lastRows(in: file))
    var room = RequestBudget(limit: limit)
    for (layer, table, changes) in try readyEdits(state, leavingOut: stopped).edits {
      let added = changes.filter { change in
        change.kind == .add && !(change.globalID.map(sent.contains) ?? true)
      }
      let own = try first(of: added, in: table, &room, withFiles: true)
      upload.hasMore = upload.hasMore || own.count < added.count
      guard !own.isEmpty else { continue }
      // They go with their features, however many there are.
      var files = AttachmentBudget(left: .max)
      let (part, edits) = try self.upload(own, layer, table, &files)
      upload.delta.layers.append(part)
      upload.edits += edits
    }
    return upload
  }
}

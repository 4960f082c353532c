internal import PortolanFeatures

/// The edits that are still to be sent, kept between the requests of an upload: to find them out anew for each
/// request would read all of them as often as there are requests.
///
/// It holds as long as nothing changes in the file but what becomes of these edits.
struct UploadPlan {
  /// The layers whose edits stay.
  let stopped: Set<Int>
  /// The edits that need not wait for others, by table.
  var queues: [UploadQueue]
  /// Whether some cannot be read and are in no queue.
  var hasUnreadable = false
  /// The edits, the moment and the last rows of the last upload that was made from it.
  private var lastUpload: (edits: [SyncUpload.Edit], moment: Double, rows: [String: Int64]) =
    ([], 0, [:])
  /// The edits that wait for others.
  private var waiting: [SyncRow: LocalChange] = [:]
  /// For how many others each edit waits.
  private var awaited: [SyncRow: Int] = [:]
  private var followers: [SyncRow: [SyncRow]] = [:]
  private let linked: Set<SyncRow>
  private let mentions: [SyncRow: [SyncFamilies.Mention]]
  /// The edits that are in no queue any more since they were sent before.
  private var dropped: Set<SyncUpload.Edit> = []
  /// The attachments that it holds beside new features, as keys, where nothing else is sent.
  private let lacking: Set<String>?
  /// Whether what is left of it is what would be found out anew.
  let isLasting: Bool

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - edits: The edits by table.
  ///   - families: What of them belongs together.
  ///   - stopped: The layers whose edits stay, which are not among them.
  ///   - lacking: Given where nothing is sent but new features and these attachments: none of that waits for
  ///     edits which are never sent.
  init(
    _ edits: [GeodatabaseSync.ReadyEdits], _ families: SyncFamilies, stopped: Set<Int>,
    ofNewFeaturesAnd lacking: Set<String>? = nil
  ) {
    self.stopped = stopped
    self.lacking = lacking
    let waits = { (change: LocalChange) in lacking == nil && families.waits(SyncRow(change)) }
    queues = edits.map { layer, table, changes in
      UploadQueue(layer, table, changes.filter { !waits($0) })
    }
    for change in edits.flatMap(\.changes) where waits(change) {
      waiting[SyncRow(change)] = change
    }
    for (row, others) in families.awaited {
      awaited[row] = others.count
      for other in others { followers[other, default: []].append(row) }
    }
    linked = families.linked
    mentions = families.mentions
    let tables = Set(edits.map { $0.table.name.lowercased() })
    // What is refused holds back whatever has the same global id, such as what was added again under it.
    let hasTwins = edits.contains { _, _, changes in
      let ids = changes.compactMap(\.globalID?.plainID)
      return Set(ids).count < ids.count
    }
    isLasting = families.isLasting && tables.count == edits.count && !hasTwins
  }

  /// Whether some edits wait for others to arrive.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether it holds for an upload that leaves out these layers, and these edits, which were sent before.
  func holds(leavingOut stopped: Set<Int>, besides sent: Set<SyncUpload.Edit>) -> Bool {
    lacking == nil && isLasting && stopped == self.stopped && dropped.isSubset(of: sent)
  }

  /// Whether it holds for new features without those of some layers, and these attachments besides.
  func holds(leavingOut stopped: Set<Int>, forNewFeaturesAnd files: Set<String>) -> Bool {
    guard let lacking, isLasting else { return false }
    return stopped == self.stopped && files.isSubset(of: lacking)
  }

  mutating func note(_ upload: SyncUpload) {
    lastUpload = (upload.edits, upload.moment, upload.lastRows)
  }

  /// Whether an upload is the last one that was made from it, or a part of that: the edits of one before may be
  /// in no queue any more.
  func isSource(of upload: PendingUpload) -> Bool {
    isLasting && upload.moment == lastUpload.moment
      && upload.lastRows ?? lastUpload.rows == lastUpload.rows
      && Set(lastUpload.edits).isSuperset(of: upload.edits)
  }

  /// Takes edits out of a queue that were sent before, whatever became of them.
  mutating func drop(_ changes: [LocalChange], _ edits: [SyncUpload.Edit], from index: Int) {
    queues[index].remove(Set(changes.map(\.objectID)))
    dropped.formUnion(edits)
  }

  /// Takes edits out of a queue that cannot be read.
  mutating func setAside(_ ids: Set<Int64>, from index: Int) {
    guard !ids.isEmpty else { return }
    queues[index].remove(ids)
    hasUnreadable = true
  }

  // MARK: - What becomes of an upload

  /// The attachments that were deleted with features whose deletion was sent.
  func filesOfDeleted(in upload: PendingUpload) -> [SyncRow: [Attachment.ID]] {
    var files: [SyncRow: [Attachment.ID]] = [:]
    for queue in queues {
      let ids = upload.edits.filter { $0.layerID == queue.layer.layerID && $0.isDeletionOfFeature }
      for change in queue.changes(of: Set(ids.map(\.objectID))) where change.kind == .delete {
        files[SyncRow(change)] = change.attachments.map(\.id)
      }
    }
    return files
  }

  /// The rows that were edited here and held the key of a feature that was deleted here.
  func mentions(of edit: SyncUpload.Edit) -> [SyncFamilies.Mention] {
    mentions[SyncRow(edit.table, edit.objectID)] ?? []
  }

  /// Takes out what a service has received, and lets go what has waited for it.
  mutating func settle(_ accepted: [SyncUpload.Edit]) {
    for (layerID, edits) in Dictionary(grouping: accepted, by: \.layerID) {
      guard let index = queues.firstIndex(where: { $0.layer.layerID == layerID }) else { continue }
      queues[index].settle(edits)
    }
    var freed: [LocalChange] = []
    for edit in accepted where edit.attachmentID == nil {
      for row in followers.removeValue(forKey: SyncRow(edit.table, edit.objectID)) ?? [] {
        guard let count = awaited[row] else { continue }
        awaited[row] = count > 1 ? count - 1 : nil
        if count == 1, let change = waiting.removeValue(forKey: row) { freed.append(change) }
      }
    }
    for (table, changes) in Dictionary(grouping: freed, by: \.table) {
      guard let index = queues.firstIndex(where: { $0.table.isNamed(table) }) else { continue }
      queues[index].insert(changes)
    }
  }

  /// Takes out what a service has refused.
  ///
  /// - Returns: Whether that is all that changes; if not, the plan holds no longer.
  mutating func refuse(_ edits: [SyncUpload.Edit]) -> Bool {
    guard edits.allSatisfy({ !linked.contains(SyncRow($0.table, $0.objectID)) }) else {
      return false
    }
    for (layerID, edits) in Dictionary(grouping: edits, by: \.layerID) {
      guard let index = queues.firstIndex(where: { $0.layer.layerID == layerID }) else { continue }
      queues[index].remove(Set(edits.map(\.objectID)))
    }
    return true
  }
}

/// The edits of a table that can be sent, by their object ids; what is asked of it is near its beginning.
struct UploadQueue {
  let layer: GeodatabaseSyncState.Layer
  let table: EditedTable
  private(set) var edits: [LocalChange]

  init(_ layer: GeodatabaseSyncState.Layer, _ table: EditedTable, _ edits: [LocalChange]) {
    self.layer = layer
    self.table = table
    self.edits = edits.sorted { $0.objectID < $1.objectID }
  }

  /// Some of the edits, by themselves: the queue may change while they are in use.
  func edits(from start: Int, atMost count: Int) -> [LocalChange] {
    Array(edits[start..<min(start + count, edits.count)])
  }

  /// The edits of some features.
  func changes(of ids: Set<Int64>) -> [LocalChange] {
    guard !ids.isEmpty else { return [] }
    return edits[..<end(of: ids)].filter { ids.contains($0.objectID) }
  }

  mutating func remove(_ ids: Set<Int64>) {
    let end = end(of: ids)
    let rest = edits[..<end].filter { !ids.contains($0.objectID) }
    edits.replaceSubrange(..<end, with: rest)
  }

  /// Takes out what a service has received; the attachments that it has not stay.
  mutating func settle(_ accepted: [SyncUpload.Edit]) {
    let byFeature = Dictionary(grouping: accepted, by: \.objectID)
    let end = end(of: byFeature.keys)
    let rest = edits[..<end].compactMap { change -> LocalChange? in
      guard let own = byFeature[change.objectID] else { return change }
      guard !own.contains(where: \.isDeletionOfFeature) else { return nil }
      var rest = change
      if own.contains(where: { $0.attachmentID == nil }) { rest.kind = nil }
      let arrived = Set(own.compactMap(\.attachmentID))
      rest.attachments.removeAll { arrived.contains($0.id) }
      return rest.kind == nil && rest.attachments.isEmpty ? nil : rest
    }
    edits.replaceSubrange(..<end, with: rest)
  }

  mutating func insert(_ changes: [LocalChange]) {
    edits += changes
    edits.sort { $0.objectID < $1.objectID }
  }

  /// Where the edits of some features end.
  private func end(of ids: some Sequence<Int64>) -> Int {
    guard let last = ids.max() else { return 0 }
    return edits.firstIndex { $0.objectID > last } ?? edits.count
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

extension GeodatabaseSync {
  /// How many features are weighed at once.
  private static let weighed = 50

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
      moment: try SyncRows.lastMoment(in: file))
    var room = RequestRoom(limit: limit)
    for (layer, table, changes) in try readyEdits(state, leavingOut: stopped).edits {
      let added = changes.filter { change in
        change.kind == .add && !(change.globalID.map(sent.contains) ?? true)
      }
      let own = try first(of: added, in: table, &room)
      upload.hasMore = upload.hasMore || own.count < added.count
      guard !own.isEmpty else { continue }
      // They go with their features, however many there are.
      var files = AttachmentRoom(left: .max)
      let (part, edits) = try self.upload(own, layer, table, &files)
      upload.delta.layers.append(part)
      upload.edits += edits
    }
    return upload
  }

  /// What a request still takes.
  private struct RequestRoom {
    private var features: Int
    private var bytes: Int
    private var isUsed = false
    /// Whether something had no room.
    private(set) var isFull = false

    init(limit: SyncUpload.Limit) {
      (features, bytes) = (limit.features, limit.bytes)
    }

    /// Whether a feature of that size is taken; the first is, whatever it is, and none after one that is
    /// not.
    mutating func takes(_ size: Int) -> Bool {
      guard !isFull, !isUsed || features > 0 && size <= bytes else {
        isFull = true
        return false
      }
      features -= 1
      bytes -= min(size, bytes)
      isUsed = true
      return true
    }
  }

  private func first(
    of changes: [LocalChange], in table: EditedTable, _ room: inout RequestRoom
  ) throws(FeatureEditError) -> [LocalChange] {
    let ordered = changes.sorted { $0.objectID < $1.objectID }
    var taken: [LocalChange] = []
    for start in stride(from: 0, to: ordered.count, by: Self.weighed) {
      let some = Array(ordered[start..<min(start + Self.weighed, ordered.count)])
      guard !room.isFull else { return taken }
      let features = Dictionary(
        try features(some, .add, table).map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
      for change in some {
        let size = (features[change.objectID]?.requestSize ?? 0) + (try sizeOfFiles(change, table))
        guard room.takes(size) else { return taken }
        taken.append(change)
      }
    }
    return taken
  }

  /// How many bytes the attachments of a new feature have in a request, where they are Base64.
  private func sizeOfFiles(
    _ change: LocalChange, _ table: EditedTable
  ) throws(FeatureEditError) -> Int {
    guard !change.attachments.isEmpty else { return 0 }
    let files = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachments(of: change.objectID, in: table.name)
    }
    // The file says how large they are, and may say anything.
    return files.reduce(0) { $0 + min($1.size, Int(Int32.max)) / 3 * 4 }
  }
}

extension Feature {
  /// About how many bytes it has in a request.
  fileprivate var requestSize: Int {
    let vertices = geometry?.paths.reduce(0) { $0 + $1.count } ?? 0
    let texts = attributes.values.reduce(0) { sum, value in
      if case .text(let text) = value { sum + text.utf8.count } else { sum + 20 }
    }
    return vertices * 40 + texts
  }
}

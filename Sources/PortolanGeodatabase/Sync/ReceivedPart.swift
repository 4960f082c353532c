internal import PortolanFeatures

/// The changes of one layer that a service has sent, whether in one place or in several.
///
/// Rows and attachments are read each time they are asked for, so that they are not in memory together.
struct ReceivedPart {
  /// The id in the service.
  let layerID: Int
  /// The global ids of rows that were deleted.
  private(set) var deletes: [String] = []
  /// The global ids of attachments that were deleted.
  private(set) var deletedFiles: [String] = []
  private var sources: [any LayerChanges] = []

  private init(layerID: Int) { self.layerID = layerID }

  /// Merges the changes received for each layer.
  static func parts(of changes: [any LayerChanges]) -> [ReceivedPart] {
    var parts: [ReceivedPart] = []
    for layer in changes {
      let index = parts.firstIndex { $0.layerID == layer.layerID } ?? parts.count
      if index == parts.count { parts.append(ReceivedPart(layerID: layer.layerID)) }
      parts[index].deletes += layer.deletes
      parts[index].deletedFiles += layer.deletedFiles
      parts[index].sources.append(layer)
    }
    return parts
  }

  /// The names of fields in the received rows that the layer does not have.
  var unknownFields: [String] { sources.flatMap(\.unknownFields) }

  /// The fields that new and different rows come with.
  func fieldLists() throws(FeatureEditError) -> [FieldList] {
    var lists: [FieldList] = []
    for source in sources {
      lists += try Self.reading { () throws(FeatureStoreError) in try source.fieldLists() }
    }
    return lists
  }

  /// Calls `body` with each row that is new or different.
  func forEachRow(
    withShapes hasShapes: Bool = true, _ body: (DeltaRow) throws(FeatureEditError) -> Void
  ) throws(FeatureEditError) {
    for source in sources {
      let cursor = try Self.reading { () throws(FeatureStoreError) in
        try source.rows(withShapes: hasShapes)
      }
      while let row = try Self.next(of: cursor) { try body(row) }
    }
  }

  /// Calls `body` with each attachment that is new or different.
  func forEachFile(
    _ body: (GeodatabaseDelta.File) throws(FeatureEditError) -> Void
  ) throws(FeatureEditError) {
    for source in sources {
      let cursor = try Self.reading { () throws(FeatureStoreError) in try source.files() }
      while let file = try Self.next(of: cursor) { try body(file) }
    }
  }

  // MARK: - Ids

  /// Which of some global ids, as keys, are those of rows that are new or different.
  func ids(
    _ ids: Set<String>, ofRowsIn table: EditedTable
  ) throws(FeatureEditError) -> Set<String> {
    var found: Set<String> = []
    guard !ids.isEmpty else { return found }
    try forEachRow(withShapes: false) { row throws(FeatureEditError) in
      guard let id = row.feature.attributes.globalID(table.schema)?.plainID, ids.contains(id)
      else { return }
      found.insert(id)
    }
    return found
  }

  /// Which of some global ids, as keys, are those of attachments that are new or different.
  func fileIDs(among ids: Set<String>) throws(FeatureEditError) -> Set<String> {
    var found: Set<String> = []
    guard !ids.isEmpty else { return found }
    for source in sources {
      let cursor = try Self.reading { () throws(FeatureStoreError) in try source.fileIDs() }
      while let id = try Self.next(of: cursor)?.plainID {
        if ids.contains(id) { found.insert(id) }
      }
    }
    return found
  }

  /// Takes off the deletions of rows and attachments that are among those that have come: what was deleted
  /// and added again under its global id since the last time is listed both ways, and is there.
  mutating func leaveOutDeletions(
    ofWhatIsThereIn table: EditedTable
  ) throws(FeatureEditError) {
    let rows = try ids(Set(deletes.map(\.plainID)), ofRowsIn: table)
    if !rows.isEmpty { deletes.removeAll { rows.contains($0.plainID) } }
    let files = try fileIDs(among: Set(deletedFiles.map(\.plainID)))
    if !files.isEmpty { deletedFiles.removeAll { files.contains($0.plainID) } }
  }

  // MARK: - Reading

  private static func next<Element>(
    of cursor: DeltaCursor<Element>
  ) throws(FeatureEditError) -> Element? {
    try reading { () throws(FeatureStoreError) in try cursor.next() }
  }

  /// Reads, with errors in the words of editors.
  private static func reading<T>(
    _ body: () throws(FeatureStoreError) -> T
  ) throws(FeatureEditError) -> T {
    do { return try body() } catch { throw FeatureEditError(error) }
  }
}

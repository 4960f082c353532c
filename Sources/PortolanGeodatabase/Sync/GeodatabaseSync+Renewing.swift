internal import Foundation
internal import PortolanFeatures

extension GeodatabaseSync {
  /// The registration as it was made.
  func replica() throws(FeatureEditError) -> SyncReplica? {
    try definition().flatMap(SyncReplica.init(definition:))
  }

  /// What the file has of each layer, as it was when it was synchronized; of features whose shapes cannot be
  /// read, what else they say.
  ///
  /// - Parameter schemas: The fields that count, by layer; those of the file unless given.
  /// - Returns: The layers.
  /// - Throws: ``FeatureEditError``.
  func contents(
    _ schemas: [Int: FeatureTableSchema] = [:]
  ) throws(FeatureEditError) -> [CopiedLayer] {
    let changes = try editing.localChanges().changes
    let bases = try bases(of: changes)
    var layers: [CopiedLayer] = []
    for (layer, table) in try tables(try requiredState()) {
      let own = changes.filter { $0.table.isSameName(as: table.name) }
      let schema = schemas[layer.layerID] ?? table.schema
      var contents = CopiedLayer(layerID: layer.layerID, table: table.name, schema: schema)
      let edited = Set(own.compactMap { $0.kind == nil ? nil : $0.objectID })
      var ids: [Int64: String] = [:]
      try forEachRow(of: table) { row in
        let feature = row.feature
        if let id = feature.attributes.globalID(table.schema) { ids[feature.objectID] = id }
        if !edited.contains(feature.objectID) { contents.add(row, table.schema) }
      }
      for row in bases[layer.layerID] ?? [] { contents.add(row, table.schema) }
      if try attachments(of: table) != nil { contents.files = try files(of: table, ids) }
      layers.append(contents)
    }
    return layers
  }

  /// Replaces the registration with a new one, applies the differences of its replica, and records
  /// the home that it is for, unless that is `nil`.
  ///
  /// Tables of layers that are left out stay in the file with their edits, and are no part of the replica.
  func renew(
    _ fresh: SyncReplica, _ delta: GeodatabaseDelta, home: String?, leavingOut removed: Set<Int>
  ) throws(FeatureEditError) -> SyncReceipt {
    try editing.rewriting { () throws(FeatureEditError) in
      let generations = Dictionary(
        fresh.layers.map { ($0.layerID, $0.serverGeneration) }, uniquingKeysWith: { $1 })
      // What the file could not hold is another feature there by now, or comes again as it is.
      let issues = try SyncIssueList(store)
      for issue in issues.all where issue.kind == .unstorable { try issues.remove(issue) }
      try WithheldFiles(store).removeAll()
      let receipt = try write(delta.layers, generations, fresh.serverGeneration)
      try update { definition in
        definition.setReplica(fresh.replicaID, named: fresh.name)
        definition.removeLayers(removed)
      }
      try store.setPending(nil)
      try store.setRequested(nil)
      if let home { try store.setHome(home) }
      return receipt
    }
  }

  // MARK: - Reading

  /// The edited features as they were when they were synchronized, by layer.
  ///
  /// The edits are discarded in a transaction that is never committed.
  private func bases(
    of changes: [LocalChange]
  ) throws(FeatureEditError) -> [Int: [DeltaRow]] {
    var bases: [Int: [DeltaRow]] = [:]
    do throws(FeatureEditError) {
      try file.transaction { () throws(FeatureEditError) in
        let synced = try SyncRows(file)
        for (layer, table) in try tables(try requiredState()) {
          let own = changes.filter {
            $0.table.isSameName(as: table.name) && ($0.kind == .update || $0.kind == .delete)
          }
          for change in own { try synced.revert(change.objectID, of: table) }
          guard !own.isEmpty else { continue }
          var rows: [DeltaRow] = []
          let query = QueryParameters(objectIDs: own.map(\.objectID))
          try forEachRow(of: table, matching: query) { rows.append($0) }
          bases[layer.layerID] = rows
        }
        // Nothing of this is kept.
        throw .nothingToUndo
      }
    } catch {
      guard case .nothingToUndo = error else { throw error }
    }
    return bases
  }

  /// Calls `body` with each row of a query, without its shape if that cannot be read.
  func forEachRow(
    of table: EditedTable, matching query: QueryParameters = QueryParameters(),
    _ body: (DeltaRow) -> Void
  ) throws(FeatureEditError) {
    try file.reading { reader throws(FeatureStoreError) in
      let cursor = try reader.cursor(in: table.name, matching: query)
      while let row = try reader.row(after: cursor, of: table.name) { body(row) }
    }
  }

  private func files(
    of table: EditedTable, _ owners: [Int64: String]
  ) throws(FeatureEditError) -> [String: CopiedLayer.File] {
    let found = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: table.name)
    }
    guard let found, let attachments = try attachments(of: table) else { return [:] }
    let sync = try SyncRows(file)
    let rows = sync.rows()
    var files: [String: CopiedLayer.File] = [:]
    for (objectID, parent) in owners {
      for file in try rows.attachments(of: objectID, in: table.name) {
        guard let id = file.globalID else { continue }
        files[id.plainID] = CopiedLayer.File(
          id: file.id, globalID: id, owner: objectID, parentGlobalID: parent,
          fingerprint: try sync.fingerprint(of: file.id, in: attachments, found.columns))
      }
    }
    return files
  }
}

extension GeodatabaseReader {
  /// The next row of a cursor, without its shape if that cannot be read; `nil` at the end.
  ///
  /// - Throws: For a row of which nothing can be read: what is passed over would count as gone.
  borrowing func row(
    after cursor: FeatureCursor, of table: String
  ) throws(FeatureStoreError) -> DeltaRow? {
    do throws(FeatureStoreError) {
      return try cursor.next().map { .whole($0) }
    } catch .unreadableRow(let row) {
      let query = QueryParameters(objectIDs: [row.objectID], returnsGeometry: false)
      guard let feature = try features(in: table, matching: query).first else {
        throw FeatureStoreError.unreadableRow(row)
      }
      return .incomplete(GeodatabaseDelta.IncompleteRow(feature, reason: row.reason))
    }
  }
}

/// The features of a layer in a replica, and their state at the last synchronization.
struct CopiedLayer: Sendable {
  /// A feature: where it is in the file, and what stands for its values and shape; `nil` if that cannot be
  /// read.
  struct Row: Sendable {
    let objectID: Int64
    let fingerprint: Int?
  }

  /// An attachment, and the feature that it belongs to.
  struct File: Sendable {
    let id: Attachment.ID
    let globalID: String
    let owner: Int64
    let parentGlobalID: String
    /// What stands for its name and contents, as it was when it was synchronized.
    let fingerprint: Int
  }

  /// The layer in the service.
  let layerID: Int
  /// The name of the table.
  let table: String
  /// The fields that count.
  let schema: FeatureTableSchema
  /// The features, by global id.
  private(set) var rows: [String: Row] = [:]
  /// Those of them whose shapes cannot be read, in the order of the file.
  private(set) var incomplete: [GeodatabaseDelta.IncompleteRow] = []
  /// The attachments by global id; `nil` if they are not synchronized.
  var files: [String: File]?

  init(layerID: Int, table: String, schema: FeatureTableSchema) {
    self.layerID = layerID
    self.table = table
    self.schema = schema
  }

  mutating func add(_ row: DeltaRow, _ own: FeatureTableSchema) {
    guard let id = row.feature.attributes.globalID(own)?.plainID else { return }
    switch row {
    case .whole(let feature):
      rows[id] = Row(objectID: feature.objectID, fingerprint: fingerprint(of: feature))
    case .incomplete(let row):
      rows[id] = Row(objectID: row.feature.objectID, fingerprint: nil)
      incomplete.append(row)
    }
  }

  /// A number that is another one where values or the shape differ.
  private func fingerprint(of feature: Feature) -> Int {
    var hasher = Hasher()
    // The last editor, and the date, differ between the service and here.
    let tracking = schema.editorTracking.map { "\($0)" } ?? ""
    for field in schema.fields
    where field.name != schema.objectIDField && field.name != schema.globalIDField
      && !tracking.contains("\"\(field.name)\"")
    {
      hasher.combine(feature.attributes[field.name] ?? .null)
    }
    hasher.combine(feature.geometry)
    return hasher.finalize()
  }

  /// The object ids of another replica's features that this one lacks, has otherwise, or cannot read; none of
  /// those that cannot be read there.
  func changedRows(in other: CopiedLayer) -> (adds: [Int64], updates: [Int64]) {
    var (adds, updates): ([Int64], [Int64]) = ([], [])
    for (id, row) in other.rows where row.fingerprint != nil {
      guard let own = rows[id] else {
        adds.append(row.objectID)
        continue
      }
      if own.fingerprint != row.fingerprint { updates.append(row.objectID) }
    }
    return (adds.sorted(), updates.sorted())
  }

  /// Whether a feature is another in another replica.
  func differs(_ id: String, from other: CopiedLayer) -> Bool {
    rows[id]?.fingerprint != other.rows[id]?.fingerprint
  }

  /// The global ids of features that another replica lacks.
  func rowsMissing(in other: CopiedLayer) -> [String] {
    rows.keys.filter { other.rows[$0] == nil }.map { "{\($0)}" }.sorted()
  }
}

extension EditableGeodatabase {
  /// What another replica of a layer has that a replica does not have, and the other way round.
  func difference(
    from own: CopiedLayer, to other: CopiedLayer
  ) async throws
    -> GeodatabaseDelta.Layer
  {
    var delta = GeodatabaseDelta.Layer(
      layerID: own.layerID, schema: own.schema.alone(named: own.schema.name), serverGeneration: 0)
    let changed = own.changedRows(in: other)
    delta.adds = try await features(changed.adds, in: other.table)
    delta.updates = try await features(changed.updates, in: other.table)
    delta.deletes = own.rowsMissing(in: other)
    // They stay here as they are, and their service is asked for them.
    delta.incomplete = other.incomplete
    guard let ownFiles = own.files, let files = other.files else { return delta }
    for (id, file) in files where ownFiles[id]?.fingerprint != file.fingerprint {
      let list = try await attachments(of: file.owner, in: other.table)
      guard let info = list.first(where: { $0.id == file.id }) else { continue }
      let data = try await self.data(of: file.id, in: other.table)
      let found = GeodatabaseDelta.File(
        NewAttachment(
          name: info.name, contentType: info.contentType, data: data, id: info.id,
          globalID: file.globalID), parentGlobalID: file.parentGlobalID)
      if ownFiles[id] == nil {
        delta.addedFiles.append(found)
      } else {
        delta.updatedFiles.append(found)
      }
    }
    delta.deletedFiles = ownFiles.filter { files[$0.key] == nil }.map(\.value.globalID).sorted()
    return delta
  }

  private func features(_ ids: [Int64], in table: String) async throws -> [Feature] {
    var found: [Feature] = []
    for start in stride(from: 0, to: ids.count, by: 500) {
      let some = Array(ids[start..<min(start + 500, ids.count)])
      found += try await features(in: table, matching: QueryParameters(objectIDs: some)).collect()
    }
    return found
  }
}

extension GeodatabaseDelta.Layer {
  /// Takes features that the service has, although its new replica lacks them, off the deleted ones, with
  /// their attachments; those that are others there by now come in.
  ///
  /// - Parameters:
  ///   - found: What the service has, by global id; `nil` if it does not tell: then nothing is removed.
  ///   - own: The layer here.
  mutating func keep(_ found: [String: Feature]?, of own: CopiedLayer) {
    let kept = Set((found.map { Array($0.keys) } ?? deletes).map(\.plainID))
    deletes.removeAll { kept.contains($0.plainID) }
    deletedFiles.removeAll { id in
      own.files?[id.plainID].map { kept.contains($0.parentGlobalID.plainID) } ?? false
    }
    guard let found, let field = own.schema.globalIDField else { return }
    var there = CopiedLayer(layerID: own.layerID, table: own.table, schema: own.schema)
    for (id, feature) in found {
      var feature = feature
      feature.attributes[field] = .text("{\(id.plainID)}")
      there.add(.whole(feature), own.schema)
      if own.differs(id.plainID, from: there) { updates.append(feature) }
    }
  }
}

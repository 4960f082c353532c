internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// A replica that a service has made as JSON, since it makes no geodatabases; converted here to
/// one.
struct ReplicaJSON {
  let json: JSONValue
  let options: GenerateGeodatabaseParameters
  let service: FeatureService
  /// The layers that were requested.
  let tables: [GeodatabaseDefinition.Table]
  /// The fields by which attachments name their features, by layer.
  private let keyFields: [Int: String]
  /// Called before the geodatabase is there with how many features of each layer have shapes that cannot be
  /// read; with `nil`, a replica with such features is refused, since those that it lacks would pass for gone.
  var willLack: (@Sendable ([String: Int]) async throws -> Void)?

  /// Reads a replica; `nil` if the file is no JSON.
  ///
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` for JSON that is none.
  init?(
    readingFrom file: URL, _ options: GenerateGeodatabaseParameters, _ service: FeatureService,
    _ tables: [GeodatabaseDefinition.Table]
  ) throws(OfflineMapError) {
    guard let json = try JSONFile.read(file) else { return nil }
    self.json = json
    self.options = options
    self.service = service
    keyFields = Dictionary(
      tables.compactMap { table -> (Int, String)? in
        guard let id = table.schema.serviceLayerID, let field = table.schema.globalIDField else {
          return nil
        }
        return (id, field)
      }, uniquingKeysWith: { first, _ in first })
    self.tables = tables.map { table in
      var table = table
      table.schema = Self.schema(table.schema, options, among: tables.map(\.schema.name))
      return table
    }
  }

  /// Writes the geodatabase, registered as the service knows it.
  ///
  /// Features whose shapes cannot be read come without them; where the geodatabase is synchronized they are
  /// listed in it instead, since what is sent of them later would remove their shapes. So are those that its
  /// tables cannot hold.
  ///
  /// - Parameters:
  ///   - url: The file, replacing any file there.
  ///   - now: When it is made.
  ///   - makeID: Makes the ids of items.
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` if the copy lacks what it must say,
  ///   `GeodatabaseWriterError`.
  func write(to url: URL, now: Date, makeID: @escaping @Sendable () -> UUID) async throws {
    let layers = json["layers"]?.array ?? []
    let present = tables.filter { table in
      layers.contains { $0["id"]?.int == table.schema.serviceLayerID }
    }
    var contents: [Contents] = []
    let folder = url.deletingLastPathComponent()
    for table in present {
      contents.append(try await self.contents(of: table.schema, layers, in: folder))
    }
    let info = try await service.info()
    let definition = GeodatabaseDefinition(
      name: service.url.deletingLastPathComponent().lastPathComponent,
      capabilities: info.capabilities.words.joined(separator: ","), tables: present,
      syncReplica: options.syncModel == .none ? nil : try registration(now))
    let unreadable = contents.filter { $0.unreadable > 0 }
    try await willLack?(
      Dictionary(
        unreadable.map { ($0.name, $0.unreadable) }, uniquingKeysWith: +))
    guard let id = definition.syncReplica?.replicaID else {
      return try write(&contents, definition, to: url, now, makeID)
    }
    // A process that ends in between must leave no geodatabase that says nothing of what it lacks.
    let draft = folder.appending(path: ".\(url.lastPathComponent).draft")
    try write(&contents, definition, to: draft, now, makeID)
    let lacking = contents.filter(\.hasMore)
    if !lacking.isEmpty { try await list(lacking, of: id, in: draft, now, makeID) }
    try FileSystem.live.rename(draft, to: url)
  }

  /// Writes all that fits; where the geodatabase is synchronized the rest is noted in the contents.
  private func write(
    _ contents: inout [Contents], _ definition: GeodatabaseDefinition, to url: URL, _ now: Date,
    _ makeID: @escaping @Sendable () -> UUID
  ) throws(GeodatabaseWriterError) {
    let writer = try GeodatabaseWriter(at: url, definition, now: now, makeID: makeID)
    for index in contents.indices {
      let name = contents[index].schema.name
      let listsMisfits =
        definition.syncReplica != nil && contents[index].schema.globalIDField != nil
      var misfits: [Feature] = []
      var known: Set<Int64> = []
      var parents: [String: Int64] = [:]
      for row in contents[index].rows {
        // A table that keeps its history would find an id that is there twice only when it is finished.
        let isKnown = row.objectID > 0 && !known.insert(row.objectID).inserted
        guard !isKnown || !listsMisfits else {
          misfits.append(row)
          continue
        }
        do throws(GeodatabaseWriterError) {
          let id = try writer.append(row, to: name)
          if let key = contents[index].key(of: row) { parents[key] = id }
        } catch {
          guard case .invalidValue = error, listsMisfits else { throw error }
          misfits.append(row)
        }
      }
      contents[index].set(misfits)
      for file in contents[index].files {
        // What belongs to no feature would be found by none.
        guard let parent = contents[index].parent(of: file, among: parents) else { continue }
        try writer.append(file.attachment, toFeature: parent, of: name)
      }
    }
    try writer.finish()
  }

  /// Records features whose shapes cannot be read, which synchronizations of the geodatabase query
  /// again, and those that it cannot hold, which they try to write again.
  private func list(
    _ contents: [Contents], of replicaID: UUID, in file: URL, _ now: Date,
    _ makeID: @escaping @Sendable () -> UUID
  ) async throws {
    let layers = contents.compactMap { content -> GeodatabaseDelta.Layer? in
      content.schema.serviceLayerID.map { id -> GeodatabaseDelta.Layer in
        var layer = GeodatabaseDelta.Layer(
          layerID: id, schema: content.schema, serverGeneration: 0, adds: content.misfits,
          addedFiles: content.incompleteFiles + content.misfitFiles)
        layer.incomplete = content.incomplete
        return layer
      }
    }
    let store = try EditableGeodatabase.open(at: file, now: { now }, makeID: makeID)
    do {
      try await store.receive(
        GeodatabaseDelta(replicaID: replicaID, layers: layers), layerGenerations: [:],
        generation: nil)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  private struct Contents {
    /// The name of the layer for people.
    let name: String
    let schema: FeatureTableSchema
    var rows: [Feature] = []
    var files: [GeodatabaseDelta.File] = []
    /// The field by which attachments name their features, where the table that is written knows them by their
    /// object ids.
    var keyField: String?
    /// Features that are to be listed instead, and their attachments.
    var incomplete: [GeodatabaseDelta.IncompleteRow] = []
    var incompleteFiles: [GeodatabaseDelta.File] = []
    /// Features that the table cannot hold, and their attachments.
    private(set) var misfits: [Feature] = []
    private(set) var misfitFiles: [GeodatabaseDelta.File] = []
    /// How many have shapes that cannot be read.
    var unreadable = 0

    /// Whether there is something that is to be listed.
    var hasMore: Bool { !incomplete.isEmpty || !misfits.isEmpty }

    /// By what attachments name a feature, where its table has no global ids.
    func key(of row: Feature) -> String? {
      guard let keyField, case .text(let id)? = row.attributes[keyField] else { return nil }
      return id.withGUIDBraces.uppercased()
    }

    /// What the table of attachments names a feature by; `nil` if there is no such feature.
    func parent(
      of file: GeodatabaseDelta.File, among objectIDs: [String: Int64]
    ) -> AttributeValue? {
      guard schema.globalIDField == nil else { return .text(file.parentGlobalID) }
      return objectIDs[file.parentGlobalID.uppercased()].map { .integer($0) }
    }

    /// Takes features that the table cannot hold, with their attachments, off the others.
    mutating func set(_ misfits: [Feature]) {
      guard !misfits.isEmpty, let field = schema.globalIDField else { return }
      let ids = Set(
        misfits.compactMap { row in
          if case .text(let id)? = row.attributes[field] { id.uppercased() } else { nil }
        })
      self.misfits = misfits
      misfitFiles = files.filter { ids.contains($0.parentGlobalID.uppercased()) }
      files.removeAll { ids.contains($0.parentGlobalID.uppercased()) }
    }

    /// Leaves out features and attachments that have come before: services list related rows once for each
    /// feature that they relate to.
    mutating func leaveOutRepetitions(
      besides incomplete: inout [GeodatabaseDelta.IncompleteRow], _ reader: RowsJSON
    ) {
      var (known, knownFiles): (Set<String>, Set<String>) = ([], [])
      func isRepeated(_ row: Feature) -> Bool {
        guard let id = reader.globalID(of: row) else { return false }
        guard id.isEmpty else { return !known.insert(id.uppercased()).inserted }
        return row.objectID > 0 && !known.insert("\(row.objectID)").inserted
      }
      rows.removeAll(where: isRepeated)
      incomplete.removeAll { isRepeated($0.feature) }
      files.removeAll { file in
        file.attachment.globalID.map { !knownFiles.insert($0.uppercased()).inserted } ?? false
      }
    }

    /// Takes features whose shapes cannot be read; they come without them unless their global ids are given,
    /// in capital letters.
    mutating func add(
      _ damaged: [GeodatabaseDelta.IncompleteRow], listing ids: Set<String>?
    ) {
      unreadable = damaged.count
      guard let ids else {
        rows += damaged.map(\.feature)
        return
      }
      incomplete = damaged
      incompleteFiles = files.filter { ids.contains($0.parentGlobalID.uppercased()) }
      files.removeAll { ids.contains($0.parentGlobalID.uppercased()) }
    }
  }

  private func contents(
    of schema: FeatureTableSchema, _ layers: [JSONValue], in folder: URL
  ) async throws -> Contents {
    let reader = RowsJSON(schema, of: service, in: folder)
    var incomplete: [GeodatabaseDelta.IncompleteRow] = []
    var contents = Contents(name: schema.alias, schema: schema)
    if schema.globalIDField == nil {
      contents.keyField = schema.serviceLayerID.flatMap { keyFields[$0] }
    }
    // Services may list rows and attachments in places of their own.
    let own = layers.filter { $0["id"]?.int == schema.serviceLayerID }
    let isWanted = options.layerOptions.contains { option in
      option.layerID == schema.serviceLayerID && option.queryOption != .none
    }
    guard !isWanted || own.contains(where: { $0["features"]?.array != nil }) else {
      throw Self.damage(schema, "it has no list of features")
    }
    guard own.allSatisfy({ !$0.isCut && !($0["features"]?.isCut ?? false) }), !json.isCut else {
      throw Self.damage(schema, "the service has left out features")
    }
    for layer in own {
      contents.rows += reader.rows(layer["features"], &incomplete)
      // A replica that takes none has a place for those that are added here.
      guard schema.hasAttachments, options.returnsAttachments else { continue }
      contents.files += try await reader.files(layer["attachments"])
    }
    contents.leaveOutRepetitions(besides: &incomplete, reader)
    if willLack == nil, let row = incomplete.first { throw Self.damage(schema, row.reason) }
    // With ids of our own they would be other features to the service.
    let all = contents.rows + incomplete.map(\.feature)
    guard options.syncModel == .none || all.allSatisfy({ reader.globalID(of: $0) != nil })
    else { throw Self.damage(schema, "a row does not say which it is") }
    let ids = incomplete.compactMap { reader.globalID(of: $0.feature)?.uppercased() }
    contents.add(incomplete, listing: options.syncModel == .none ? nil : Set(ids))
    return contents
  }

  private static func damage(_ schema: FeatureTableSchema, _ reason: String) -> OfflineMapError {
    .damaged(file: schema.alias, reason: reason + ".")
  }

  private static func schema(
    _ schema: FeatureTableSchema, _ options: GenerateGeodatabaseParameters, among names: [String]
  ) -> FeatureTableSchema {
    var schema = schema
    // JSON says nothing of pairs of related rows.
    schema.relationships = schema.relationships.filter { relation in
      relation.joinTable == nil && names.contains(relation.relatedTable)
    }
    schema.hasAttachments =
      schema.hasAttachments
      && (options.returnsAttachments || options.attachmentSyncDirection != .none)
    schema.isChangeTracked = options.syncModel != .none
    schema.extent = nil
    if schema.geometryType != nil, let wkid = options.outSpatialReference {
      schema.spatialReference = SpatialReference(wkid: wkid)
    }
    return options.syncModel == .none ? schema.forCopy : schema
  }

  private func registration(_ now: Date) throws -> SyncReplica {
    let status = ReplicaJobStatus(json: json)
    let id = status?.replicaID?.trimmingCharacters(in: ["{", "}"])
    guard let status, let id = id.flatMap(UUID.init(uuidString:)) else {
      throw OfflineMapError.damaged(
        file: service.url.lastPathComponent, reason: "it does not say which replica it is.")
    }
    let area: Polygon? =
      switch options.extent.geometry {
      case .polygon(let polygon): polygon
      case .envelope(let box): box.polygon
      default: nil
      }
    return SyncReplica(
      name: status.replicaName ?? "", replicaID: id, serviceURL: service.url.absoluteString,
      owner: "", syncModel: options.syncModel == .perGeodatabase ? .perReplica : .perLayer,
      attachmentsDirection: options.attachmentSyncDirection.registered, created: now,
      returnsAttachments: options.returnsAttachments, geometry: area,
      spatialReference: options.extent.spatialReference,
      serverGeneration: status.replicaServerGen,
      layers: options.layerOptions.map { layer in
        SyncReplica.Layer(
          layerID: layer.layerID, serverGeneration: status.layerServerGens[layer.layerID] ?? 0,
          usesGeometry: layer.usesGeometry, whereClause: layer.whereClause,
          includesRelated: layer.includesRelated, queryOption: layer.queryOption.registered)
      })
  }
}

extension ReplicaTask {
  /// Asks for a replica; as JSON where the service makes no geodatabases.
  func create(_ request: ReplicaParameters) async throws(PortalError) -> ReplicaJobStatus {
    do { return try await create(request.form) } catch {
      guard error.refusesDataFormat else { throw error }
      return try await create(request.form.inJSON)
    }
  }
}

extension PortalError {
  /// Whether a service says that it knows no geodatabases.
  var refusesDataFormat: Bool {
    guard case .server(_, let envelope) = self else { return false }
    let words = ([envelope.message] + envelope.details).joined(separator: " ").lowercased()
    // A failure of the server's own SQLite is none of the format.
    return words.contains("dataformat") || words.contains("data format")
      || words.contains("sqlite") && words.contains("support")
  }
}

extension RESTParameters {
  /// The same request for JSON, with the addresses of attachments: all in one text may be more than a
  /// device can hold.
  var inJSON: RESTParameters {
    var form = self
    form["dataFormat"] = "json"
    form["returnAttachmentsDataByUrl"] = "true"
    return form
  }
}

extension GenerateLayerOption.QueryOption {
  fileprivate var registered: SyncReplica.QueryOption {
    switch self {
    case .none: .none
    case .useFilter: .useFilter
    case .all: .all
    }
  }
}

extension GenerateOfflineMapParameters.AttachmentSyncDirection {
  fileprivate var registered: SyncReplica.Direction {
    switch self {
    case .bidirectional: .bidirectional
    case .upload: .upload
    case .none: .none
    }
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

/// A replica that a service has made as JSON, since it makes no geodatabases; converted here to
/// one.
struct ReplicaJSON {
  let json: JSONValue
  let options: GenerateGeodatabaseParameters
  let service: FeatureService
  /// The layers that were requested.
  let tables: [GeodatabaseDefinition.Table]

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
    self.tables = tables.map { table in
      var table = table
      table.schema = Self.schema(table.schema, options, among: tables.map(\.schema.name))
      return table
    }
  }

  /// Writes the geodatabase, registered as the service knows it.
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
    let writer = try GeodatabaseWriter(at: url, definition, now: now, makeID: makeID)
    for content in contents {
      let name = content.schema.name
      try writer.append(contentsOf: content.rows, to: name)
      for file in content.files {
        try writer.append(file.attachment, toFeature: .text(file.parentGlobalID), of: name)
      }
    }
    try writer.finish()
  }

  private struct Contents {
    let schema: FeatureTableSchema
    var rows: [Feature]
    var files: [GeodatabaseDelta.File]
  }

  private func contents(
    of schema: FeatureTableSchema, _ layers: [JSONValue], in folder: URL
  ) async throws -> Contents {
    let reader = RowsJSON(schema, of: service, in: folder)
    var incomplete: [GeodatabaseDelta.IncompleteRow] = []
    var contents = Contents(schema: schema, rows: [], files: [])
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
    if let row = incomplete.first { throw Self.damage(schema, row.reason) }
    // With ids of our own they would be other features to the service.
    guard options.syncModel == .none || contents.rows.allSatisfy({ reader.globalID(of: $0) != nil })
    else { throw Self.damage(schema, "a row does not say which it is") }
    return contents
  }

  private static func damage(_ schema: FeatureTableSchema, _ reason: String) -> OfflineMapError {
    .damaged(file: schema.name, reason: reason + ".")
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
    return schema
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

/// A file that a service has sent, which may be JSON.
enum JSONFile {
  /// The most bytes of a document that is read at once, as of an answer; its values take several times as
  /// much memory.
  static let limit = 256 << 20

  /// Whether a file is a document that is larger than may be read.
  static func isTooLarge(_ file: URL, limit: Int) -> Bool {
    // A file that cannot be examined is reported by its reader.
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return false }
    return data.count > limit && isJSON(data)
  }

  /// The document in a file; `nil` if that is another kind of file.
  ///
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` for JSON that is none.
  static func read(_ file: URL) throws(OfflineMapError) -> JSONValue? {
    do {
      let data = try Data(contentsOf: file, options: .mappedIfSafe)
      guard isJSON(data) else { return Optional.none }
      return try JSONValue(parsing: data)
    } catch {
      throw .damaged(
        file: file.lastPathComponent, reason: "it is cut, or no JSON: \(error).")
    }
  }

  /// Whether it begins as JSON.
  static func isJSON(_ data: Data) -> Bool {
    data.first { !UInt8.blanks.contains($0) } == UInt8(ascii: "{")
  }
}

extension RESTClient {
  /// Fetches a replica, or changes, be it a geodatabase or JSON.
  ///
  /// - Throws: Also `TransportError.tooLarge(_:limit:)` for JSON that would fill the memory, before it is
  ///   parsed; then no file is there.
  func download(
    _ url: URL, to file: URL, _ surroundings: OfflineSurroundings,
    limit: Int = JSONFile.limit
  ) async throws {
    do throws(PortalError) {
      _ = try await download(
        url, to: file, options: FileDownload.Options(), clock: surroundings.clock,
        chance: surroundings.chance)
    } catch {
      // Other texts, such as pages for people, are nothing that is wanted.
      guard case .notJSON(_, .damaged) = error else { throw error }
      let body = try await data(url, limit: limit).body
      guard JSONFile.isJSON(body) else { throw error }
      try body.write(to: file)
    }
    guard JSONFile.isTooLarge(file, limit: limit) else { return }
    try FileManager.default.removeItem(at: file)
    throw PortalError.transport(.tooLarge(url.withoutSecrets, limit: limit))
  }
}

extension UInt8 {
  /// What may precede JSON.
  fileprivate static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
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

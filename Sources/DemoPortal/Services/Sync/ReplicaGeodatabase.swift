internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// Writes a replica as a mobile geodatabase, registered at its service.
struct ReplicaGeodatabase {
  let content: HostedContent
  let options: FeatureServiceOptions
  /// The address of the service.
  let serviceURL: String
  let now: Date
  let identifiers: IdentifierSource

  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - replica: The replica.
  ///   - objectIDs: The rows that it holds, by layer.
  /// - Returns: The geodatabase.
  /// - Throws: The error of the writer.
  func data(of replica: Replica, _ objectIDs: [Int: Set<Int64>]) throws -> Data {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "portolan-demo-\(UUID().uuidString).geodatabase")
    // Nothing but this function knows the file; the system empties the folder as well.
    defer { try? FileManager.default.removeItem(at: file) }
    try write(replica, objectIDs, to: file)
    return try Data(contentsOf: file)
  }

  private func write(
    _ replica: Replica, _ objectIDs: [Int: Set<Int64>], to file: URL
  ) throws {
    let tables = replica.layers.compactMap { content.table($0.id) }
    let definition = GeodatabaseDefinition(
      name: options.name, summary: options.summary, capabilities: options.capabilities,
      tables: tables.map {
        GeodatabaseDefinition.Table(
          schema(of: $0, among: tables, in: replica), drawingInfo: $0.drawingInfo,
          copyrightText: DemoContent.credits)
      }, syncReplica: replica.syncModel == .none ? nil : registration(of: replica))
    let identifiers = identifiers
    let writer = try GeodatabaseWriter(at: file, definition, now: now) { identifiers.nextUUID() }
    for table in tables {
      let shaper = try Shaper(from: table.schema.spatialReference, to: replica.spatialReference)
      for row in table.rows where objectIDs[table.id]?.contains(row.feature.objectID) ?? false {
        try writer.append(
          shaper.feature(row.feature), to: table.schema.name,
          attachments: replica.returnsAttachments
            ? table.files(of: row.feature.objectID).map(\.newAttachment) : [])
      }
    }
    try writer.finish()
  }

  /// The table with the relations that stay inside the copy.
  private func schema(
    of table: HostedTable, among tables: [HostedTable], in replica: Replica
  ) -> FeatureTableSchema {
    var schema = table.schema
    schema.isChangeTracked = replica.syncModel != .none
    schema.relationships = schema.relationships.filter { relation in
      tables.contains { $0.schema.name == relation.relatedTable }
    }
    if schema.geometryType != nil, let reference = replica.spatialReference {
      schema.spatialReference = reference
      schema.extent = nil
    }
    return schema
  }

  private func registration(of replica: Replica) -> SyncReplica {
    SyncReplica(
      name: replica.name, replicaID: replica.id, serviceURL: serviceURL, owner: replica.owner,
      syncModel: replica.syncModel == .perReplica ? .perReplica : .perLayer,
      direction: .named(replica.syncDirection),
      attachmentsDirection: .named(replica.attachmentsDirection), created: replica.created,
      returnsAttachments: replica.returnsAttachments, geometry: area(of: replica),
      spatialReference: replica.geometryReference, serverGeneration: replica.generation,
      layers: replica.layers.map { layer in
        SyncReplica.Layer(
          layerID: layer.id, serverGeneration: layer.generation,
          usesGeometry: layer.usesGeometry, whereClause: layer.whereClause,
          includesRelated: layer.includesRelated, queryOption: layer.queryOption.registered)
      })
  }

  private func area(of replica: Replica) -> PortolanGeometry.Polygon? {
    switch replica.geometry {
    case .polygon(let polygon): polygon
    case .envelope(let box): box.polygon
    default: nil
    }
  }
}

/// Brings features into the reference of a copy.
struct Shaper {
  private let projection: Projection?

  init(from source: SpatialReference?, to target: SpatialReference?) throws {
    guard let source, let target else {
      projection = nil
      return
    }
    projection = try Projection(from: source, to: target)
  }

  func feature(_ feature: Feature) throws -> Feature {
    guard let projection, let geometry = feature.geometry else { return feature }
    var feature = feature
    feature.geometry = try projection.project(geometry)
    return feature
  }
}

extension HostedTable.File {
  /// The file with the ids that it has.
  var newAttachment: NewAttachment {
    NewAttachment(
      name: name, contentType: contentType, data: data, id: id, globalID: globalID)
  }
}

extension SyncReplica.Direction {
  fileprivate static func named(_ name: String) -> SyncReplica.Direction {
    switch name {
    case "none": .none
    case "upload": .upload
    case "download": .download
    default: .bidirectional
    }
  }
}

extension ReplicaLayer.QueryOption {
  fileprivate var registered: SyncReplica.QueryOption {
    switch self {
    case .none: .none
    case .useFilter: .useFilter
    case .all: .all
    }
  }
}

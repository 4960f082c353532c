internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// Makes a geodatabase of what queries answer, where a service makes none itself.
///
/// It is a copy: it cannot be synchronized, and its tables are not related to each other.
struct QueryGeodatabase {
  let options: GenerateGeodatabaseParameters
  let source: MapSources.Features?
  let client: RESTClient
  let environment: OfflineEnvironment

  /// Asks for the features, a page at a time, and writes them.
  ///
  /// - Parameter url: The file, which appears once it is whole.
  /// - Throws: ``PortolanPortal/PortalError``, `GeodatabaseWriterError`.
  @concurrent func write(to url: URL) async throws {
    guard let source else {
      throw OfflineMapError.serverJobForgotten(service: url.lastPathComponent)
    }
    let layers = options.layerOptions.compactMap { option in
      source.layer(option.layerID).flatMap { info in
        info.schema.map { (option: option, info: info, schema: schema(of: $0)) }
      }
    }
    let definition = GeodatabaseDefinition(
      name: source.service.url.deletingLastPathComponent().lastPathComponent,
      tables: layers.map {
        GeodatabaseDefinition.Table($0.schema, drawingInfo: $0.info.json["drawingInfo"])
      })
    let makeID = environment.surroundings.makeID
    let writer = try GeodatabaseWriter(
      at: url, definition, now: environment.surroundings.now(), makeID: makeID)
    for layer in layers where takesRows(layer.option, layer.schema) {
      let table = ServiceFeatureTable(
        url: source.service.url.appending(path: "\(layer.option.layerID)"), info: layer.info,
        client: client)
      for try await page in table.pages(matching: query(layer.option, layer.schema)) {
        let files = try await attachments(of: page.features, layer.schema, table)
        for feature in page.features {
          try writer.append(
            feature, to: layer.schema.name, attachments: files[feature.objectID] ?? [])
        }
      }
    }
    try writer.finish()
  }

  private func schema(of schema: FeatureTableSchema) -> FeatureTableSchema {
    var schema = schema
    schema.relationships = []
    schema.hasAttachments = schema.hasAttachments && options.returnsAttachments
    schema.isChangeTracked = false
    schema.extent = nil
    if schema.geometryType != nil, let wkid = options.outSpatialReference {
      schema.spatialReference = SpatialReference(wkid: wkid)
    }
    return schema
  }

  private func takesRows(_ option: GenerateLayerOption, _ schema: FeatureTableSchema) -> Bool {
    // What relates to features is not known without a replica: then a table comes whole.
    option.queryOption != .none || (schema.geometryType == nil && option.includesRelated)
  }

  private func query(
    _ option: GenerateLayerOption, _ schema: FeatureTableSchema
  ) -> ServiceQueryParameters {
    var query = ServiceQueryParameters()
    query.outSpatialReference = schema.geometryType == nil ? nil : schema.spatialReference
    guard option.queryOption != .all else { return query }
    if !option.whereClause.isEmpty { query.whereClause = option.whereClause }
    if option.usesGeometry, schema.geometryType != nil {
      query.geometry = options.extent.geometry
      query.geometrySpatialReference = options.extent.spatialReference
    }
    return query
  }

  private func attachments(
    of features: [Feature], _ schema: FeatureTableSchema, _ table: ServiceFeatureTable
  ) async throws -> [Int64: [NewAttachment]] {
    guard schema.hasAttachments else { return [:] }
    var files: [Int64: [NewAttachment]] = [:]
    for (objectID, list) in try await table.attachments(of: features.map(\.objectID)) {
      for attachment in list {
        let data = try await table.data(of: attachment.id, of: objectID)
        files[objectID, default: []].append(
          NewAttachment(
            name: attachment.name, contentType: attachment.contentType, data: data))
      }
    }
    return files
  }
}

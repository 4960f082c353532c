internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// The rows of a feature service that go into a geodatabase, layer by layer.
struct GeodatabaseRows {
  /// A layer or table.
  struct Layer {
    let option: GenerateLayerOption
    let info: FeatureLayerInfo
    /// What the table of the geodatabase holds; not related to others.
    let schema: FeatureTableSchema

    /// The numbers of the tables whose rows belong to rows of this one.
    var destinations: [Int] {
      (info.json["relationships"]?.array ?? []).compactMap { relationship in
        relationship["role"]?.string == "esriRelRoleOrigin"
          ? relationship["relatedTableId"]?.int : nil
      }
    }
  }

  let options: GenerateGeodatabaseParameters
  let source: MapSources.Features

  /// The layers; those that the service does not have are left out.
  var layers: [Layer] {
    options.layerOptions.compactMap { option in
      source.layer(option.layerID).flatMap { info in
        source.schema(of: option.layerID).map { table in
          Layer(option: option, info: info, schema: schema(of: table))
        }
      }
    }
  }

  /// The layer at its service.
  func table(_ layer: Layer, _ client: RESTClient) -> ServiceFeatureTable {
    ServiceFeatureTable(
      url: source.service.url.appending(path: "\(layer.option.layerID)"), info: layer.info,
      client: client)
  }

  /// Whether only those rows of a table come that relate to rows of other layers.
  func isRelatedOnly(_ layer: Layer) -> Bool {
    layer.option.queryOption == .none && layer.option.includesRelated
      && !layer.info.hasShapes
  }

  /// The layers to whose rows those of a table relate, with the numbers of the relationships.
  func origins(of table: Layer) -> [(layer: Layer, relationship: Int)] {
    layers.flatMap { layer in
      (layer.info.json["relationships"]?.array ?? []).compactMap { relationship in
        guard relationship["role"]?.string == "esriRelRoleOrigin",
          relationship["relatedTableId"]?.int == table.option.layerID,
          let id = relationship["id"]?.int
        else { return nil }
        return (layer, id)
      }
    }
  }

  /// What asks for the rows of a layer.
  func query(_ layer: Layer) -> ServiceQueryParameters {
    let (option, schema) = (layer.option, layer.schema)
    var query = ServiceQueryParameters()
    query.outSpatialReference = schema.geometryType == nil ? nil : schema.spatialReference
    guard option.queryOption != .all else { return query }
    if !option.whereClause.isEmpty { query.whereClause = option.whereClause }
    if option.usesGeometry, layer.info.hasShapes {
      query.geometry = options.extent.geometry
      query.geometrySpatialReference = options.extent.spatialReference
    }
    return query
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
    return schema.forCopy
  }
}

extension FeatureTableSchema {
  /// The table with room for whatever its service sends, for a copy that is not synchronized.
  ///
  /// Services have rows that contradict the descriptions of their fields, as views of several tables do; of a
  /// copy nothing goes back that would have to meet these. Global ids that are none are values as others are.
  var forCopy: FeatureTableSchema {
    var schema = self
    let globalID = globalIDField.flatMap { field(named: $0) }
    if ![.guid, .globalID].contains(globalID?.type) { schema.globalIDField = nil }
    for index in schema.fields.indices where schema.fields[index].type != .objectID {
      schema.fields[index].isNullable = true
      if schema.fields[index].type == .string { schema.fields[index].length = nil }
    }
    return schema
  }
}

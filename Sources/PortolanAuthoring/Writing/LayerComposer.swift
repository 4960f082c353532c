internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Makes a layer of a map from its specification and its table.
struct LayerComposer {
  let specification: LayerSpecification
  let schema: FeatureTableSchema
  let store: any FeatureStore
  /// The id of the layer in its map.
  let id: String
  /// The name of the geodatabase in the package.
  let geodatabase: String
  /// What was gathered of the features of whole tables.
  let numbers: GatheredNumbers?

  /// The layer, in the words of the web map specification; what the table does not have that the
  /// specification names is added to `problems`.
  func layer(_ problems: SpecificationProblems) async throws -> Layer {
    var json: JSONObject = [
      "id": .string(id), "title": .string(specification.title ?? schema.alias),
      "layerType": "ArcGISFeatureLayer",
      "path": .string(PackagePath("./\(geodatabase)", itemID: schema.serviceLayerID ?? 0).text),
      "visibility": .bool(specification.isVisible), "opacity": .number(specification.opacity),
    ]
    json["layerDefinition"] = .object(try await definition(problems))
    json["minScale"] = specification.minScale.map { .number($0) }
    json["maxScale"] = specification.maxScale.map { .number($0) }
    if specification.labels != nil { json["showLabels"] = true }
    if specification.hasPopups {
      json["popupInfo"] = PopupBuilder(layer: specification, schema: schema).popup(problems)
    } else {
      json["disablePopup"] = true
    }
    return Layer(json: json, role: schema.geometryType == nil ? .table : .operational)
  }

  private func definition(_ problems: SpecificationProblems) async throws -> JSONObject {
    var definition: JSONObject = [:]
    let hasCondition: Void? = try await problems.collecting {
      try schema.check(specification.whereClause, at: specification.wherePath)
    }
    // Rows that no condition chooses have no values to make classes of.
    guard hasCondition != nil else { return definition }
    definition["definitionExpression"] = specification.whereClause.map { .string($0) }
    definition["displayField"] = schema.displayField.map { .string($0) }
    guard schema.geometryType != nil else { return definition }
    var drawing: JSONObject = [:]
    drawing["renderer"] = try await problems.collecting {
      try await RendererBuilder(
        specification: specification.renderer, schema: schema, store: store,
        whereClause: specification.whereClause,
        gathered: specification.whereClause == nil ? numbers : nil
      ).renderer()
    }
    if let label = specification.labels { drawing["labelingInfo"] = [labeling(label, problems)] }
    definition["drawingInfo"] = .object(drawing)
    return definition
  }

  private func labeling(
    _ label: LayerSpecification.Label, _ problems: SpecificationProblems
  ) -> JSONValue {
    let template = FieldTemplate(label.text)
    template.check(schema, at: label.path.member("text"), problems)
    problems.noting { () throws(DataFault) in
      try schema.check(label.whereClause, at: label.path.member("where"))
    }
    var symbol: JSONObject = [
      "type": "esriTS", "color": label.color.json,
      "font": ["family": "Noto Sans", "size": .number(label.size), "weight": "normal"],
    ]
    if let halo = label.halo {
      symbol["haloColor"] = halo.json
      symbol["haloSize"] = 1.25
    }
    var info: JSONObject = [
      "labelExpressionInfo": ["expression": .string(template.arcade(schema))],
      "labelPlacement": .string(placement), "symbol": .object(symbol), "maxScale": 0,
    ]
    info["minScale"] = .number(label.minScale ?? 0)
    info["where"] = label.whereClause.map { .string($0) }
    return .object(info)
  }

  private var placement: String {
    switch schema.geometryType {
    case .point, .multipoint, nil: "esriServerPointLabelPlacementAboveRight"
    case .polyline: "esriServerLinePlacementAboveAlong"
    default: "esriServerPolygonPlacementAlwaysHorizontal"
    }
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Writes features as `f=json` has them.
enum QueryJSON {
  /// The answer to a query.
  static func featureSet(_ answer: QueryFeatures) -> JSONValue {
    let schema = answer.schema
    var members: JSONObject = [
      "objectIdFieldName": .string(schema.objectIDField),
      "uniqueIdField": ["name": .string(schema.objectIDField), "isSystemMaintained": true],
      "globalIdFieldName": .string(schema.globalIDField ?? ""),
    ]
    if let type = schema.geometryType {
      members["geometryType"] = .string(type.rawValue)
      members["spatialReference"] = answer.spatialReference?.esriJSON
      if answer.hasZ { members["hasZ"] = true }
      if answer.hasM { members["hasM"] = true }
      if answer.hasGeometry { members["transform"] = answer.quantization?.json }
    }
    members["fields"] = .array(answer.fields.fields.map(field))
    members["features"] = .array(answer.features.map { feature($0, of: answer) })
    if answer.exceedsLimit { members["exceededTransferLimit"] = true }
    return .object(members)
  }

  /// A field as answers describe it, shorter than in the description of a layer.
  static func field(_ field: Field) -> JSONValue {
    var members: JSONObject = [
      "name": .string(field.name), "type": .string(field.type.rawValue),
      "alias": .string(field.alias), "sqlType": "sqlTypeOther",
    ]
    members["length"] = field.length.map { .integer(Int64($0)) }
    members["domain"] = field.domain?.json(as: field.type) ?? .null
    members["defaultValue"] = field.defaultValue?.json(as: field.type) ?? .null
    return .object(members)
  }

  private static func feature(_ feature: Feature, of answer: QueryFeatures) -> JSONValue {
    var members: JSONObject = [
      "attributes": HostedValue.json(
        feature.attributes, inBraces: answer.product.writesBraces)
    ]
    if answer.hasGeometry, let geometry = feature.geometry {
      members["geometry"] =
        answer.quantization.map { quantized(geometry, $0) } ?? geometry.esriJSON()
    }
    return .object(members)
  }

  /// A shape in whole numbers.
  private static func quantized(_ geometry: Geometry, _ grid: Quantization) -> JSONValue {
    let shape = QuantizedShape(geometry, grid)
    var position = 0
    let parts = shape.lengths.map { count -> JSONValue in
      defer { position += count }
      return .array(
        (position..<position + count).map { vertex in
          [.integer(shape.deltas[2 * vertex]), .integer(shape.deltas[2 * vertex + 1])]
        })
    }
    switch geometry.type {
    case .point: return ["x": parts.first?[0]?[0] ?? .null, "y": parts.first?[0]?[1] ?? .null]
    case .multipoint: return ["points": parts.first ?? []]
    case .polyline: return ["paths": .array(parts)]
    case .polygon, .envelope: return ["rings": .array(parts)]
    }
  }

  /// The answer in GeoJSON (RFC 7946), with moments in milliseconds as ArcGIS Online has them.
  static func geoJSON(_ answer: QueryFeatures) -> JSONValue {
    var members: JSONObject = ["type": "FeatureCollection"]
    if let reference = answer.spatialReference, !reference.isWGS84, let id = reference.currentWKID {
      members["crs"] = ["type": "name", "properties": ["name": .string("EPSG:\(id)")]]
    }
    if answer.exceedsLimit {
      if answer.product.marksLimitAtRoot {
        members["exceededTransferLimit"] = true
      } else {
        members["properties"] = ["exceededTransferLimit": true]
      }
    }
    members["features"] = .array(
      answer.features.map { feature in
        [
          "type": "Feature", "id": .integer(feature.objectID),
          "geometry": (answer.hasGeometry ? feature.geometry?.geoJSON() : nil) ?? .null,
          "properties": HostedValue.json(feature.attributes),
        ]
      })
    return .object(members)
  }
}

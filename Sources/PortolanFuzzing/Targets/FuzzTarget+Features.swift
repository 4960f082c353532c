internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension FuzzTarget {
  /// The description of a layer becomes a table's schema and is written again.
  static let layerResource = FuzzTarget(
    "layer-resource",
    words: FormatWords.json + [
      "\"esriFieldTypeOID\"", "\"esriFieldTypeDate\"", "\"codedValues\"", "\"relationships\"",
    ], form: .json,
    texts: [FeatureSeeds.layer, FeatureSeeds.table]
  ) { data in
    let json = try JSONValue(parsing: data)
    let resources = (json["layers"]?.array ?? [json]).map { LayerResource(json: $0) }
    let schemas = FeatureTableSchema.schemas(of: resources)
    for schema in schemas {
      // `nil` is what is looked for.
      let copy = FeatureTableSchema(layerJSON: .object(schema.layerJSON(among: schemas)))
      try FuzzFinding.check(
        copy?.fields.count == schema.fields.count, "is written as another schema")
    }
  }

  /// A feature set with its layer's definition is read, feature by feature.
  static let featureSet = FuzzTarget(
    "feature-set", words: FormatWords.json + FormatWords.shapes, form: .json,
    texts: FeatureSeeds.sets
  ) { data in
    guard let object = try JSONValue(parsing: data).object else { return }
    for table in FeatureCollection(json: object).layers {
      _ = (table.geometryType, table.schema)
      for feature in table.features().prefix(100) {
        for (field, value) in Swift.zip(feature.attributes.fields, feature.attributes.values) {
          _ = value.json(as: field.type)
        }
        _ = feature.geometry?.extent
      }
    }
  }
}

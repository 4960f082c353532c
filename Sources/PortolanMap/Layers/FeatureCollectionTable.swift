public import PortolanFeatures
public import PortolanGeometry
public import PortolanJSON

/// A set of features in the map itself.
public struct FeatureCollectionTable: Hashable, Sendable {
  /// The sublayer of the set in the map.
  public let sublayer: Sublayer

  /// The features as they were read.
  public var featureJSON: [JSONObject] {
    sublayer.json.object("featureSet")?.objects("features") ?? []
  }

  /// The kind of shape: that of the set, else that of the definition.
  public var geometryType: GeometryType? {
    let set = sublayer.json.object("featureSet")?.text("geometryType")
    return (set ?? sublayer.layerDefinition.json.text("geometryType"))
      .flatMap(GeometryType.init(rawValue:))
  }

  /// The fields and types; `nil` if the map does not list the fields.
  public var schema: FeatureTableSchema? {
    guard sublayer.layerDefinition.json["fields"] != nil,
      var schema = FeatureTableSchema(layerJSON: .object(sublayer.layerDefinition.json))
    else { return nil }
    schema.geometryType = geometryType
    if let reference = spatialReference { schema.spatialReference = reference }
    return schema
  }

  /// The features, one after the other as they are requested; empty without a ``schema``.
  ///
  /// Shapes that cannot be read are left away. Object ids are those of the id field, else counted
  /// from 1.
  public func features() -> some Sequence<Feature> {
    let schema = schema
    let fields = FieldList(schema?.fields ?? [])
    // Lazily, because a few bytes may stand for a feature with thousands of fields.
    return (schema == nil ? [] : featureJSON).enumerated().lazy.map { index, json in
      Self.feature(json, number: Int64(index + 1), fields, idField: schema?.objectIDField ?? "")
    }
  }

  private static func feature(
    _ json: JSONObject, number: Int64, _ fields: FieldList, idField: String
  ) -> Feature {
    let values = Dictionary(
      (json.object("attributes") ?? [:]).members.map { ($0.name.lowercased(), $0.value) },
      uniquingKeysWith: { $1 })
    let attributes = Attributes(
      fields,
      fields.fields.map { field in
        values[field.name.lowercased()].map { AttributeValue(json: $0, as: field.type) } ?? .null
      })
    var objectID = number
    if case .integer(let id) = attributes[idField] { objectID = id }
    // A shape that cannot be read must not hide the attributes beside it.
    let geometry = json["geometry"].flatMap { try? Geometry(esriJSON: $0) }
    return Feature(objectID: objectID, attributes: attributes, geometry: geometry)
  }

  /// The reference of the set, else the one that the first shape names.
  private var spatialReference: SpatialReference? {
    let set = sublayer.json.object("featureSet")?["spatialReference"]
    return SpatialReference(esriJSON: set)
      ?? SpatialReference(esriJSON: featureJSON.first?["geometry"]?["spatialReference"])
  }
}

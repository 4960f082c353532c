public import PortolanFeatures
public import PortolanGeometry
public import PortolanJSON

/// A set of features in the map itself.
public struct FeatureCollectionTable: Hashable, Sendable {
  /// What the map says about the set.
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

  /// The features; shapes that cannot be read are left away.
  ///
  /// Object ids are those of the id field, else counted from 1. Empty without a ``schema``.
  public func features() -> [Feature] {
    guard let schema else { return [] }
    let fields = FieldList(schema.fields)
    return featureJSON.enumerated().map { index, json in
      let attributes = Self.attributes(json.object("attributes") ?? [:], fields)
      var objectID = Int64(index + 1)
      if case .integer(let id) = attributes[schema.objectIDField] { objectID = id }
      // A shape that cannot be read must not hide the attributes beside it.
      let geometry = json["geometry"].flatMap { try? Geometry(esriJSON: $0) }
      return Feature(objectID: objectID, attributes: attributes, geometry: geometry)
    }
  }

  /// The reference of the set, else the one that the first shape names.
  private var spatialReference: SpatialReference? {
    let set = sublayer.json.object("featureSet")?["spatialReference"]
    return SpatialReference(esriJSON: set)
      ?? SpatialReference(esriJSON: featureJSON.first?["geometry"]?["spatialReference"])
  }

  private static func attributes(_ json: JSONObject, _ fields: FieldList) -> Attributes {
    Attributes(
      fields,
      fields.fields.map { field in
        json.value(ignoringCase: field.name).map { AttributeValue(json: $0, as: field.type) }
          ?? .null
      })
  }
}

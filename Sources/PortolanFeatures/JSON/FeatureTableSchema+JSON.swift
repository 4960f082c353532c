internal import PortolanGeometry
public import PortolanJSON

extension FeatureTableSchema {
  /// Reads a layer or table as feature services and `GDB_ServiceItems` describe it.
  ///
  /// Lax: what is missing, `null` or of another kind counts as not said. `nil` only if there is
  /// no list of fields, as in group layers. Relationships are left out, since one resource does
  /// not say enough about them; see ``schemas(of:)``.
  public init?(layerJSON: JSONValue) {
    self.init(LayerResource(json: layerJSON), among: [])
  }

  /// Reads the layers and tables of one service or geodatabase, and what relates them.
  ///
  /// Those without a list of fields are left out.
  public static func schemas(of layers: [LayerResource]) -> [FeatureTableSchema] {
    layers.compactMap { FeatureTableSchema($0, among: layers) }
  }

  private init?(_ layer: LayerResource, among layers: [LayerResource]) {
    let json = layer.json
    guard let fields = json["fields"]?.array?.compactMap(Field.init(json:)) else { return nil }
    let list = FieldList(fields)
    let subtypes = Subtypes(json, list)
    let extent = json["extent"] ?? .null
    self.init(
      name: layer.tableName, alias: json.name("name"),
      geometryType: json["geometryType"]?.string.flatMap(GeometryType.init(rawValue:)),
      hasZ: json["hasZ"]?.bool ?? false, hasM: json["hasM"]?.bool ?? false,
      spatialReference: Self.spatialReference(of: json), extent: Envelope(layerExtent: extent),
      fields: fields, objectIDField: Self.objectIDField(of: json, fields),
      globalIDField: json.name("globalIdField")
        ?? fields.first { $0.type == .globalID }?.name,
      displayField: json.name("displayField"), typeIDField: subtypes.field,
      types: subtypes.types, defaultTypeID: subtypes.defaultID,
      templates: (json["templates"]?.array ?? [])
        .compactMap { FeatureTemplate(json: $0, fields: list) },
      relationships: (json["relationships"]?.array ?? [])
        .compactMap { RelationshipInfo(json: $0, of: layer, among: layers) },
      hasAttachments: json["hasAttachments"]?.bool ?? false,
      editorTracking: json["editFieldsInfo"].flatMap(EditorTracking.init(json:)),
      serviceLayerID: layer.id,
      hasDatesInUnknownTimeZone: json["datesInUnknownTimezone"]?.bool ?? false)
  }

  private static func objectIDField(of json: JSONValue, _ fields: [Field]) -> String {
    json.name("objectIdField") ?? fields.first { $0.type == .objectID }?.name ?? "OBJECTID"
  }

  private static func spatialReference(of json: JSONValue) -> SpatialReference? {
    [json["extent"]?["spatialReference"], json["spatialReference"], json["sourceSpatialReference"]]
      .lazy.compactMap { SpatialReference(esriJSON: $0) }.first
  }
}

/// The kinds of feature, from `types` or else from the newer `subtypes`.
///
/// Where both are there they say the same, and `types` has the templates.
private struct Subtypes {
  var field: String?
  var types: [FeatureType] = []
  var defaultID: AttributeValue?

  init(_ json: JSONValue, _ fields: FieldList) {
    let subtypeField = json.name("subtypeField") ?? json.name("subtypeFieldName")
    let isOld = !(json["types"]?.array ?? []).isEmpty
    let idField = (isOld ? json.name("typeIdField") : nil) ?? subtypeField
    field = idField ?? json.name("typeIdField")
    types = ((isOld ? json["types"] : json["subtypes"])?.array ?? [])
      .compactMap { FeatureType(json: $0, idField: idField, fields: fields) }
    if let code = json["defaultSubtypeCode"]?.integer,
      types.contains(where: { $0.id.isEqual(to: .integer(code)) })
    {
      defaultID = .integer(code)
    }
  }
}

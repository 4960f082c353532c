public import PortolanFeatures
public import PortolanJSON
public import PortolanMap

extension FeatureLayerContent {
  /// Joins what a map says about a layer with what the table's own service said.
  ///
  /// What the map leaves out is taken from `resource`, the layer resource of the service, member
  /// by member: a map that changes the labels keeps the symbols.
  public init(
    store: any FeatureStore, schema: FeatureTableSchema, layer: Layer, resource: JSONObject
  ) {
    let definition = layer.layerDefinition
    var schema = schema
    schema.displayField = definition.displayField ?? schema.displayField
    let service = DrawingInfo(json: resource["drawingInfo"]?.object ?? [:])
    var drawingInfo = definition.drawingInfo.inheriting(from: service)
    // The opacity of a map's layer replaces the transparencies of its drawing and of its service:
    // Map Viewer writes the same twice.
    if layer.setsOpacity { drawingInfo.transparency = 0 }
    self.init(
      store: store, schema: schema, definitionExpression: definition.definitionExpression,
      drawingInfo: drawingInfo,
      popup: layer.popupDefinition ?? PopupDefinition(schema: schema))
    serviceScaleRange = ScaleRange(
      minScale: resource.number("minScale") ?? 0, maxScale: resource.number("maxScale") ?? 0)
    attribution =
      definition.json.filledText("copyrightText") ?? resource.filledText("copyrightText")
  }
}

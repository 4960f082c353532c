public import PortolanFeatures
public import PortolanJSON
public import PortolanMap

extension FeatureLayerContent {
  /// Joins what a map says of a layer with what the table's own service said.
  ///
  /// What the map leaves out is taken from `resource`, the layer resource of the service.
  public init(
    store: any FeatureStore, schema: FeatureTableSchema, layer: Layer, resource: JSONObject
  ) {
    let definition = layer.layerDefinition
    var schema = schema
    schema.displayField = definition.displayField ?? schema.displayField
    let own = definition.drawingInfo
    let inherited = DrawingInfo(json: resource["drawingInfo"]?.object ?? [:])
    self.init(
      store: store, schema: schema, definitionExpression: definition.definitionExpression,
      drawingInfo: own.renderer == nil ? inherited : own,
      popup: layer.popupDefinition ?? PopupDefinition(schema: schema))
    serviceScaleRange = ScaleRange(
      minScale: resource.number("minScale") ?? 0, maxScale: resource.number("maxScale") ?? 0)
    attribution =
      definition.json.filledText("copyrightText") ?? resource.filledText("copyrightText")
  }
}

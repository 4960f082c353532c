internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap

extension FeatureLayerContent {
  /// Joins what a map says of a layer with what the table's own service said.
  ///
  /// - Parameter resource: The layer resource of the service, for what the map leaves out.
  init(
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
  }
}

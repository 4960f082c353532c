internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap

/// Asks a web map for everything that an app could show of it.
enum WebMapWalk {
  static func visit(_ map: WebMap) {
    _ = (map.version, map.authoringApp, map.timeZone, map.referenceScale, map.scaleRange)
    _ = (map.spatialReference, map.backgroundColor, map.offlineSettings)
    _ = (map.transportationNetworks, map.utilityNetworks)
    _ = map.initialViewpoint(itemExtent: Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1))?.center
    for bookmark in map.bookmarks { _ = (bookmark.viewpoint?.center, bookmark.thumbnail) }
    for layer in map.allLayers + map.basemap.layers { visit(layer) }
    var copy = map
    copy.updateLayers { $0.isVisible.toggle() }
    _ = copy.layer(withID: "wells")?.title
  }

  private static func visit(_ layer: Layer) {
    _ = (layer.typeName, layer.title, layer.opacity, layer.path, layer.offlineSupport.reason)
    _ = (layer.isVisible(atScale: 1e5), layer.listMode, layer.capabilities, layer.refreshInterval)
    visit(layer.layerDefinition)
    if let popup = layer.popupDefinition { visit(popup) }
    switch layer.kind {
    case .feature(.featureCollection(let collection)): collection.layers.forEach(visit)
    case .mapService(let content): content.sublayers.forEach(visit)
    default: break
    }
  }

  private static func visit(_ sublayer: Sublayer) {
    _ = (sublayer.id, sublayer.title, sublayer.parentID, sublayer.scaleRange)
    visit(sublayer.layerDefinition)
    if let popup = sublayer.popupDefinition { visit(popup) }
  }

  private static func visit(_ table: FeatureCollectionTable) {
    visit(table.sublayer)
    for feature in table.features().prefix(10) { _ = feature.geometry?.extent }
  }

  private static func visit(_ definition: LayerDefinition) {
    _ = (definition.name, definition.definitionExpression, definition.displayField)
    _ = (definition.scaleRange, definition.fieldAliases, definition.orderBy)
    let drawing = definition.drawingInfo
    _ = (drawing.transparency, drawing.showsLabels, drawing.labelDefinitions)
    if let renderer = drawing.renderer { visit(renderer) }
  }

  private static func visit(_ renderer: Renderer) {
    for line in renderer.legendEntries { _ = line.symbol?.color }
    for symbol in [renderer.entry(for: WhereSeeds.row)?.symbol] {
      if case .pictureMarker(let picture) = symbol { _ = picture.imageData }
      _ = symbol?.json
    }
    _ = (renderer.type, renderer.visualVariables, renderer.legendOptions)
  }

  private static func visit(_ popup: PopupDefinition) {
    let schema = FeatureTableSchema(name: "Wells", fields: WhereSeeds.fields.fields)
    let feature = Feature(objectID: 7, attributes: WhereSeeds.row)
    _ = PopupFormatting().popup(of: feature, in: schema, as: popup)
  }
}

internal import PortolanFeatures
internal import PortolanJSON
public import PortolanMap

/// The data of a layer whose features are kept in the map itself.
public struct FeatureCollectionContent {
  let collection: FeatureCollection
  let layer: Layer

  /// Creates the content of a layer whose features are in `collection`.
  public init(collection: FeatureCollection, layer: Layer) {
    self.collection = collection
    self.layer = layer
  }

  /// One table for each set of the collection.
  public var content: LayerContent {
    let tables = collection.layers.compactMap(table)
    return tables.isEmpty
      ? .unavailable(reason: "The map keeps no features of this layer.") : .features(tables)
  }

  private func table(_ set: FeatureCollectionTable) -> FeatureLayerContent? {
    guard let schema = set.schema else { return nil }
    let features = Array(set.features())
    // A set names its own drawing and popup; the layer around it is only a frame.
    var layer = Layer(json: set.sublayer.json)
    if layer.setsOpacity {
      // Of sets, only what their drawing says is drawn.
      layer.layerDefinition.drawingInfo.transparency = 100 * (1 - layer.opacity)
      layer.json["opacity"] = nil
    }
    return FeatureLayerContent(
      store: InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)]),
      schema: schema, layer: layer, resource: [:])
  }
}

internal import PortolanJSON

/// The source of a layer's features.
public enum FeatureLayerSource: Hashable, Sendable {
  /// In the package that the map is in.
  case package(PackagePath)
  /// In the map itself.
  case featureCollection(FeatureCollection)
  /// In a service, by its address.
  case service(url: String)
  /// In a portal item, by its id.
  case item(id: String)
  /// The document does not say.
  case none

  init(layer: Layer) {
    if let path = layer.path {
      self = .package(path)
    } else if let collection = layer.json.object("featureCollection") {
      self = .featureCollection(FeatureCollection(json: collection))
    } else if let url = layer.url {
      self = .service(url: url)
    } else {
      self = layer.itemID.map { .item(id: $0) } ?? .none
    }
  }
}

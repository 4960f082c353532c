public import PortolanJSON

/// The sublayers of a map service that a map changes or switches off.
public struct MapServiceContent: Hashable, Sendable {
  /// The sublayers of which the map says something; others are as in the service.
  public let sublayers: [Sublayer]
  /// The ids of the sublayers that are switched on; `nil` for those of the service.
  public let visibleLayerIDs: [Int]?

  /// Reads the layer of a map.
  public init(json: JSONObject) {
    sublayers = json.objects("layers").map(Sublayer.init(json:))
    visibleLayerIDs = json.ints("visibleLayers")
  }
}

public import PortolanJSON

/// Features that are kept in the map itself, in one or more sets.
public struct FeatureCollection: Hashable, Sendable {
  /// The collection as it was read, with all its members.
  public let json: JSONObject

  /// The sets, each with its own fields and drawing.
  public let layers: [FeatureCollectionTable]

  /// Reads a collection.
  public init(json: JSONObject) {
    self.json = json
    layers = json.objects("layers").map { FeatureCollectionTable(sublayer: Sublayer(json: $0)) }
  }
}

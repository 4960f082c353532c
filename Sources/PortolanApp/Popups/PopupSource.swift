public import PortolanFeatures
public import PortolanPackages

/// A feature whose popup can be shown.
public struct PopupSource: Sendable {
  /// The layer's key in the map.
  public let layerID: String
  /// The layer's title.
  public let layerTitle: String
  /// The feature, with its shape in the layer's spatial reference.
  public let feature: Feature
  /// The layer's data.
  public let content: FeatureLayerContent

  /// Creates a source.
  public init(
    layerID: String, layerTitle: String, feature: Feature, content: FeatureLayerContent
  ) {
    self.layerID = layerID
    self.layerTitle = layerTitle
    self.feature = feature
    self.content = content
  }

  /// The same feature as its store has it now; `nil` if it no longer exists.
  func reloaded(from content: FeatureLayerContent) async -> PopupSource? {
    let query = QueryParameters(objectIDs: [feature.objectID])
    let features = content.store.features(in: content.schema.name, matching: query)
    // A store that does not answer leaves the feature as it was seen.
    guard let found = try? await features.collect() else { return self }
    return found.first.map { feature in
      PopupSource(layerID: layerID, layerTitle: layerTitle, feature: feature, content: content)
    }
  }
}

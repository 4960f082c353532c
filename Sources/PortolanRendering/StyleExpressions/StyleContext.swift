/// What an expression of a style may ask about: the feature and the zoom.
struct StyleContext {
  var zoom: Double
  var feature: VectorTileFeature?

  /// A property of the feature; null without one.
  func property(_ name: String) -> StyleValue { feature?.properties[name] ?? .null }
}

package import PortolanJSON

/// The values that an expression may refer to: the feature, the zoom, and the state of the map.
package struct EvaluationContext {
  /// The zoom of the map.
  package var zoom: Double
  /// The feature; `nil` where there is none, as for backgrounds.
  package var feature: (any StyleFeature)?
  /// The state of the feature that an app has set.
  package var featureState: JSONObject = [:]
  /// The state of the whole style that an app has set.
  package var globalState: JSONObject = [:]
  /// The icons that there are; `nil` where that is not known.
  package var availableImages: Set<String>?
  /// The density of a heat map, from 0 to 1.
  package var heatmapDensity: Double?
  /// The position of a point along its line, from 0 to 1.
  package var lineProgress: Double?
  /// The height of the terrain.
  package var elevation: Double?
  /// The sum so far, in expressions that aggregate clusters.
  package var accumulated: StyleValue = .null
  /// The values of names that `let` binds, or why they have none.
  var variables: [Int: Result<StyleValue, EvaluationFault>] = [:]

  /// A context of a zoom and a feature.
  package init(zoom: Double, feature: (any StyleFeature)? = nil) {
    self.zoom = zoom
    self.feature = feature
  }

  /// A property of the feature; null without one.
  package func property(_ name: String) -> StyleValue { feature?.property(name) ?? .null }
}

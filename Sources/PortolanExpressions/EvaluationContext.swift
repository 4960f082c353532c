package import PortolanJSON

/// What an expression may ask about: the feature, the zoom, and what the map knows.
package struct EvaluationContext {
  /// The zoom of the map.
  package var zoom: Double
  /// The feature; `nil` where there is none, as for backgrounds.
  package var feature: (any StyleFeature)?
  /// What an app has noted of the feature.
  package var featureState: JSONObject = [:]
  /// What an app has set for the whole style.
  package var globalState: JSONObject = [:]
  /// The icons that there are; `nil` where that is not known.
  package var availableImages: Set<String>?
  /// The density of a heat map, from 0 to 1.
  package var heatmapDensity: Double?
  /// How far along its line a point is, from 0 to 1.
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

/// A feature as expressions see it.
package protocol StyleFeature: Sendable {
  /// The id; null without one.
  var identifier: StyleValue { get }

  /// `Point`, `LineString` or `Polygon`; `nil` if it is unknown.
  var geometryType: String? { get }

  /// All properties.
  var allProperties: JSONObject { get }

  /// Where the feature is; `nil` if that is unknown.
  var geometry: FeatureGeometry? { get }

  /// The property of that name; `nil` if there is none.
  func property(_ name: String) -> StyleValue?
}

/// Why an expression has no value for a feature.
package struct EvaluationFault: Error, Hashable, Sendable {
  /// A sentence for people who write styles.
  package let message: String

  init(_ message: String) { self.message = message }

  /// A value of another type than the one that is needed.
  static func type(_ expected: String, found value: StyleValue) -> EvaluationFault {
    EvaluationFault("A \(expected) is needed here, but the value is of the type \(value.type).")
  }
}

package import PortolanJSON

/// A feature as expressions see it.
package protocol StyleFeature: Sendable {
  /// The id; null without one.
  var identifier: StyleValue { get }

  /// `Point`, `LineString` or `Polygon`; `nil` if it is unknown.
  var geometryType: String? { get }

  /// All properties.
  var allProperties: JSONObject { get }

  /// The geometry of the feature; `nil` if that is unknown.
  var geometry: FeatureGeometry? { get }

  /// The property of that name; `nil` if there is none.
  func property(_ name: String) -> StyleValue?
}

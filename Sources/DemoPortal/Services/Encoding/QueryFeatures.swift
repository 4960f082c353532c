internal import PortolanFeatures
internal import PortolanGeometry

/// The features that answer a query, with all that any of the formats says about them.
struct QueryFeatures: Sendable {
  /// The table they are from.
  var schema: FeatureTableSchema
  /// The fields that were requested.
  var fields: FieldList
  /// The features, in order, with those fields only, in ``spatialReference``.
  var features: [Feature]
  /// The spatial reference of the coordinates.
  var spatialReference: SpatialReference?
  /// Whether shapes were requested.
  var hasGeometry: Bool
  /// Whether there were more.
  var exceedsLimit: Bool
  /// Whether shapes carry heights and measures in the answer.
  var hasZ: Bool
  var hasM: Bool
  /// The grid for coordinates, if one was requested.
  var quantization: Quantization?
  /// The decimal places of coordinates, if they were limited.
  var geometryPrecision: Int?
  /// The product whose behaviour the answer follows.
  var product = DemoProduct.recent
}

/// What lengths of symbols are on a picture.
struct SymbolScaling: Hashable, Sendable {
  /// The pixels in a point of 1/72 inch.
  var pixelsPerPoint: Double
  /// The pixels along a metre of the plane of the map.
  var pixelsPerMeter: Double
  /// The denominator of the scale.
  var viewScale: Double
}

/// The scale of symbol lengths on a picture.
package struct SymbolScaling: Hashable, Sendable {
  /// The pixels in a point of 1/72 inch.
  package var pixelsPerPoint: Double
  /// The pixels along a metre of the plane of the map.
  package var pixelsPerMeter: Double
  /// The denominator of the scale.
  package var viewScale: Double

  package init(pixelsPerPoint: Double, pixelsPerMeter: Double, viewScale: Double) {
    self.pixelsPerPoint = pixelsPerPoint
    self.pixelsPerMeter = pixelsPerMeter
    self.viewScale = viewScale
  }
}

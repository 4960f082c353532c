internal import PortolanGeometry
internal import PortolanMap
internal import PortolanSymbols

extension DrawingSession {
  /// The scaling of symbols' lengths to a picture with so many pixels in a point.
  func scaling(pixelsPerPoint: Double) -> SymbolScaling {
    let metersPerPixel = frame.resolution * frame.properties.metersPerUnit / pixelRatio
    return SymbolScaling(
      pixelsPerPoint: pixelsPerPoint, pixelsPerMeter: 1 / metersPerPixel, viewScale: frame.scale)
  }

  /// The pixels in a point of symbols that grow with the map from its reference scale on.
  func symbolScale(_ drawingInfo: DrawingInfo) -> Double {
    guard referenceScale > 0, drawingInfo.scalesSymbols else { return pixelsPerPoint }
    return pixelsPerPoint * min(max(referenceScale / frame.scale, 1e-3), 1e3)
  }
}

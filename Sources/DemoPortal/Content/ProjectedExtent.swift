internal import PortolanGeometry

/// An extent in degrees and in metres of the Web Mercator.
struct ProjectedExtent: Hashable, Sendable {
  let degrees: Envelope
  let metres: Envelope

  init(_ degrees: Envelope) throws {
    self.degrees = degrees
    metres = try Projection(from: .wgs84, to: .webMercator).project(degrees)
  }

  /// The box in metres, made wider or higher so that it has the proportions of a picture.
  func fitting(width: Double, height: Double) -> Envelope {
    let scale = max(metres.width / width, metres.height / height)
    let middle = Coordinate(
      x: (metres.xMin + metres.xMax) / 2, y: (metres.yMin + metres.yMax) / 2)
    return Envelope(
      xMin: middle.x - scale * width / 2, yMin: middle.y - scale * height / 2,
      xMax: middle.x + scale * width / 2, yMax: middle.y + scale * height / 2)
  }
}

internal import PortolanGeometry

extension Envelope {
  /// This box of degrees on WGS 84 in metres of the Web Mercator; `nil` if there is no such box, or it covers
  /// no ground, as where a writer left all its edges 0.
  var webMercator: Envelope? {
    width > 0 && height > 0 ? projected(from: .wgs84, to: .webMercator) : nil
  }

  /// This box in another reference, or `nil` if there is no way to it.
  ///
  /// The extent is a hint for who looks for tiles: without it all is still there.
  func projected(from source: SpatialReference, to target: SpatialReference) -> Envelope? {
    // Nothing is lost but the hint.
    guard let projection = try? Projection(from: source, to: target),
      let envelope = try? projection.project(self), !envelope.isEmpty  // As above.
    else { return nil }
    return envelope
  }
}

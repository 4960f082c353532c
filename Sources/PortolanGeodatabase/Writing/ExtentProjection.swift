internal import PortolanGeometry

/// Brings the extents of tables into degrees; looks each reference up once.
struct ExtentProjection {
  private var projections: [SpatialReference: Projection?] = [:]

  /// A box in degrees on WGS 84; `nil` if there is no way there.
  mutating func degrees(of box: Envelope, in reference: SpatialReference?) -> Envelope? {
    guard let reference else { return nil }
    if reference.isWGS84 { return box }
    if projections[reference] == nil {
      // An item without an extent is only not found by its place, which is better than no file.
      projections[reference] = .some(try? Projection(from: reference, to: .wgs84))
    }
    guard let projection = projections[reference] ?? nil else { return nil }
    // The same holds where the box has no counterpart.
    guard let image = try? projection.project(box) else { return nil }
    let isFinite = [image.xMin, image.yMin, image.xMax, image.yMax].allSatisfy(\.isFinite)
    return image.isEmpty || !isFinite ? nil : image
  }
}

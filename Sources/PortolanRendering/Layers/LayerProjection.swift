internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry

/// Projects the shapes of a table to the reference of the map.
struct LayerProjection {
  private let projection: Projection
  private let back: Projection

  /// - Throws: ``GeometryError`` if the references cannot be projected to each other.
  init(_ schema: FeatureTableSchema, _ session: DrawingSession) throws(GeometryError) {
    let reference = session.frame.spatialReference
    projection = try Projection(from: schema.spatialReference ?? reference, to: reference)
    back = try Projection(from: reference, to: schema.spatialReference ?? reference)
  }

  /// The extent of the picture, grown by `margin` pixels, in the reference of the table; `nil` if
  /// it cannot be computed.
  func extent(_ session: DrawingSession, margin: Double) -> Envelope? {
    // Tables may continue beyond the date line, where the way to another reference does not.
    if projection.isIdentity { return session.context.visibleExtent(margin: margin) }
    // An extent beyond the domain of the table's reference is requested as a whole.
    return try? back.project(session.visiblePartOfWorld(margin: margin))
  }

  /// The shape in the reference of the map; `nil` if a part of it has no place there.
  func project(_ geometry: Geometry) -> Geometry? {
    if projection.isIdentity { return geometry }
    // The caller reports shapes that have no place.
    return try? projection.project(geometry)
  }
}

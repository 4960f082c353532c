internal import PortolanFeatures
internal import PortolanGeometry

/// Brings the shapes of a table into the reference of the map.
struct GroundProjection {
  private let projection: Projection
  /// What the picture shows, in the reference of the table; `nil` if that cannot be said.
  let extent: Envelope?

  /// - Throws: ``GeometryError`` if the references cannot be brought together.
  init(
    _ schema: FeatureTableSchema, _ session: DrawingSession, margin: Double
  ) throws(GeometryError) {
    let reference = session.frame.spatialReference
    projection = try Projection(from: schema.spatialReference ?? reference, to: reference)
    let visible = session.visibleExtent(margin: margin * session.pixelRatio)
    if projection.isIdentity {
      extent = visible
    } else {
      let back = try Projection(from: reference, to: schema.spatialReference ?? reference)
      // What reaches beyond the table's reference is asked for as a whole.
      extent = try? back.project(visible)
    }
  }

  /// The shape in the reference of the map; `nil` if a part of it has no place there.
  func project(_ geometry: Geometry) -> Geometry? {
    if projection.isIdentity { return geometry }
    // The caller tells of shapes that have no place.
    return try? projection.project(geometry)
  }
}

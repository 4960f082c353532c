public import PortolanGeometry

/// The area of a region, in degrees of longitude and latitude on WGS 84.
///
/// What crosses the antimeridian continues beyond 180 degrees, or, for a box, has its western edge
/// east of its eastern one. Edges of polygons are straight in Web Mercator.
public indirect enum TileRegion: Hashable, Sendable {
  /// A rectangle; it crosses the antimeridian if `west` is greater than `east`.
  case box(west: Double, south: Double, east: Double, north: Double)
  /// An area with holes: what an odd number of rings goes around.
  case polygon(Polygon)
  /// What lies within `radius` metres of a place.
  case circle(center: Coordinate, radius: Double)
  /// What lies within `padding` metres of a line.
  case corridor(along: [Coordinate], padding: Double)
  /// Several together; what lies in two of them counts once.
  case several([TileRegion])

  /// The world.
  public static let world = TileRegion.box(
    west: -180, south: -TileCoords.latitudeLimit, east: TileCoords.longitudeLimit,
    north: TileCoords.latitudeLimit)
}

public import PortolanGeometry
internal import PortolanTileCache

/// The extent of a region of tiles, in degrees on WGS 84.
///
/// An extent that crosses the antimeridian continues beyond 180 degrees, or, for a box, has its
/// western edge east of its eastern one.
public indirect enum TileRegionExtent: Hashable, Sendable, Codable {
  /// A rectangle.
  case box(west: Double, south: Double, east: Double, north: Double)
  /// An area with holes.
  case polygon(Polygon)
  /// The circle of so many metres around a place.
  case circle(center: Coordinate, radius: Double)
  /// The corridor of so many metres on both sides of a line.
  case corridor(along: [Coordinate], padding: Double)
  /// Several together; what lies in two of them counts once.
  case several([TileRegionExtent])
}

extension TileRegionExtent {
  init(_ region: TileRegion) {
    self =
      switch region {
      case .box(let west, let south, let east, let north):
        .box(west: west, south: south, east: east, north: north)
      case .polygon(let polygon): .polygon(polygon)
      case .circle(let center, let radius): .circle(center: center, radius: radius)
      case .corridor(let line, let padding): .corridor(along: line, padding: padding)
      case .several(let regions): .several(regions.map { TileRegionExtent($0) })
      }
  }

  /// The extent as the cache knows it.
  var region: TileRegion {
    switch self {
    case .box(let west, let south, let east, let north):
      .box(west: west, south: south, east: east, north: north)
    case .polygon(let polygon): .polygon(polygon)
    case .circle(let center, let radius): .circle(center: center, radius: radius)
    case .corridor(let line, let padding): .corridor(along: line, padding: padding)
    case .several(let extents): .several(extents.map(\.region))
    }
  }

  /// A box with latitude and longitude exchanged, if that is probably meant: it lies within `bounds` then, at
  /// least in part, and outside as it is.
  func swappedBox(in bounds: Envelope?) -> Envelope? {
    guard let bounds, case .box(let west, let south, let east, let north) = self, west <= east,
      west >= -90, east <= 90
    else { return nil }
    let box = Envelope(xMin: west, yMin: south, xMax: east, yMax: north)
    let swapped = Envelope(xMin: south, yMin: west, xMax: north, yMax: east)
    return !bounds.intersects(box) && bounds.intersects(swapped) ? swapped : nil
  }
}

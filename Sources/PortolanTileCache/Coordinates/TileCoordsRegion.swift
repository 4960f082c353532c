internal import PortolanGeometry
public import PortolanTiles

/// The tiles between two corners, on some levels, counted without being listed.
public struct TileCoordsRegion: Hashable, Sendable {
  private let west: Double
  private let south: Double
  private let east: Double
  private let north: Double
  /// The levels.
  public let zoomRange: ZoomRange

  /// Creates a region from its corners, in degrees; it crosses the antimeridian if its left edge
  /// lies east of its right one.
  ///
  /// - Returns: `nil` if the top is south of the bottom.
  /// - Throws: ``TileCacheError/badLatitude(_:)``, ``TileCacheError/badLongitude(_:)``.
  public init?(
    topLeft: (latitude: Double, longitude: Double),
    bottomRight: (latitude: Double, longitude: Double), zoomRange: ZoomRange
  ) throws(TileCacheError) {
    for corner in [topLeft, bottomRight] {
      _ = try TileCoords(latitude: corner.latitude, longitude: corner.longitude, zoom: 0)
    }
    guard topLeft.latitude >= bottomRight.latitude else { return nil }
    (west, north) = (topLeft.longitude, topLeft.latitude)
    (east, south) = (bottomRight.longitude, bottomRight.latitude)
    self.zoomRange = zoomRange
  }

  /// How many tiles there are on all levels; the largest whole number if there are more.
  public var count: Int {
    zoomRange.levels.reduce(0) { sum, zoom in
      let (total, overflows) = sum.addingReportingOverflow(count(forZoom: zoom))
      return overflows ? .max : total
    }
  }

  /// How many tiles a level has, in constant time.
  public func count(forZoom zoom: Int) -> Int { plan.count(level: zoom) }

  /// The one or two rectangles of a level.
  public func tileRanges(forZoom zoom: Int) -> [TileRange] {
    let shape = RegionShape(.box(west: west, south: south, east: east, north: north))
    guard let rows = shape.rows(level: zoom) else { return [] }
    return shape.columns(level: zoom, row: rows.lowerBound).map {
      TileRange(level: zoom, rows: rows, columns: $0)
    }
  }

  /// The rectangles of all levels.
  public func tileRanges() -> [TileRange] { zoomRange.levels.flatMap { tileRanges(forZoom: $0) } }

  private var plan: RegionPlan {
    RegionPlan(
      .box(west: west, south: south, east: east, north: north), levels: zoomRange.levels)
  }
}

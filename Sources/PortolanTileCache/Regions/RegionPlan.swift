public import PortolanTiles

/// The tiles of a region, known without being listed.
public struct RegionPlan: Hashable, Sendable {
  /// The extent.
  public let region: TileRegion
  /// The levels.
  public let levels: ClosedRange<Int>
  /// Which tiles the extent touches.
  public let shape: RegionShape

  /// Plans a region, on levels from 0 to ``TileCoords/maximumZoom``.
  public init(_ region: TileRegion, levels: ClosedRange<Int>) {
    self.region = region
    self.levels = levels.clamped(to: 0...TileCoords.maximumZoom)
    shape = RegionShape(region)
  }

  /// How many tiles a level has: in constant time for a box, else in the time of its rows.
  public func count(level: Int) -> Int { levels.contains(level) ? shape.count(level: level) : 0 }

  /// How many tiles each level has.
  public var counts: [(level: Int, count: Int)] { levels.map { ($0, count(level: $0)) } }

  /// How many tiles there are; the largest whole number if there are more.
  public var count: Int {
    counts.reduce(0) { sum, level in
      let (total, overflows) = sum.addingReportingOverflow(level.count)
      return overflows ? .max : total
    }
  }

  /// Whether a tile belongs to it.
  public func contains(_ tile: TileID) -> Bool {
    levels.contains(tile.level) && shape.contains(tile)
  }
}

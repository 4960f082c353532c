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

  /// A plan of the extents and the levels of both; parts that lie within the other's box are left out.
  func joined(with other: RegionPlan) -> RegionPlan {
    var parts = if case .several(let parts) = region { parts } else { [region] }
    parts.removeAll { other.region.isBox(around: $0) }
    parts.append(other.region)
    let first = min(levels.lowerBound, other.levels.lowerBound)
    let last = max(levels.upperBound, other.levels.upperBound)
    return RegionPlan(parts.count > 1 ? .several(parts) : other.region, levels: first...last)
  }

  /// Whether a tile belongs to it.
  public func contains(_ tile: TileID) -> Bool {
    levels.contains(tile.level) && shape.contains(tile)
  }
}

extension TileRegion {
  /// Whether it and another are boxes, of which the other lies within it; none may cross the antimeridian.
  fileprivate func isBox(around other: TileRegion) -> Bool {
    guard case .box(let west, let south, let east, let north) = self,
      case .box(let otherWest, let otherSouth, let otherEast, let otherNorth) = other
    else { return false }
    return west <= otherWest && otherWest <= otherEast && otherEast <= east
      && south <= otherSouth && otherNorth <= north
  }
}

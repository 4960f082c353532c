/// Follows the rings of an area and counts how often a ray from a place crosses them.
///
/// Tells rings apart as ``PartCutter`` does, without knowing beforehand whether the last ring of a
/// part will close: the edges that lead from one ring to the next are counted apart, and matter
/// only if it does not.
struct AreaProbe {
  /// Whether the place is inside what has been read.
  private(set) var isInside = false
  /// The least squared distance to an edge; infinite unless it is measured.
  private(set) var least = Double.infinity

  private let measuresDistance: Bool
  private var crossesBridges = false
  private var leastToBridges = Double.infinity
  private var partFirst: ProbeOffset?
  private var ringFirst: (x: Int64, y: Int64) = (0, 0)
  private var ringCount = 0
  private var previous = ProbeOffset(x: 0, y: 0)

  init(measuresDistance: Bool) { self.measuresDistance = measuresDistance }

  /// Takes a vertex: its numbers, and the way to it from the place.
  @inline(__always)
  mutating func include(_ x: Int64, _ y: Int64, _ offset: ProbeOffset) {
    if ringCount == 0 {
      startRing(x, y, offset)
    } else {
      if previous.crossesRay(towards: offset) { isInside.toggle() }
      if measuresDistance {
        least = min(least, previous.squaredDistance(toSegmentEndingAt: offset))
      }
    }
    ringCount += 1
    previous = offset
    if ringCount >= PartCutter.leastRingCount, x == ringFirst.x, y == ringFirst.y {
      ringCount = 0
    }
  }

  private mutating func startRing(_ x: Int64, _ y: Int64, _ offset: ProbeOffset) {
    ringFirst = (x, y)
    guard partFirst != nil else {
      partFirst = offset
      return
    }
    if previous.crossesRay(towards: offset) { crossesBridges.toggle() }
    if measuresDistance {
      leastToBridges = min(leastToBridges, previous.squaredDistance(toSegmentEndingAt: offset))
    }
  }

  /// Ends a part.
  mutating func endPart() {
    if ringCount > 0, let partFirst {
      if crossesBridges { isInside.toggle() }
      if previous.crossesRay(towards: partFirst) { isInside.toggle() }
      if measuresDistance {
        least = min(
          least, leastToBridges, previous.squaredDistance(toSegmentEndingAt: partFirst))
      }
    }
    partFirst = nil
    ringCount = 0
    crossesBridges = false
    leastToBridges = .infinity
  }
}

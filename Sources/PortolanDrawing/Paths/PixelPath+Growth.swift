internal import PortolanGeometry

extension PixelPath {
  /// The areas with their edges moved outwards; rings that wind as the first does are areas, and the
  /// others holes, which shrink.
  func grown(by distance: Double) -> PixelPath {
    let windings = runs.lazy.map { Self.winding($0) }
    guard let winding = windings.first(where: { $0 != 0 }) else { return self }
    return mappedRuns { Self.moved($0, outwardsBy: winding > 0 ? distance : -distance) }
  }

  /// A ring whose vertices are moved to the left of its direction, each along the bisector of its
  /// corner; sharp corners are held as ``offset(by:)`` holds them.
  private static func moved(
    _ run: ArraySlice<Coordinate>, outwardsBy distance: Double
  ) -> [Coordinate] {
    var ring = withoutShortEdges(run)
    guard ring.count > 2, let last = ring.last else { return ring }
    let first = ring[0]
    var incoming = left(from: last, to: first)
    for index in ring.indices {
      let next = index + 1 < ring.count ? ring[index + 1] : first
      let outgoing = left(from: ring[index], to: next)
      let share = distance / max(1 + incoming.x * outgoing.x + incoming.y * outgoing.y, 0.25)
      ring[index].x += (incoming.x + outgoing.x) * share
      ring[index].y += (incoming.y + outgoing.y) * share
      incoming = outgoing
    }
    return ring
  }

  /// Edges that are shorter than a pixel can tell would throw their corners about.
  private static func withoutShortEdges(_ run: ArraySlice<Coordinate>) -> [Coordinate] {
    func isShort(_ start: Coordinate, _ end: Coordinate) -> Bool {
      abs(start.x - end.x) < lineTolerance && abs(start.y - end.y) < lineTolerance
    }
    var ring: [Coordinate] = []
    ring.reserveCapacity(run.count)
    for point in run {
      if let last = ring.last, isShort(last, point) { continue }
      ring.append(point)
    }
    while ring.count > 1, let last = ring.last, isShort(last, ring[0]) { ring.removeLast() }
    return ring
  }

  /// The unit vector to the left of a direction, y being downwards; no place where there is none.
  private static func left(from start: Coordinate, to end: Coordinate) -> Coordinate {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    return Coordinate(x: y / length, y: -x / length)
  }
}

package import PortolanGeometry

/// Cuts rings at the sides of a box, after Sutherland and Hodgman.
///
/// Parts that fall apart stay joined along the sides, where it cannot be seen, as the box is larger
/// than the picture.
package enum RingClipper {
  /// The ring inside the box; empty if it is all outside.
  package static func clip(_ ring: [Coordinate], to box: Envelope) -> [Coordinate] {
    var ring = clip(ring, { $0.x - box.xMin })
    ring = clip(ring, { box.xMax - $0.x })
    ring = clip(ring, { $0.y - box.yMin })
    return clip(ring, { box.yMax - $0.y })
  }

  /// Keeps what has a distance of 0 or more.
  private static func clip(
    _ ring: [Coordinate], _ distance: (Coordinate) -> Double
  ) -> [Coordinate] {
    guard var previous = ring.last else { return [] }
    var before = distance(previous)
    var result: [Coordinate] = []
    result.reserveCapacity(ring.count + 4)
    for vertex in ring {
      let here = distance(vertex)
      if (here >= 0) != (before >= 0) {
        let share = before / (before - here)
        result.append(
          Coordinate(
            x: previous.x + (vertex.x - previous.x) * share,
            y: previous.y + (vertex.y - previous.y) * share))
      }
      if here >= 0 { result.append(vertex) }
      previous = vertex
      before = here
    }
    return result
  }
}

extension PixelPath {
  /// The areas in a box.
  func clipped(to box: Envelope) -> PixelPath {
    PixelPath(runs.map { RingClipper.clip(Array($0), to: box) }, isClosed: isClosed)
  }
}

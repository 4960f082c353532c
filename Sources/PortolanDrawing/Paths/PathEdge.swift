internal import PortolanGeometry

/// A straight part of a line, between two different places, in pixels.
struct PathEdge {
  let start: Coordinate
  let end: Coordinate
  let length: Double
  /// To the right of the direction, of length 1.
  let right: Coordinate

  /// To the left of the direction, of length 1.
  var left: Coordinate { right.scaled(-1) }

  init(_ start: Coordinate, _ end: Coordinate) {
    (self.start, self.end) = (start, end)
    length = PixelPath.distance(start, end)
    right = Coordinate(x: -(end.y - start.y) / length, y: (end.x - start.x) / length)
  }

  func point(at distance: Double) -> Coordinate {
    let share = distance / length
    return Coordinate(
      x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
  }
}

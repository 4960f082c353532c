/// The way from a place to a vertex, in steps of the grid.
struct ProbeOffset {
  var x: Double
  var y: Double

  @inline(__always) var squaredLength: Double { x * x + y * y }

  /// The squared distance from the place to the segment from here to `end`.
  @inline(__always)
  func squaredDistance(toSegmentEndingAt end: ProbeOffset) -> Double {
    let (dx, dy) = (end.x - x, end.y - y)
    let length = dx * dx + dy * dy
    guard length > 0 else { return squaredLength }
    let fraction = min(1, max(0, -(x * dx + y * dy) / length))
    return ProbeOffset(x: x + fraction * dx, y: y + fraction * dy).squaredLength
  }

  /// Whether the segment from here to `end` crosses the ray from the place towards the east.
  @inline(__always)
  func crossesRay(towards end: ProbeOffset) -> Bool {
    guard (y > 0) != (end.y > 0) else { return false }
    return (x * end.y - end.x * y > 0) == (end.y > y)
  }
}

/// Questions about points, lines and rings in a plane.
enum PlanarTests {
  typealias Point = FeatureGeometry.Point

  /// Whether a point is inside of rings by the even-odd rule; on an edge it is as `edge` says.
  static func contains(_ rings: [[Point]], _ point: Point, edge: Bool = false) -> Bool {
    var isInside = false
    for ring in rings {
      for (start, end) in segments(of: ring) {
        if isOn(point, start, end) { return edge }
        if (start.y > point.y) != (end.y > point.y),
          point.x < (end.x - start.x) * (point.y - start.y) / (end.y - start.y) + start.x
        {
          isInside.toggle()
        }
      }
    }
    return isInside
  }

  /// Whether the inside of a segment crosses that of an edge of rings.
  static func crosses(_ rings: [[Point]], _ start: Point, _ end: Point) -> Bool {
    rings.contains { ring in
      segments(of: ring).contains { crosses(start, end, $0.0, $0.1) }
    }
  }

  /// Whether two segments cross, each inside of the other.
  static func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }

  /// The segments from each vertex to the next.
  static func segments(of path: [Point]) -> Zip2Sequence<[Point], ArraySlice<Point>> {
    zip(path, path.dropFirst())
  }

  private static func side(_ a: Point, _ b: Point, _ point: Point) -> Double {
    let value = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    return value == 0 ? 0 : value < 0 ? -1 : 1
  }

  private static func isOn(_ point: Point, _ start: Point, _ end: Point) -> Bool {
    let (x, y) = (point.x - start.x, point.y - start.y)
    let (otherX, otherY) = (point.x - end.x, point.y - end.y)
    return x * otherY - otherX * y == 0 && x * otherX <= 0 && y * otherY <= 0
  }
}

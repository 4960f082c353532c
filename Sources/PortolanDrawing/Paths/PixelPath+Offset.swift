internal import PortolanGeometry

extension PixelPath {
  /// The path moved sideways: to the left of its direction if `distance` is positive.
  ///
  /// Each vertex moves along the bisector of its corner; what sharp corners would throw far away
  /// is held to four times the distance.
  package func offset(by distance: Double) -> PixelPath {
    var path = emptied(isClosed: isClosed)
    for (number, run) in runs.enumerated() {
      if openRuns.contains(number) {
        path.appendOpen(Self.offset(Array(run), by: distance, isClosed: false))
      } else {
        path.append(Self.offset(Array(run), by: distance, isClosed: isClosed))
      }
    }
    return path
  }

  private static func offset(
    _ run: [Coordinate], by distance: Double, isClosed: Bool
  ) -> [Coordinate] {
    let isRing = isClosed && run.count > 2
    return run.indices.map { index in
      let before = index > 0 ? run[index - 1] : isRing ? run[run.count - 1] : nil
      let after = index + 1 < run.count ? run[index + 1] : isRing ? run[0] : nil
      let incoming = before.flatMap { normal(from: $0, to: run[index]) }
      let outgoing = after.flatMap { normal(from: run[index], to: $0) }
      guard let first = incoming ?? outgoing, let second = outgoing ?? incoming else {
        return run[index]
      }
      let share = max(1 + first.x * second.x + first.y * second.y, 0.25)
      return Coordinate(
        x: run[index].x + (first.x + second.x) / share * distance,
        y: run[index].y + (first.y + second.y) / share * distance)
    }
  }

  /// The unit vector to the left of a direction, y being downwards.
  private static func normal(from start: Coordinate, to end: Coordinate) -> Coordinate? {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    return length > 0 ? Coordinate(x: y / length, y: -x / length) : nil
  }
}

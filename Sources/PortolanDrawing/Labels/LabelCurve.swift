package import PortolanGeometry

/// A line that letters are set along, upright.
package struct LabelCurve {
  private let points: [Coordinate]
  /// The distances from the start to each vertex.
  private let distances: [Double]
  /// The maximum turn of the line from a letter to the next, in degrees.
  private let maximumAngle: Double
  /// Whether text on lines that go straight up or down is read from below; it keeps the direction of
  /// the line if not.
  private let readsFromBelow: Bool

  /// The whole length in pixels.
  package var length: Double { distances.last ?? 0 }

  package init(
    _ run: some Sequence<Coordinate>, maximumAngle: Double = 180, readsFromBelow: Bool = true
  ) {
    points = Array(run)
    var total = 0.0
    var distances: [Double] = []
    for (index, point) in points.enumerated() {
      if index > 0 { total += PixelPath.distance(points[index - 1], point) }
      distances.append(total)
    }
    self.distances = distances
    self.maximumAngle = maximumAngle
    self.readsFromBelow = readsFromBelow
  }

  /// The place at a distance from the start.
  package func point(at distance: Double) -> Coordinate {
    guard points.count > 1, distance > 0 else { return points.first ?? Coordinate(x: 0, y: 0) }
    guard distance < length else { return points[points.count - 1] }
    let (low, high) = edge(at: distance)
    let span = distances[high] - distances[low]
    let share = span > 0 ? (distance - distances[low]) / span : 0
    return Coordinate(
      x: points[low].x + (points[high].x - points[low].x) * share,
      y: points[low].y + (points[high].y - points[low].y) * share)
  }

  /// From the start to the last vertex that is not beyond a distance; `nil` if there is none.
  package func vertex(before distance: Double) -> Double? {
    guard points.count > 1, distance >= 0 else { return nil }
    return distances[distance < length ? edge(at: distance).0 : points.count - 1]
  }

  /// The vertices before and after a distance, of two or more.
  private func edge(at distance: Double) -> (Int, Int) {
    var (low, high) = (0, points.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if distances[middle] <= distance { low = middle } else { high = middle }
    }
    return (low, high)
  }

  /// The direction of the line at a distance from the start, in degrees.
  package func angle(at distance: Double) -> Double {
    guard points.count > 1 else { return 0 }
    let (low, high) = edge(at: distance)
    return PixelPath.Station.angle(
      of: Coordinate(x: points[high].x - points[low].x, y: points[high].y - points[low].y))
  }

  /// The turns of the line between two distances, in degrees.
  package func turns(from start: Double, to end: Double) -> [(distance: Double, turn: Double)] {
    guard points.count > 2 else { return [] }
    return (1..<(points.count - 1)).compactMap { index in
      guard distances[index] > start, distances[index] < end else { return nil }
      func angle(_ from: Coordinate, _ to: Coordinate) -> Double {
        PixelPath.Station.angle(of: Coordinate(x: to.x - from.x, y: to.y - from.y))
      }
      let turn = Self.difference(
        angle(points[index - 1], points[index]), angle(points[index], points[index + 1]))
      return (distances[index], turn)
    }
  }

  /// The distance of a line from its upright, as a share of its height, from which on it can be
  /// seen.
  private static let seenLeaning = 1e-3
  /// The same so that it is more than the last digits of places.
  private static let leastLeaning = 1e-6

  /// Whether text from one distance to another would be upside down.
  package func isBackwards(from start: Double, to end: Double) -> Bool {
    let (first, last) = (point(at: start), point(at: end))
    let leaning = readsFromBelow ? Self.seenLeaning : Self.leastLeaning
    let isUpright = abs(last.x - first.x) < leaning * abs(last.y - first.y)
    return isUpright ? readsFromBelow && last.y > first.y : last.x < first.x
  }

  /// The places of glyphs; `nil` if the line is too short or bends too much.
  ///
  /// - Parameters:
  ///   - letters: The middles of the letters from the middle of the text, and their widths.
  ///   - middle: The distance from the start at which the middle of the text is placed.
  ///   - keepsUpright: Whether text is turned where it would be upside down.
  ///   - isDownwards: Whether the text is written downwards, and turns round where it would run up.
  ///   - followsEdges: Whether a letter has the direction of the line under its middle, not that of
  ///     the line from its one side to the other.
  /// - Returns: A place and an angle for each letter.
  package func stations(
    for letters: [(center: Double, width: Double)], around middle: Double,
    keepsUpright: Bool = true, isDownwards: Bool = false, followsEdges: Bool = false
  ) -> [PixelPath.Station]? {
    let half = letters.reduce(0) { max($0, abs($1.center) + $1.width / 2) }
    guard middle - half >= -0.5, middle + half <= length + 0.5, half > 0 else { return nil }
    let turns = keepsUpright && turnsRound(letters, around: middle, isDownwards: isDownwards)
    let sign = turns ? -1.0 : 1
    let stations = letters.map { letter -> PixelPath.Station in
      let place = middle + letter.center * sign
      if followsEdges {
        return PixelPath.Station(
          point: point(at: place), angle: angle(at: place) + (turns ? 180 : 0))
      }
      let reach = max(letter.width / 2, 1) * sign
      let (start, end) = (point(at: place - reach), point(at: place + reach))
      let angle = PixelPath.Station.angle(
        of: Coordinate(x: end.x - start.x, y: end.y - start.y))
      return PixelPath.Station(point: point(at: place), angle: angle)
    }
    return bendsGently(stations.map(\.angle)) ? stations : nil
  }

  /// Whether letters that keep upright are set against the direction of the line.
  package func turnsRound(
    _ letters: [(center: Double, width: Double)], around middle: Double, isDownwards: Bool = false
  ) -> Bool {
    let half = letters.reduce(0) { max($0, abs($1.center) + $1.width / 2) }
    let (start, end) = (middle - half, middle + half)
    return isDownwards
      ? point(at: end).y < point(at: start).y : isBackwards(from: start, to: end)
  }

  /// The distance from the start at which the middle of a text is.
  ///
  /// - Parameters:
  ///   - letters: The middles of the letters from the middle of the text, and their widths.
  ///   - place: The distance at which the text is placed.
  ///   - ahead: From there to the middle of the text, in the direction in which it is read.
  ///   - keepsUpright: Whether text is turned where it would be upside down.
  /// - Returns: The distance.
  package func middle(
    of letters: [(center: Double, width: Double)], at place: Double, ahead: Double,
    keepsUpright: Bool
  ) -> Double {
    let turns = keepsUpright && ahead != 0 && turnsRound(letters, around: place + ahead)
    return turns ? place - ahead : place + ahead
  }

  /// Neighbours are looked at two by two and three by three, so that no corner passes as a bend.
  private func bendsGently(_ angles: [Double]) -> Bool {
    for step in [1, 2] {
      for (first, second) in zip(angles, angles.dropFirst(step))
      where Self.difference(first, second) > maximumAngle { return false }
    }
    return true
  }

  /// The angle between two directions, in degrees from 0 to 180.
  static func difference(_ first: Double, _ second: Double) -> Double {
    let turned = abs(first - second).truncatingRemainder(dividingBy: 360)
    return min(turned, 360 - turned)
  }

  /// The angle of all letters, if the line hardly bends under them.
  package static func commonAngle(_ stations: [PixelPath.Station]) -> Double? {
    guard let first = stations.first, let last = stations.last else { return nil }
    let angle =
      stations.count == 1
      ? first.angle
      : PixelPath.Station.angle(
        of: Coordinate(x: last.point.x - first.point.x, y: last.point.y - first.point.y))
    return stations.allSatisfy { difference($0.angle, angle) < 3 } ? angle : nil
  }
}

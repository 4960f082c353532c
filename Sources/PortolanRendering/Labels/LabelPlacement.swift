internal import PortolanGeometry

/// Where labels stand beside their shapes, as services name it (`esriServerPointLabelPlacement…`,
/// `esriServerLinePlacement…`).
///
/// - SeeAlso: Docs/REST.md, 3.5
struct LabelPlacement: Hashable, Sendable {
  /// From a line, upwards: 1 above, 0 on it, -1 below.
  private let side: Double
  /// Towards the right: -1 left, 0 in the middle, 1 right.
  private let across: Double
  /// Whether the text of a line is level.
  private let isLevel: Bool
  /// Where along a line, as shares of it, in the order in which they are tried.
  private let shares: [Double]

  /// Reads a name; without one, above and to the right of points and above lines.
  init(_ name: String) {
    let isPoint = name.hasPrefix("esriServerPoint")
    let rest = name.drop { $0.isLowercase }
    func has(_ word: String) -> Bool { rest.contains(word) }
    side = has("Above") ? 1 : has("Below") ? -1 : isPoint || has("Center") ? 0 : 1
    across = has("Left") ? -1 : has("Right") ? 1 : isPoint ? 0 : 1
    isLevel = has("Horizontal")
    shares =
      has("Start") || has("Before")
      ? [0.15, 0.25, 0.35]
      : has("End") || has("After") ? [0.85, 0.75, 0.65] : [0.5, 0.38, 0.62, 0.26, 0.74]
  }

  /// The place that is wanted, then those across from it.
  func places(of run: TextRun, around point: Coordinate, reach: Double) -> [TextRun] {
    let wanted = (across, side)
    guard wanted != (0, 0) else { return [place(run, at: point, 0, 0, reach)] }
    let others = [(-across, side), (across, -side), (-across, -side), (1, 0), (-1, 0)]
    return ([wanted] + others).reduce(into: [(Double, Double)]()) { places, place in
      if place != (0, 0), !places.contains(where: { $0 == place }) { places.append(place) }
    }.map { self.place(run, at: point, $0.0, $0.1, reach) }
  }

  private func place(
    _ run: TextRun, at point: Coordinate, _ across: Double, _ up: Double, _ reach: Double
  ) -> TextRun {
    var placed = run
    // On the diagonal the label comes nearer, as round markers leave the corner free.
    let distance = reach * (across != 0 && up != 0 ? 0.75 : 1)
    placed.position = Coordinate(x: point.x + across * distance, y: point.y - up * distance)
    placed.anchor = Coordinate(x: (1 - across) / 2, y: (1 + up) / 2)
    return placed
  }

  /// Places along the longest run of a line, where it is straight enough for the text.
  func places(
    of run: TextRun, along path: PixelPath, width: Double, reach: Double
  ) -> [TextRun] {
    let longest = path.runs.max { PixelPath.length($0) < PixelPath.length($1) }
    guard let longest else { return [] }
    let length = PixelPath.length(longest)
    guard isLevel || length > width * 0.9 else { return [] }
    return shares.compactMap { share in
      let middle = min(max(share * length, min(width, length) / 2), length - min(width, length) / 2)
      let ends = [middle - width / 2, middle, middle + width / 2].map {
        min(max($0, 0), length * (1 - 1e-9))
      }
      let stations = PixelPath.stations(longest, at: ends)
      guard stations.count == 3 else { return nil }
      return isLevel
        ? place(run, at: stations[1].point, 0, side, reach)
        : turned(run, from: stations[0].point, stations[1].point, to: stations[2].point, reach)
    }
  }

  /// The text along a chord, upright; `nil` if the line bends away from it.
  private func turned(
    _ run: TextRun, from start: Coordinate, _ middle: Coordinate, to end: Coordinate,
    _ reach: Double
  ) -> TextRun? {
    let length = PixelPath.distance(start, end)
    guard length > 0 else { return nil }
    let isBackwards = end.x < start.x
    let (first, last) = isBackwards ? (end, start) : (start, end)
    let along = Coordinate(x: (last.x - first.x) / length, y: (last.y - first.y) / length)
    let up = Coordinate(x: along.y, y: -along.x)
    let bend = (middle.x - first.x) * up.x + (middle.y - first.y) * up.y
    guard abs(bend) < run.style.size else { return nil }
    let center = Coordinate(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    // A line that bulges towards the label pushes it away.
    let distance = side * reach + bend * (side == 0 ? 0.5 : bend * side > 0 ? 1 : 0.5)
    var placed = run
    placed.position = Coordinate(x: center.x + up.x * distance, y: center.y + up.y * distance)
    placed.anchor = Coordinate(x: 0.5, y: (1 + side) / 2)
    placed.angle = Station.angle(of: along)
    return placed
  }

  private typealias Station = PixelPath.Station
}

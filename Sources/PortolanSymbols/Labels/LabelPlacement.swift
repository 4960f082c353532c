internal import PortolanDrawing
internal import PortolanGeometry

/// The placement of labels beside their shapes, by the names of the services
/// (`esriServerPointLabelPlacement…`, `esriServerLinePlacement…`).
///
/// - SeeAlso: Docs/PICTURES.md
struct LabelPlacement: Hashable, Sendable {
  /// The side of the label, from a line upwards: 1 above, 0 on it, -1 below.
  private let side: Double
  /// Towards the right: -1 left, 0 in the middle, 1 right.
  private let across: Double
  /// Whether the text of a line is level.
  private let isLevel: Bool
  /// The positions along a line, as shares of it, in the order in which they are tried.
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

  /// The place that is wanted, those across from it, then the others around the point.
  func places(of run: TextRun, around point: Coordinate, reach: Double) -> [TextRun] {
    let wanted = (across, side)
    guard wanted != (0, 0) else { return [place(run, at: point, 0, 0, reach)] }
    let others = [
      (-across, side), (across, -side), (-across, -side), (1, 0), (-1, 0), (0, 1), (0, -1),
    ]
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

  /// Whether labels are at one end of a line.
  var isAtEnd: Bool { shares[0] != 0.5 }

  /// Places on a stretch of a line where it is straight enough for the text.
  ///
  /// - Parameters:
  ///   - line: The text and its letters.
  ///   - run: The line.
  ///   - stretch: Which part of the line the label is for, as shares of its length.
  ///   - reach: From the middle of the line to the text.
  /// - Returns: The places, the best first.
  func places(
    of line: LineLabel, along run: ArraySlice<Coordinate>, stretch: ClosedRange<Double>,
    reach: Double
  ) -> [LabelPlace] {
    let distance = side * (reach + line.height / 2)
    var moved = Array(run)
    var isBackwards = false
    if !isLevel, distance != 0 {
      // The text is above what is read from the left, whichever way the line runs.
      let whole = LabelCurve(run, maximumAngle: line.maximumAngle)
      let (start, end) = (stretch.lowerBound * whole.length, stretch.upperBound * whole.length)
      isBackwards = line.keepsUpright && whole.isBackwards(from: start, to: end)
      let path = PixelPath([moved], isClosed: false)
        .offset(by: isBackwards ? -distance : distance)
      moved = path.points
    }
    let curve = LabelCurve(moved, maximumAngle: line.maximumAngle)
    let span = stretch.upperBound - stretch.lowerBound
    return shares.compactMap { share in
      let half = min(line.width, curve.length) / 2
      let wanted = (stretch.lowerBound + span * share) * curve.length
      let middle = min(max(wanted, half), curve.length - half)
      if isLevel {
        return LabelPlace(place(line.run, at: curve.point(at: middle), 0, side, reach))
      }
      return line.place(on: curve, around: middle)
    }
  }
}

internal import PortolanGeometry

extension LineRibbon {
  /// The corner at which two straight parts of a line meet.
  struct Corner {
    let before: Coordinate
    let after: Coordinate
    /// Between the two right sides, of length 1.
    let bisector: Coordinate
    /// Of half the angle by which the line turns.
    let cosine: Double
    /// Positive where the line turns to the right.
    let turn: Double

    /// Corners that turn by more, as the cosine of half of it, shear only what is near them.
    private static let cosineOfSharp = 0.793

    /// Whether the line turns so far that only what is near the corner is sheared.
    var isSharp: Bool { cosine < Self.cosineOfSharp }

    /// The length of the bisector as a multiple of half of the width.
    var length: Double { cosine > 0 ? 1 / cosine : .infinity }

    init(_ first: PathEdge, _ second: PathEdge) {
      (before, after) = (first.right, second.right)
      let sum = Coordinate(x: before.x + after.x, y: before.y + after.y)
      let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
      bisector = length > 0 ? sum.scaled(1 / length) : sum
      cosine = bisector.x * after.x + bisector.y * after.y
      turn = before.x * after.y - before.y * after.x
    }

    /// Across the bisector, so that the sides change places.
    var flipped: Coordinate {
      guard length <= 100 else { return after.scaled(-1) }
      let sum = Coordinate(x: before.x + after.x, y: before.y + after.y)
      let step = Coordinate(x: before.x - after.x, y: before.y - after.y)
      let square = max(step.x * step.x + step.y * step.y, 1e-12)
      let share = length * ((sum.x * sum.x + sum.y * sum.y) / square).squareRoot()
      return Coordinate(x: -bisector.y, y: bisector.x).scaled(turn > 0 ? -share : share)
    }
  }
}

extension LineRibbon {
  /// Whether a line in one piece has corners that are drawn otherwise without its triangles: bevels of sharp
  /// ones end at the corner, not beyond it, and round joins may be mitred.
  static func isNeeded(for path: PixelPath, _ style: StrokeStyle) -> Bool {
    guard style.width >= leastWidth else { return false }
    let cosines: Range<Double>
    switch style.join {
    case .miter: cosines = -.infinity..<cosine(max(style.miterLimit, flipLimit))
    case .bevel: cosines = -.infinity..<cosine(flipLimit)
    case .round:
      guard style.roundLimit > bevelLimit else { return false }
      cosines = cosine(style.roundLimit)..<cosine(bevelLimit)
    }
    return path.runs.enumerated().contains { number, run in
      hasTurn(run, isRing: path.isClosed && !path.openRuns.contains(number), cosines)
    }
  }

  /// Of narrower lines nobody sees how their corners are drawn, in pixels.
  private static let leastWidth = 2.0

  /// The cosine of the turn of a corner whose bisector has a length.
  private static func cosine(_ length: Double) -> Double { 2 / (length * length) - 1 }

  private static func hasTurn(
    _ run: ArraySlice<Coordinate>, isRing: Bool, _ cosines: Range<Double>
  ) -> Bool {
    var last: (place: Coordinate, step: Coordinate?)?
    for place in isRing ? run + run.prefix(2) : run {
      guard let (before, ahead) = last else {
        last = (place, nil)
        continue
      }
      let step = Coordinate(x: place.x - before.x, y: place.y - before.y)
      let square = step.x * step.x + step.y * step.y
      guard square > 0, square.isFinite else { continue }
      if let ahead {
        let lengths = (square * (ahead.x * ahead.x + ahead.y * ahead.y)).squareRoot()
        if cosines.contains((step.x * ahead.x + step.y * ahead.y) / lengths) { return true }
      }
      last = (place, step)
    }
    return false
  }
}

extension Coordinate {
  func scaled(_ factor: Double) -> Coordinate {
    Coordinate(x: x * factor, y: y * factor)
  }
}

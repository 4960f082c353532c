internal import PortolanGeometry

extension LineRibbon {
  /// Where two straight parts of a line meet.
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

    /// How long the bisector is as a multiple of half of the width.
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

extension Coordinate {
  func scaled(_ factor: Double) -> Coordinate {
    Coordinate(x: x * factor, y: y * factor)
  }
}

/// A curve from (0, 0) to (1, 1) that two points draw to them.
struct UnitBezier: Hashable, Sendable {
  private let x1: Double
  private let y1: Double
  private let x2: Double
  private let y2: Double

  /// The points must lie between 0 and 1 across; they are clamped.
  init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = min(max(x1, 0), 1)
    self.y1 = min(max(y1, -10), 10)
    self.x2 = min(max(x2, 0), 1)
    self.y2 = min(max(y2, -10), 10)
  }

  /// The height of the curve at a place across.
  func value(at x: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    // The curve never turns back, so halving finds the place.
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if Self.point(middle, x1, x2) < x { low = middle } else { high = middle }
    }
    return Self.point((low + high) / 2, y1, y2)
  }

  private static func point(_ t: Double, _ first: Double, _ second: Double) -> Double {
    let rest = 1 - t
    return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
  }
}

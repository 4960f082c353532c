/// The coverage of pixels at the edge of an area.
enum AreaEdge: Sendable {
  /// Pixels are covered by the share that is inside; where rings lie in each other, every other one
  /// is a hole.
  case exact
  /// Whole, or not at all if less than half is inside.
  case crisp
  /// Pixels are covered by the share that is inside of rings, which may lie over each other; those
  /// that wind the other way are holes.
  case spread
}

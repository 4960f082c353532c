/// The bounds of some segments along the axes and the diagonals.
///
/// Diagonal bounds keep slanting neighbours apart, whose boxes would overlap.
struct Octagon {
  private var least: SIMD4<Int64>
  private var greatest: SIMD4<Int64>

  init(_ segment: LineSelfContact.Segment) {
    let (start, end) = (Self.extents(of: segment.start), Self.extents(of: segment.end))
    least = pointwiseMin(start, end)
    greatest = pointwiseMax(start, end)
  }

  private static func extents(of position: BlobShape.Position) -> SIMD4<Int64> {
    SIMD4(position.x, position.y, position.x + position.y, position.x - position.y)
  }

  private mutating func include(_ other: Octagon) {
    least = pointwiseMin(least, other.least)
    greatest = pointwiseMax(greatest, other.greatest)
  }

  /// Whether the two may have something in common.
  func meets(_ other: Octagon) -> Bool {
    all(least .<= other.greatest) && all(other.least .<= greatest)
  }

  /// The levels of a binary tree, from the leaves up; empty without segments.
  static func tree(
    over segments: [LineSelfContact.Segment], leafSize: Int
  ) -> [[Octagon]] {
    guard !segments.isEmpty else { return [] }
    var levels = [joined(segments.map(Octagon.init), by: leafSize)]
    while let top = levels.last, top.count > 1 { levels.append(joined(top, by: 2)) }
    return levels
  }

  private static func joined(_ octagons: [Octagon], by count: Int) -> [Octagon] {
    stride(from: 0, to: octagons.count, by: count).map { start in
      octagons[start..<min(start + count, octagons.count)].dropFirst()
        .reduce(into: octagons[start]) { $0.include($1) }
    }
  }
}

/// Finds out whether a line meets itself anywhere but at the ends of its paths.
///
/// Exact on whole numbers. Runs of segments are bounded by octagons in a binary tree; two runs
/// are compared only where their octagons meet. Work is limited: a line so tangled that the limit
/// is passed counts as not simple, which claims less.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7; the rule for ends was found by comparing with the flags of
///   the samples
struct LineSelfContact {
  typealias Position = BlobShape.Position

  /// A segment with the path it belongs to.
  struct Segment {
    var start: Position
    var end: Position
    var path: Int
    var index: Int
  }

  private var segments: [Segment] = []
  private var ends: [(first: Position, last: Position, lastIndex: Int)] = []
  private var levels: [[Octagon]] = []

  private static let leafSize = 4
  private static let comparisonsPerSegment = 2_000

  init(_ paths: [[Position]]) {
    segments.reserveCapacity(paths.reduce(0) { $0 + $1.count })
    for path in paths { add(path) }
    levels = Octagon.tree(over: segments, leafSize: Self.leafSize)
  }

  private mutating func add(_ path: [Position]) {
    guard let first = path.first, let last = path.last else { return }
    var index = 0
    for (start, end) in zip(path, path.dropFirst()) where start != end {
      segments.append(Segment(start: start, end: end, path: ends.count, index: index))
      index += 1
    }
    ends.append((first, last, index - 1))
  }

  /// Whether the line meets itself only at the ends of its paths.
  var isSimple: Bool {
    guard let top = levels.indices.last else { return true }
    var budget = Self.comparisonsPerSegment * segments.count + 100_000
    var stack = [(level: top, left: 0, right: 0)]
    while let (level, left, right) = stack.popLast() {
      budget -= 1
      guard budget > 0 else { return false }
      guard left == right || levels[level][left].meets(levels[level][right]) else { continue }
      if level == 0 {
        guard leavesAreApart(left, right) else { return false }
        budget -= Self.leafSize * Self.leafSize
        continue
      }
      let below = levels[level - 1].count
      for first in 2 * left...min(2 * left + 1, below - 1) {
        for second in 2 * right...min(2 * right + 1, below - 1) where first <= second {
          stack.append((level - 1, first, second))
        }
      }
    }
    return true
  }

  private func leavesAreApart(_ left: Int, _ right: Int) -> Bool {
    for first in leaf(left) {
      for second in leaf(right) where first < second {
        guard arePolite(segments[first], segments[second]) else { return false }
      }
    }
    return true
  }

  private func leaf(_ number: Int) -> Range<Int> {
    number * Self.leafSize..<min((number + 1) * Self.leafSize, segments.count)
  }

  /// Whether two segments are apart or share only what they may: a joint or ends of paths.
  private func arePolite(_ first: Segment, _ second: Segment) -> Bool {
    switch first.contact(with: second) {
    case .none: true
    case .more: false
    case .vertex(let position):
      (first.path == second.path && second.index - first.index == 1 && position == first.end)
        || (isEnd(position, of: first) && isEnd(position, of: second))
    }
  }

  private func isEnd(_ position: Position, of segment: Segment) -> Bool {
    let path = ends[segment.path]
    return (segment.index == 0 && position == path.first)
      || (segment.index == path.lastIndex && position == path.last)
  }
}

extension LineSelfContact.Segment {
  /// The contact of two segments.
  enum Contact {
    case none
    /// An end of both, and nothing else.
    case vertex(BlobShape.Position)
    /// A crossing, a touch inside one of them, or a stretch.
    case more
  }

  func contact(with other: Self) -> Contact {
    guard boxMeets(other) else { return .none }
    let sides = (
      other.side(of: start), other.side(of: end), side(of: other.start), side(of: other.end)
    )
    if sides.0 * sides.1 > 0 || sides.2 * sides.3 > 0 { return .none }
    if sides == (0, 0, 0, 0) { return contactOnOneLine(with: other) }
    for position in [start, end] where position == other.start || position == other.end {
      return .vertex(position)
    }
    return .more
  }

  /// Both lie on one line and their boxes meet.
  private func contactOnOneLine(with other: Self) -> Contact {
    for (mine, far) in [(start, end), (end, start)] {
      for (theirs, theirFar) in [(other.start, other.end), (other.end, other.start)]
      where mine == theirs && pointsAway(far, theirFar, from: mine) {
        return .vertex(mine)
      }
    }
    return .more
  }

  private func pointsAway(
    _ left: BlobShape.Position, _ right: BlobShape.Position, from joint: BlobShape.Position
  ) -> Bool {
    (left.x - joint.x).signum() == -(right.x - joint.x).signum()
      && (left.y - joint.y).signum() == -(right.y - joint.y).signum()
  }

  private func boxMeets(_ other: Self) -> Bool {
    min(start.x, end.x) <= max(other.start.x, other.end.x)
      && min(other.start.x, other.end.x) <= max(start.x, end.x)
      && min(start.y, end.y) <= max(other.start.y, other.end.y)
      && min(other.start.y, other.end.y) <= max(start.y, end.y)
  }

  /// On which side of the line through the segment a position lies; 0 on it.
  private func side(of position: BlobShape.Position) -> Int {
    // Differences take 54 bits, so their products need more than 64.
    let left = Int128(end.x - start.x) * Int128(position.y - start.y)
    let right = Int128(end.y - start.y) * Int128(position.x - start.x)
    return left == right ? 0 : (left > right ? 1 : -1)
  }
}

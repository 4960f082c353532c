/// Finds where the paths or rings of a geometry blob begin and end.
///
/// Parts end at separators. The rings of one part follow each other without one: a ring ends
/// where its first vertex comes again. If that leaves a remainder that does not close, the part
/// is one ring that touches itself at its first vertex.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7, "Polygons"
struct PartCutter {
  /// The least vertices of a closed ring, its first one counted twice.
  static let leastRingCount = 4

  /// The vertices of each path or ring.
  private(set) var runs: [Range<Int>] = []

  private let findsRings: Bool
  private var partStart = 0
  private var ringStart = 0
  private var runsBeforePart = 0
  private var first: (x: Int64, y: Int64) = (0, 0)

  init(findsRings: Bool) { self.findsRings = findsRings }

  /// Takes a vertex.
  @inline(__always)
  mutating func include(_ x: Int64, _ y: Int64, at index: Int) {
    guard findsRings else { return }
    if index == ringStart {
      first = (x, y)
    } else if x == first.x, y == first.y, index - ringStart >= Self.leastRingCount - 1 {
      runs.append(ringStart..<index + 1)
      ringStart = index + 1
    }
  }

  /// Ends a part in front of the vertex at `index`.
  mutating func separate(at index: Int) {
    if index > partStart, !findsRings || ringStart < index {
      runs.removeSubrange(runsBeforePart...)
      runs.append(partStart..<index)
    }
    runsBeforePart = runs.count
    partStart = index + 1
    ringStart = index + 1
  }
}

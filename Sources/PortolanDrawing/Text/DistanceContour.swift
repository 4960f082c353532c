internal import PortolanGeometry

/// Traces the outlines of glyphs in signed distance fields: where the distances pass a level.
///
/// - SeeAlso: [Marching squares](https://en.wikipedia.org/wiki/Marching_squares)
struct DistanceContour {
  /// Vertices nearer than this to the line between their neighbours are left out; in pixels of an em
  /// of 24.
  private static let tolerance = 0.06

  private let field: DistanceField
  private let level: Double
  private let width: Int
  private let height: Int
  /// The edge to which the line continues, for each edge between two pixels.
  private var next: [Int32]

  /// The outline of a glyph, grown by a distance, in pixels of an em of 24.
  ///
  /// The origin is the pen at the top of the line, y downwards.
  static func outline(of field: DistanceField, grownBy distance: Double = 0) -> PixelPath {
    var contour = DistanceContour(
      field, level: max(DistanceField.edge - distance * DistanceField.slope, 1))
    contour.march()
    return contour.rings()
  }

  private init(_ field: DistanceField, level: Double) {
    self.field = field
    self.level = level
    // A ring of pixels that are far outside closes every line.
    width = field.width + 2
    height = field.height + 2
    next = Array(repeating: -1, count: width * height * 2)
  }

  private func value(_ column: Int, _ row: Int) -> Double {
    Double(field[column - 1, row - 1])
  }

  private mutating func march() {
    for row in 0..<(height - 1) {
      for column in 0..<(width - 1) { cross(column, row) }
    }
  }

  /// Notes how lines pass through a square between four pixels, the inside on one side of them.
  private mutating func cross(_ column: Int, _ row: Int) {
    let corners = [
      value(column, row), value(column + 1, row), value(column + 1, row + 1),
      value(column, row + 1),
    ]
    var kind = 0
    for (bit, corner) in corners.enumerated() where corner >= level { kind |= 1 << bit }
    guard kind != 0, kind != 15 else { return }
    if kind == 5 || kind == 10, corners.reduce(0, +) / 4 >= level { kind += 16 }
    let top = (row * width + column) * 2
    let edges = [top, top + 3, top + 2 * width, top + 1]
    for (from, to) in Self.ways[kind] ?? [] { next[edges[from]] = Int32(edges[to]) }
  }

  /// The edges that the contour joins, by the corners that are inside: 0 top, 1 right, 2 bottom, 3
  /// left; 16 is added where the middle is inside too.
  private static let ways: [Int: [(Int, Int)]] = [
    1: [(3, 0)], 2: [(0, 1)], 3: [(3, 1)], 4: [(1, 2)], 5: [(3, 0), (1, 2)], 6: [(0, 2)],
    7: [(3, 2)], 8: [(2, 3)], 9: [(2, 0)], 10: [(0, 1), (2, 3)], 11: [(2, 1)], 12: [(1, 3)],
    13: [(1, 0)], 14: [(0, 3)], 21: [(3, 2), (1, 0)], 26: [(0, 3), (2, 1)],
  ]

  private mutating func rings() -> PixelPath {
    var path = PixelPath(isClosed: true)
    for start in next.indices where next[start] >= 0 {
      var ring: [Coordinate] = []
      var edge = start
      while next[edge] >= 0 {
        ring.append(point(on: edge))
        let following = Int(next[edge])
        next[edge] = -1
        edge = following
      }
      let thinned = Self.thinned(ring)
      if thinned.count > 2 { path.append(thinned) }
    }
    return path
  }

  private func point(on edge: Int) -> Coordinate {
    let (column, row, isDown) = (edge / 2 % width, edge / 2 / width, edge % 2 == 1)
    let first = value(column, row)
    let second = isDown ? value(column, row + 1) : value(column + 1, row)
    let share = (level - first) / (second - first)
    // Pixels have their places in their middles.
    let x = Double(column) + field.corner.x - 0.5
    let y = Double(row) + field.corner.y - 0.5
    return Coordinate(x: isDown ? x : x + share, y: isDown ? y + share : y)
  }

  /// Leaves out vertices as long as all that are left out are near the line that stays.
  private static func thinned(_ ring: [Coordinate]) -> [Coordinate] {
    guard ring.count > 4 else { return ring }
    var kept = [ring[0]]
    var skipped: [Coordinate] = []
    for (index, vertex) in ring.enumerated().dropFirst() {
      let following = ring[(index + 1) % ring.count]
      skipped.append(vertex)
      let last = kept[kept.count - 1]
      if skipped.count > 12 || skipped.contains(where: { isFar($0, from: last, following) }) {
        kept.append(vertex)
        skipped.removeAll(keepingCapacity: true)
      }
    }
    return kept
  }

  private static func isFar(
    _ place: Coordinate, from start: Coordinate, _ end: Coordinate
  ) -> Bool {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let cross = (place.x - start.x) * y - (place.y - start.y) * x
    return cross * cross > tolerance * tolerance * (x * x + y * y)
  }
}

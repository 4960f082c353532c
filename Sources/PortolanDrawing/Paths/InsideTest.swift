package import PortolanGeometry

/// Tests whether places are inside an area; where rings lie in each other, every other one is a
/// hole.
package struct InsideTest {
  /// The pixels that a row of edges is high.
  private static let rowHeight = 16.0
  private static let maximumRows = 4096.0
  /// The maximum number of entries of edges in rows, beside once or twice each.
  private static let maximumEntries = 1_000_000.0

  private let top: Double
  private let height: Double
  /// The edges that cross each row.
  private(set) var rows: [[(start: Coordinate, end: Coordinate)]]

  package init(_ path: PixelPath) {
    let bounds = path.bounds
    // Edges that go up and down all over an area are in every row: more rows would only take memory.
    let rise = path.runs.reduce(0) { $0 + Self.rise($1) }
    let most = max(1, (Self.maximumEntries * bounds.height / rise).rounded(.down))
    let count = min(
      max((bounds.height / Self.rowHeight).rounded(.up), 1), min(Self.maximumRows, most))
    top = bounds.yMin
    height = max(bounds.height / count, 1e-9)
    rows = Array(repeating: [], count: Int(count))
    for run in path.runs {
      guard var previous = run.last else { continue }
      for vertex in run {
        defer { previous = vertex }
        guard previous.y != vertex.y else { continue }
        let (low, high) = (min(previous.y, vertex.y), max(previous.y, vertex.y))
        for row in row(of: low)...row(of: high) { rows[row].append((previous, vertex)) }
      }
    }
  }

  /// The total height by which the edges of a ring rise and fall.
  private static func rise(_ ring: ArraySlice<Coordinate>) -> Double {
    guard var previous = ring.last else { return 0 }
    var rise = 0.0
    for vertex in ring {
      rise += abs(vertex.y - previous.y)
      previous = vertex
    }
    return rise
  }

  private func row(of y: Double) -> Int {
    Int(min(max((y - top) / height, 0), Double(rows.count - 1)))
  }

  package func contains(_ place: Coordinate) -> Bool {
    var isInside = false
    for (start, end) in rows[row(of: place.y)] where (start.y > place.y) != (end.y > place.y) {
      let share = (place.y - start.y) / (end.y - start.y)
      if place.x < start.x + (end.x - start.x) * share { isInside.toggle() }
    }
    return isInside
  }
}

internal import PortolanGeometry

/// The error that leaving out each vertex of a shape would cause, by which invisible vertices are
/// left out.
///
/// It is the way of Douglas and Peucker: the vertex that is farthest from the straight line between
/// two others parts them, and so on.
struct VertexImportance {
  /// The ends of a shape always stay.
  private static let end = Double.infinity
  /// Distances that are measured for each vertex; where made-up shapes would take more, vertices stay.
  private static let maximumSteps = 256

  /// The square of the distance of each vertex, in that of the units of the shape.
  private(set) var squares: [Double]

  /// Measures a line, or a ring that ends where it begins, though that is not said again.
  init(_ path: [Coordinate], isRing: Bool) {
    let line = isRing ? path + path.prefix(1) : path
    squares = Array(repeating: 0, count: line.count)
    guard let last = line.indices.last else { return }
    (squares[0], squares[last]) = (Self.end, Self.end)
    var steps = line.count * Self.maximumSteps
    var parts = [(0, last)]
    while let (first, last) = parts.popLast() {
      guard last - first > 1 else { continue }
      steps -= last - first
      guard steps > 0 else {
        for index in first + 1..<last { squares[index] = Self.end }
        continue
      }
      var (farthest, square) = (first, 0.0)
      // Of vertices that are equally far the one nearest to the middle counts.
      var fromMiddle = last - first
      for index in first + 1..<last {
        let distance = Self.square(line[index], from: line[first], to: line[last])
        let offset = abs(2 * index - first - last)
        guard distance > square || (distance == square && offset < fromMiddle) else { continue }
        (farthest, square, fromMiddle) = (index, distance, offset)
      }
      guard square > 0 else { continue }
      squares[farthest] = square
      parts += [(first, farthest), (farthest, last)]
    }
    if isRing { squares.removeLast() }
  }

  /// The vertices that are seen where `tolerance` is not.
  func seen(of path: [Coordinate], tolerance: Double) -> [Coordinate] {
    zip(path, squares).filter { $0.1 > tolerance * tolerance }.map(\.0)
  }

  /// The square of the distance of a place from a straight line.
  private static func square(
    _ place: Coordinate, from start: Coordinate, to end: Coordinate
  ) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = x * x + y * y
    let along = (place.x - start.x) * x + (place.y - start.y) * y
    let share = length > 0 ? min(max(along / length, 0), 1) : 0
    let (across, down) = (place.x - start.x - share * x, place.y - start.y - share * y)
    return across * across + down * down
  }
}

/// Leaves out vertices that make no visible difference, after Douglas and Peucker.
struct TileSimplifier {
  private var isKept: [Bool] = []
  private var stack: [(first: Int, last: Int)] = []

  /// The vertices that keep the path within a tolerance, in steps of the tile; the first and the
  /// last stay.
  mutating func simplify(_ path: [SIMD2<Int32>], tolerance: Double) -> [SIMD2<Int32>] {
    guard path.count > 2, tolerance > 0 else { return path }
    isKept.removeAll(keepingCapacity: true)
    isKept.append(contentsOf: repeatElement(false, count: path.count))
    isKept[0] = true
    isKept[path.count - 1] = true
    stack.removeAll(keepingCapacity: true)
    if path[0] == path[path.count - 1] {
      // A ring is cut in two, where it is farthest from its beginning.
      let far = farthest(from: path[0], in: path)
      isKept[far] = true
      stack.append((0, far))
      stack.append((far, path.count - 1))
    } else {
      stack.append((0, path.count - 1))
    }
    let limit = tolerance * tolerance
    while let (first, last) = stack.popLast() {
      guard last - first > 1 else { continue }
      let (start, end) = (path[first], path[last])
      let (dx, dy) = (Double(end.x) - Double(start.x), Double(end.y) - Double(start.y))
      let length = dx * dx + dy * dy
      var (worst, place) = (limit, -1)
      for index in first + 1..<last {
        let (px, py) = (
          Double(path[index].x) - Double(start.x), Double(path[index].y) - Double(start.y)
        )
        let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
        let (ox, oy) = (px - dx * share, py - dy * share)
        let distance = ox * ox + oy * oy
        if distance > worst { (worst, place) = (distance, index) }
      }
      guard place >= 0 else { continue }
      isKept[place] = true
      stack.append((first, place))
      stack.append((place, last))
    }
    var result: [SIMD2<Int32>] = []
    for index in path.indices where isKept[index] { result.append(path[index]) }
    return result
  }

  private func farthest(from point: SIMD2<Int32>, in path: [SIMD2<Int32>]) -> Int {
    var (best, place) = (-1.0, path.count / 2)
    for index in path.indices {
      let (dx, dy) = (
        Double(path[index].x) - Double(point.x), Double(path[index].y) - Double(point.y)
      )
      let distance = dx * dx + dy * dy
      if distance > best { (best, place) = (distance, index) }
    }
    return place
  }
}

/// Cuts lines and areas to a part of the grid, first along one axis, then along the other.
enum TileClipper {
  /// The part of a shape in a box; `nil` if there is none.
  static func clip(_ shape: TileShape, to box: GridBox) -> TileShape? {
    let (low, high) = (shape.low, shape.high)
    guard Int64(high.x) >= box.low.x, Int64(low.x) <= box.high.x, Int64(high.y) >= box.low.y,
      Int64(low.y) <= box.high.y
    else { return nil }
    let fitsX = Int64(low.x) >= box.low.x && Int64(high.x) <= box.high.x
    let fitsY = Int64(low.y) >= box.low.y && Int64(high.y) <= box.high.y
    if fitsX && fitsY { return shape }
    var paths = shape.paths
    if !fitsX { paths = clip(paths, axis: 0, box.low.x, box.high.x, isArea: shape.isArea) }
    if !fitsY { paths = clip(paths, axis: 1, box.low.y, box.high.y, isArea: shape.isArea) }
    return TileShape(row: shape.row, isArea: shape.isArea, paths: paths)
  }

  private static func clip(
    _ paths: [[GridPoint]], axis: Int, _ low: Int64, _ high: Int64, isArea: Bool
  ) -> [[GridPoint]] {
    var result: [[GridPoint]] = []
    // Bounds of the grid itself cut nothing that is on it.
    let low = Int32(max(low, 0))
    let high = Int32(min(high, Int64(Int32.max)))
    for path in paths {
      if isArea {
        let above = half(path, axis, low, keepsGreater: true)
        let ring = half(above, axis, high, keepsGreater: false)
        if ring.count >= 4 { result.append(ring) }
      } else {
        lines(path, axis, low, high, into: &result)
      }
    }
    return result
  }

  /// The part of a closed ring on one side of a bound, closed again.
  private static func half(
    _ ring: [GridPoint], _ axis: Int, _ bound: Int32, keepsGreater: Bool
  ) -> [GridPoint] {
    guard var last = ring.last else { return [] }
    // The last vertex repeats the first.
    if ring.count > 1, ring[0] == last { last = ring[ring.count - 2] }
    var result: [GridPoint] = []
    result.reserveCapacity(ring.count + 4)
    func isInside(_ point: GridPoint) -> Bool {
      keepsGreater ? point[axis] >= bound : point[axis] <= bound
    }
    var lastIsInside = isInside(last)
    let count = ring.count > 1 && ring[0] == ring[ring.count - 1] ? ring.count - 1 : ring.count
    for index in 0..<count {
      let point = ring[index]
      let inside = isInside(point)
      if inside != lastIsInside { result.append(crossing(last, point, axis, bound)) }
      if inside { result.append(point) }
      (last, lastIsInside) = (point, inside)
    }
    if let first = result.first { result.append(first) }
    return result
  }

  /// The parts of a line between two bounds.
  private static func lines(
    _ path: [GridPoint], _ axis: Int, _ low: Int32, _ high: Int32,
    into result: inout [[GridPoint]]
  ) {
    guard path.count > 1 else { return }
    var line: [GridPoint] = []
    func close() {
      if line.count > 1 { result.append(line) }
      line = []
    }
    for index in 1..<path.count {
      let (start, end) = (path[index - 1], path[index])
      let (from, to) = (start[axis], end[axis])
      if (from < low && to < low) || (from > high && to > high) {
        close()
        continue
      }
      var (first, second) = (start, end)
      if from < low { first = crossing(start, end, axis, low) }
      if from > high { first = crossing(start, end, axis, high) }
      if to < low { second = crossing(start, end, axis, low) }
      if to > high { second = crossing(start, end, axis, high) }
      if line.last != first {
        close()
        line.append(first)
      }
      line.append(second)
      if second != end { close() }
    }
    close()
  }

  /// Where the way from one point to another passes a bound.
  private static func crossing(
    _ start: GridPoint, _ end: GridPoint, _ axis: Int, _ bound: Int32
  ) -> GridPoint {
    let other = 1 - axis
    let share =
      (Double(bound) - Double(start[axis])) / (Double(end[axis]) - Double(start[axis]))
    let value = Double(start[other]) + (Double(end[other]) - Double(start[other])) * share
    var point = GridPoint()
    point[axis] = bound
    point[other] = Int32(value.rounded())
    return point
  }
}

internal import PortolanGeometry

/// Adds edges to the cells of rows; it must not outlive them.
@unsafe
struct CellRows {
  /// The reach of a row without edges.
  static let noReach = SIMD2<Int32>(.max, -1)

  let cells: UnsafeMutablePointer<Float>
  let reaches: UnsafeMutablePointer<SIMD2<Int32>>
  /// The cells from row to row.
  let stride: Int
  let top: Int
  let bottom: Int
  /// Where the first column begins.
  let left: Double
  /// The number of columns.
  let limit: Double

  /// Whether the cells of a row that hold something are noted, which pays in wide boxes.
  var tracksReach: Bool { unsafe limit > Self.narrow }
  private static let narrow = 64.0

  /// The reach of a row before edges are added.
  var firstReach: SIMD2<Int32> { unsafe tracksReach ? Self.noReach : SIMD2(0, Int32(stride - 1)) }

  /// Adds an edge of an area.
  ///
  /// What it adds to a row does not depend on the rows that are filled with it.
  @inline(__always)
  func addEdge(from start: Coordinate, to end: Coordinate) {
    // Both ways down are worked out at once: which one it is can hardly be foretold.
    let isDown = start.y < end.y
    let upper = min(start.y, end.y)
    let lower = max(start.y, end.y)
    guard unsafe lower > Double(top), unsafe upper < Double(bottom), upper < lower,
      unsafe min(start.x, end.x) < left + limit
    else { return }
    let x0 = unsafe (isDown ? start.x : end.x) - left
    let x1 = unsafe (isDown ? end.x : start.x) - left
    unsafe add(x0, upper, x1, lower, isDown ? 1 : -1)
  }

  @inline(__always)
  private func add(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ direction: Double
  ) {
    var row = unsafe y0 <= Double(top) ? top : Int(y0)
    if y0 >= Double(row), y1 <= Double(row + 1) {
      return unsafe addToRow(row, x0, x1, (y1 - y0) * direction)
    }
    let slope = (x1 - x0) / (y1 - y0)
    var start = max(y0, Double(row))
    var x = y0 >= Double(row) ? x0 : x0 + (Double(row) - y0) * slope
    while true {
      let end = Double(row + 1)
      if y1 <= end { return unsafe addToRow(row, x, x1, (y1 - start) * direction) }
      let next = x0 + (end - y0) * slope
      unsafe addToRow(row, x, next, (end - start) * direction)
      row += 1
      guard unsafe row < bottom else { return }
      x = next
      start = end
    }
  }

  /// Adds the part of an edge that is in one row: it runs from `a` to `b`, and `height` is what it
  /// goes down, negative for an edge that goes up.
  @inline(__always)
  private func addToRow(_ row: Int, _ a: Double, _ b: Double, _ height: Double) {
    let (low, high) = (min(a, b), max(a, b))
    if low >= 0, unsafe high <= limit {
      unsafe add(row, Float(low), Float(high), Float(height))
    } else {
      unsafe addClipped(row, low, high, height)
    }
  }

  /// What is left of the box counts at its side, what is right of it does not.
  private func addClipped(_ row: Int, _ low: Double, _ high: Double, _ height: Double) {
    if high <= 0 { return unsafe add(row, 0, 0, Float(height)) }
    guard unsafe low < limit else { return }
    let rate = height / (high - low)
    if low < 0 { unsafe add(row, 0, 0, Float(-low * rate)) }
    let (start, end) = unsafe (max(low, 0), min(high, limit))
    unsafe add(row, Float(start), Float(end), Float((end - start) * rate))
  }

  /// Adds to the cells of the pixels that an edge crosses; `low` and `high` are where.
  ///
  /// Most edges cross one pixel or two, which one sum does for both without asking.
  @inline(__always)
  private func add(_ row: Int, _ low: Float, _ high: Float, _ height: Float) {
    let index = unsafe row &- top
    let first = Int(Int32(low))
    let cells = unsafe self.cells + (index &* stride &+ first)
    let start = Float(first)
    var last = first &+ 2
    if high - low <= 1 {
      let side = start + 1
      let over = max(high - side, 0)
      let second = height * (over / max(high - low, 1e-30))
      let rest = height - second
      let beyond = rest * (0.5 * (low + min(high, side)) - start)
      let after = second * (0.5 * over)
      unsafe cells[0] += rest - beyond
      unsafe cells[1] += beyond + (second - after)
      unsafe cells[2] += after
    } else {
      last = unsafe first &+ Self.spread(cells, low - start, high - start, height)
    }
    guard unsafe tracksReach else { return }
    let reach = unsafe reaches[index]
    unsafe reaches[index] = SIMD2(
      min(reach.x, Int32(truncatingIfNeeded: first)), max(reach.y, Int32(truncatingIfNeeded: last)))
  }

  /// Adds an edge that crosses several cells, from `low` in the first to `high`, counted from it,
  /// after Raph Levien's font-rs.
  ///
  /// Returns the number of the last cell.
  @inline(__always)
  private static func spread(
    _ cells: UnsafeMutablePointer<Float>, _ low: Float, _ high: Float, _ height: Float
  ) -> Int {
    let rate = height / (high - low)
    let whole = Int(Int32(high))
    let last = Float(whole) < high ? whole &+ 1 : whole
    let end = high - Float(last) + 1
    let firstArea = 0.5 * rate * (1 - low) * (1 - low)
    let lastArea = 0.5 * rate * end * end
    unsafe cells[0] += firstArea
    if last == 2 {
      unsafe cells[1] += height - firstArea - lastArea
    } else {
      let second = rate * (1.5 - low)
      unsafe cells[1] += second - firstArea
      for cell in 2..<(last - 1) { unsafe cells[cell] += rate }
      unsafe cells[last - 1] += height - (second + Float(last - 3) * rate) - lastArea
    }
    unsafe cells[last] += lastArea
    return last
  }
}

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
  /// The position at which the first column begins.
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
  /// The contribution to a row does not depend on the rows that are filled with it.
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
  ///
  /// Places are counted from the pixel in which the part begins, and shares in whole parts of a
  /// pixel, so that sums are exact: the same edge adds the same, wherever the box begins.
  @inline(__always)
  private func addToRow(_ row: Int, _ a: Double, _ b: Double, _ height: Double) {
    let (low, high) = (min(a, b), max(a, b))
    guard unsafe low < limit else { return }
    if high <= 0 { return unsafe addAtSide(row, Self.counted(Float(height))) }
    let start = low.rounded(.down)
    let (from, to) = (Float(low - start), Float(high - start))
    if to - from <= 1 {
      unsafe addShort(row, Int(start), from, to, Float(height))
    } else {
      unsafe addLong(row, Int(start), from, to, Float(height))
    }
  }

  /// A share in whole parts of a pixel, 16384 of them: sums of those are exact.
  @inline(__always)
  private static func counted(_ share: Float) -> Float {
    let rounder: Float = 768
    return (share + rounder) - rounder
  }

  /// The part to the left of the box counts at its side.
  private func addAtSide(_ row: Int, _ height: Float) {
    let index = unsafe row &- top
    unsafe self.cells[index &* stride] += height
    unsafe note(index, 0, 0)
  }

  /// Most edges cross one pixel or two, which one sum does for both without asking.
  @inline(__always)
  private func addShort(_ row: Int, _ first: Int, _ low: Float, _ high: Float, _ height: Float) {
    let over = max(high - 1, 0)
    let second = height * (over / max(high - low, 1e-30))
    let rest = height - second
    // The coverage up to the end of the first pixel, of the second, of the third.
    let one = unsafe Self.counted(rest - rest * (0.5 * (low + min(high, 1))))
    let two = unsafe Self.counted(height - second * (0.5 * over))
    let three = unsafe Self.counted(height)
    let index = unsafe row &- top
    let cells = unsafe self.cells + index &* stride
    if first >= 0 {
      unsafe cells[first] += one
      unsafe cells[first &+ 1] += two - one
      unsafe cells[first &+ 2] += three - two
    } else {
      unsafe cells[0] += one
      unsafe cells[max(first &+ 1, 0)] += two - one
      unsafe cells[max(first &+ 2, 0)] += three - two
    }
    unsafe note(index, max(first, 0), max(first &+ 2, 0))
  }

  /// Adds an edge that crosses several cells, after Raph Levien's font-rs.
  private func addLong(_ row: Int, _ first: Int, _ low: Float, _ high: Float, _ height: Float) {
    let rate = height / (high - low)
    let whole = Int(Int32(min(high, 1e8)))
    let last = Float(whole) < high ? whole &+ 1 : whole
    let end = high - Float(last) + 1
    let index = unsafe row &- top
    let cells = unsafe self.cells + index &* stride
    // Cells behind the box are not looked at, cells before it count at its side.
    let stop = unsafe min(last, Int(limit) &+ 2 &- first)
    var before: Float = 0
    for cell in min(max(-first, 0), last)...max(stop, 0) {
      // The coverage up to the end of this cell.
      let sum: Float =
        if cell == 0 {
          0.5 * rate * (1 - low) * (1 - low)
        } else if cell < last - 1 {
          rate * (Float(cell) + 0.5 - low)
        } else if cell == last - 1 {
          height - 0.5 * rate * end * end
        } else {
          height
        }
      let counted = unsafe Self.counted(sum)
      unsafe cells[first &+ cell] += counted - before
      before = counted
    }
    unsafe note(index, max(first, 0), first &+ stop)
  }

  /// Notes that cells of a row hold something.
  @inline(__always)
  private func note(_ index: Int, _ first: Int, _ last: Int) {
    guard unsafe tracksReach else { return }
    let reach = unsafe reaches[index]
    unsafe reaches[index] = SIMD2(
      min(reach.x, Int32(truncatingIfNeeded: first)), max(reach.y, Int32(truncatingIfNeeded: last)))
  }
}

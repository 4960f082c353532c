/// The cells of some rows in which the edges of an area are added up.
///
/// A cell holds by how much the share that is inside grows from the pixel before. Rows that no edge
/// crosses, and the ends of rows, are not looked at.
@safe
struct CoverageCells: ~Copyable {
  private var cells: UnsafeMutablePointer<Float>
  /// The first and last cell of each row that holds something.
  private var reaches: UnsafeMutablePointer<SIMD2<Int32>>
  private var cellCapacity = 0
  private var rowCapacity = 0
  private var left = 0
  private var width = 0
  private var rows = 0..<0

  init() {
    unsafe cells = .allocate(capacity: 0)
    unsafe reaches = .allocate(capacity: 0)
  }

  deinit {
    unsafe cells.deallocate()
    unsafe reaches.deallocate()
  }

  /// An edge at the very end of a row adds to the cells behind it.
  private var stride: Int { width + 3 }

  /// Begins with empty cells for a box of pixels.
  mutating func begin(left: Int, width: Int, rows: Range<Int>) {
    self.left = left
    self.width = width
    self.rows = rows
    reserve(cells: stride * rows.count, rows: rows.count)
    unsafe reaches.update(repeating: target.firstReach, count: rows.count)
  }

  /// Cells are left empty by ``finish(_:in:)``, so that only new ones have to be cleared.
  private mutating func reserve(cells count: Int, rows: Int) {
    if count > cellCapacity {
      unsafe cells.deallocate()
      unsafe cells = .allocate(capacity: count)
      unsafe cells.initialize(repeating: 0, count: count)
      cellCapacity = count
    }
    if rows > rowCapacity {
      unsafe reaches.deallocate()
      unsafe reaches = .allocate(capacity: rows)
      unsafe reaches.initialize(repeating: CellRows.noReach, count: rows)
      rowCapacity = rows
    }
  }

  /// The rows to which edges are added; only while nothing else happens to the cells.
  var target: CellRows {
    unsafe CellRows(
      cells: cells, reaches: reaches, stride: stride, top: rows.lowerBound,
      bottom: rows.upperBound, left: Double(left), limit: Double(width))
  }

  /// Puts a colour on the pixels, and leaves the cells empty.
  mutating func finish(_ blender: ColorBlender, in pixels: PixelRows) {
    for row in rows {
      let index = row - rows.lowerBound
      let reach = unsafe reaches[index]
      guard reach.y >= 0 else { continue }
      let (first, last) = (Int(reach.x), Int(reach.y))
      let cells = unsafe self.cells + index * stride
      unsafe Self.fill(
        pixels.row(row) + left, cells, first..<min(last + 1, width), to: width, blender)
      unsafe (cells + first).update(repeating: 0, count: last + 1 - first)
    }
  }

  @inline(__always)
  private static func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, _ cells: UnsafeMutablePointer<Float>,
    _ range: Range<Int>, to width: Int, _ blender: ColorBlender
  ) {
    var sum: Float = 0
    var column = range.lowerBound
    while column < range.upperBound {
      unsafe sum += cells[column]
      let share = share(sum, blender.edge)
      var end = column + 1
      while end < range.upperBound, unsafe cells[end] == 0 { end += 1 }
      // Edges right of the box were not added: what they would end continues to its side.
      if end == range.upperBound { end = width }
      if share == ColorBlender.whole {
        unsafe blender.fill(pixels + column, count: end - column)
      } else if share != 0 {
        for place in column..<end { unsafe blender.blend(share, over: pixels + place) }
      }
      column = end
    }
  }

  /// The share that is inside, in parts of a whole pixel, of a sum over the cells before.
  @inline(__always)
  private static func share(_ sum: Float, _ edge: AreaEdge) -> UInt32 {
    let share = share(sum, countsOverlaps: edge != .spread)
    guard edge == .crisp else { return share }
    return 2 * share >= ColorBlender.whole ? ColorBlender.whole : 0
  }

  @inline(__always)
  private static func share(_ sum: Float, countsOverlaps: Bool) -> UInt32 {
    var part = abs(sum)
    if part > 1, !countsOverlaps {
      part = 1
    } else if part > 1 {
      // Every other ring around a pixel is a hole.
      let turns = min(part, 1e6)
      part = turns - Float(Int32(turns / 2)) * 2
      if part > 1 { part = 2 - part }
    }
    // The lowest bits of a number from 2 to the power of 23 on count ones.
    return (part * Float(ColorBlender.whole) + 8_388_608).bitPattern & 0x1FFF
  }
}

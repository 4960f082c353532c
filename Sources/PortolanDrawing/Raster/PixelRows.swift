/// Pixels in the memory of a surface, addressed as in the whole picture; they belong to a surface
/// that outlives this value.
@unsafe
struct PixelRows {
  /// The pixel at the left of row 0, which may not be in memory.
  private let origin: UnsafeMutableRawPointer
  /// The bytes from row to row.
  private let stride: Int
  /// The columns that may be changed, all of which are in memory.
  let columns: Range<Int>
  let rows: Range<Int>

  /// Pixels that begin at `memory` with the one at `columns.lowerBound` and `rows.lowerBound`.
  init(
    _ memory: UnsafeMutableRawPointer, stride: Int, columns: Range<Int>, rows: Range<Int>
  ) {
    unsafe origin = memory - (rows.lowerBound * stride + columns.lowerBound * 4)
    unsafe self.stride = stride
    unsafe self.columns = columns
    unsafe self.rows = rows
  }

  private init(_ pixels: PixelRows, columns: Range<Int>, rows: Range<Int>) {
    unsafe origin = pixels.origin
    unsafe stride = pixels.stride
    unsafe self.columns = columns
    unsafe self.rows = rows
  }

  /// Only those in a box.
  func clamped(columns: Range<Int>, rows: Range<Int>) -> PixelRows {
    unsafe PixelRows(
      self, columns: self.columns.clamped(to: columns), rows: self.rows.clamped(to: rows))
  }

  /// The pixel at the left of a row, column 0.
  @inline(__always)
  func row(_ row: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe (origin + row * stride).assumingMemoryBound(to: UInt32.self)
  }
}

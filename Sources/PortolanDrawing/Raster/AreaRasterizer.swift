internal import PortolanGeometry
internal import PortolanMap

/// Fills areas with a colour, each pixel by the share of it that is inside.
///
/// Each edge adds, in each row that it crosses, the area to its right to a row of cells; the sums
/// along the row are the shares. Where rings lie in each other, every other one is a hole. Shares
/// are exact but in pixels in which rings cross, where parts that wind in opposite ways cancel out.
/// The same area gives the same pixels, whatever rows are filled at a time.
@safe
final class AreaRasterizer {
  /// Larger areas are filled some rows at a time.
  private static let maximumCells = 1 << 20
  /// The distance beyond which shapes are cut off, so that pixels can be counted.
  private static let reach = 1e6
  private static let near = Envelope(xMin: -reach, yMin: -reach, xMax: reach, yMax: reach)

  private var cells = CoverageCells()

  /// Fills an area in the pixels of some rows.
  func fill(
    _ path: PixelPath, _ color: RGBAColor, in pixels: PixelRows, edge: AreaEdge = .exact
  ) {
    let blender = ColorBlender(color, edge: edge)
    guard !blender.isClear, let box = unsafe Self.box(of: path.bounds, in: pixels) else { return }
    let path = Self.near.contains(path.bounds) ? path : path.clipped(to: Self.near)
    let height = max(1, Self.maximumCells / (box.columns.count + 3))
    for top in stride(from: box.rows.lowerBound, to: box.rows.upperBound, by: height) {
      let rows = top..<min(top + height, box.rows.upperBound)
      cells.begin(left: box.columns.lowerBound, width: box.columns.count, rows: rows)
      unsafe Self.add(path, to: cells.target)
      unsafe cells.finish(blender, in: pixels)
    }
  }

  /// The pixels that an area may reach; `nil` if it reaches none.
  private static func box(
    of bounds: Envelope, in pixels: PixelRows
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    guard
      let columns = unsafe range(bounds.xMin, bounds.xMax, in: pixels.columns),
      let rows = unsafe range(bounds.yMin, bounds.yMax, in: pixels.rows)
    else { return nil }
    return (columns, rows)
  }

  private static func range(_ low: Double, _ high: Double, in all: Range<Int>) -> Range<Int>? {
    guard low <= high else { return nil }
    let first = Int(min(max(low, -reach), reach).rounded(.down))
    let last = Int(min(max(high, -reach), reach).rounded(.down))
    let range = (first..<(last + 1)).clamped(to: all)
    return range.isEmpty ? nil : range
  }

  private static func add(_ path: PixelPath, to rows: CellRows) {
    unsafe path.points.withUnsafeBufferPointer { points in
      for index in path.starts.indices {
        let end = index + 1 < path.starts.count ? path.starts[index + 1] : points.count
        unsafe addRing(UnsafeBufferPointer(rebasing: points[path.starts[index]..<end]), to: rows)
      }
    }
  }

  private static func addRing(_ ring: UnsafeBufferPointer<Coordinate>, to rows: CellRows) {
    guard var previous = unsafe ring.last(where: { isNear($0) }) else { return }
    for index in ring.indices {
      let point = unsafe ring[index]
      guard isNear(point) else { continue }
      unsafe rows.addEdge(from: previous, to: point)
      previous = point
    }
  }

  /// Whether a vertex can be counted; those that are at no place at all are left out.
  @inline(__always)
  private static func isNear(_ point: Coordinate) -> Bool {
    abs(point.x) <= 2 * reach && abs(point.y) <= 2 * reach
  }
}

internal import PortolanGeometry

/// Whole pixels of a picture.
package struct PixelBox: Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// The pixels whose middles are in an area; `nil` if it is no upright box.
  init?(inside area: PixelPath) {
    let box = area.bounds
    guard area.starts.count == 1, area.points.count == 4,
      let columns = Self.range(box.xMin, box.xMax), let rows = Self.range(box.yMin, box.yMax)
    else { return nil }
    let points = area.points
    for (index, point) in points.enumerated() {
      let next = points[(index + 1) % 4]
      let isCorner =
        (point.x == box.xMin || point.x == box.xMax) && (point.y == box.yMin || point.y == box.yMax)
      guard isCorner, (point.x == next.x) != (point.y == next.y) else { return nil }
    }
    self.init(columns: columns, rows: rows)
  }

  private static func range(_ low: Double, _ high: Double) -> Range<Int>? {
    guard low <= high, abs(low) < 1e9, abs(high) < 1e9 else { return nil }
    return Int((low - 0.5).rounded(.up))..<Int((high - 0.5).rounded(.up))
  }

  /// The pixels that are in both; none where they do not meet.
  func intersection(_ other: PixelBox) -> PixelBox {
    PixelBox(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
  }
}

package import PortolanGeometry

/// The cells of the map that labels are placed in, each for itself.
///
/// The cells are the same for all pictures of a scale, and no label reaches over the side of its
/// cell; so drawing any part of a cell gives the same labels.
package struct LabelGrid: Sendable {
  /// The points along a cell, if the world is as wide as a whole number of them.
  private static let side = 1024.0

  package struct Cell: Hashable, Sendable {
    let column: Int
    let row: Int
  }

  private let corner: Coordinate
  private let side: Double
  private let columns: Range<Int>
  private let rows: Range<Int>

  /// `nil` if the cells cannot be counted.
  ///
  /// - Parameters:
  ///   - frame: The window of the picture.
  ///   - transform: From map coordinates to its pixels.
  ///   - pixelRatio: The pixels along a point.
  ///   - area: The part of the picture that is kept.
  package init?(_ frame: MapFrame, _ transform: PixelTransform, pixelRatio: Double, area: Envelope)
  {
    let world = WorldCopies.width(frame)
    let ground = world.map { Coordinate(x: -$0 / 2, y: $0 / 2) } ?? Coordinate(x: 0, y: 0)
    let place = transform(ground)
    let corner = Coordinate(
      x: PixelTransform.whole(place.x), y: PixelTransform.whole(place.y))
    var side = Self.side * pixelRatio
    if let world {
      let width = world * pixelRatio / frame.resolution
      side = PixelTransform.whole(width / max((width / side).rounded(), 1))
    }
    // Pictures begin and end at cells, as far as numbers can tell.
    let tolerance = 0.01
    guard side >= 1, area.width > 0, area.height > 0,
      let left = Int(exactly: ((area.xMin - corner.x) / side + tolerance).rounded(.down)),
      let right = Int(exactly: ((area.xMax - corner.x) / side - tolerance).rounded(.up)),
      let top = Int(exactly: ((area.yMin - corner.y) / side + tolerance).rounded(.down)),
      let bottom = Int(exactly: ((area.yMax - corner.y) / side - tolerance).rounded(.up)),
      left < right, top < bottom
    else { return nil }
    self.corner = corner
    self.side = side
    columns = left..<right
    rows = top..<bottom
  }

  /// The cells of the picture.
  var cells: [Cell] { rows.flatMap { row in columns.map { Cell(column: $0, row: row) } } }

  /// The box around the cells, in pixels.
  package var area: Envelope {
    box(of: Cell(column: columns.lowerBound, row: rows.lowerBound))
      .union(box(of: Cell(column: columns.upperBound - 1, row: rows.upperBound - 1)))
  }

  /// The cell of a place, whether it is one of the picture's or not.
  package func cell(of place: Coordinate) -> Cell? {
    guard let column = Int(exactly: ((place.x - corner.x) / side).rounded(.down)),
      let row = Int(exactly: ((place.y - corner.y) / side).rounded(.down))
    else { return nil }
    return Cell(column: column, row: row)
  }

  /// The cells of the picture that a box touches.
  package func cells(touching box: Envelope) -> [Cell] {
    cells.filter { self.box(of: $0).intersects(box) }
  }

  /// In pixels.
  package func box(of cell: Cell) -> Envelope {
    let (left, top) = (
      corner.x + Double(cell.column) * side, corner.y + Double(cell.row) * side
    )
    return Envelope(xMin: left, yMin: top, xMax: left + side, yMax: top + side)
  }
}

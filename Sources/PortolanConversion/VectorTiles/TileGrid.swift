internal import PortolanGeometry

/// A position on a grid of 2^31 steps along a side of the world of the web, from the north-west.
typealias GridPoint = SIMD2<Int32>

/// The grid of the world.
enum TileGrid {
  /// The bits of a position on the grid.
  static let bits = 31
  /// The bits of a position in a tile: 4096 steps.
  static let tileBits = 12
  /// How many steps of 4096 shapes reach beyond a tile.
  static let margin = 80

  /// Half the side of the world, in metres.
  private static let halfSide = 20_037_508.342_789_244

  /// A place of Web Mercator on the grid; `nil` for what is no number.
  static func point(_ place: Coordinate) -> GridPoint? {
    let scale = Double(Int64(1) << bits) / (2 * halfSide)
    let x = (place.x + halfSide) * scale
    let y = (halfSide - place.y) * scale
    guard x.isFinite, y.isFinite else { return nil }
    // What lies a little outside of the world is drawn at its edge.
    let limit = Double(Int32.max)
    return GridPoint(Int32(min(max(x, 0), limit)), Int32(min(max(y, 0), limit)))
  }

  /// The place of a point of the grid on the Web Mercator.
  static func coordinate(of point: GridPoint) -> Coordinate {
    let step = 2 * halfSide / Double(Int64(1) << bits)
    return Coordinate(x: Double(point.x) * step - halfSide, y: halfSide - Double(point.y) * step)
  }
}

/// A part of the grid, with its bounds: a tile, or a tile and what is around it.
struct GridBox: Sendable {
  var low: SIMD2<Int64>
  var high: SIMD2<Int64>

  /// A tile with a margin, in steps of 4096 along its side.
  init(level: Int, row: Int, column: Int, margin: Int) {
    let side = Int64(1) << (TileGrid.bits - level)
    let reach = (side * Int64(margin)) >> TileGrid.tileBits
    let corner = SIMD2(Int64(column) * side, Int64(row) * side)
    low = corner &- SIMD2(repeating: reach)
    high = corner &+ SIMD2(repeating: side &+ reach &- 1)
  }

  @inline(__always)
  func contains(_ point: GridPoint) -> Bool {
    let x = Int64(point.x)
    let y = Int64(point.y)
    return x >= low.x && x <= high.x && y >= low.y && y <= high.y
  }
}

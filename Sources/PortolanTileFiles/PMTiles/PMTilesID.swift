internal import PortolanTiles

/// The number of a tile in a PMTiles archive: all coarser levels counted first, then the place
/// along a Hilbert curve over its level.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
enum PMTilesID {
  /// The finest level whose numbers fit 64 bits with a sign.
  static let maximumLevel = 30

  /// The number of the first tile of a level, 0 to 31.
  static func first(ofLevel level: Int) -> Int { ((1 << (2 * level)) - 1) / 3 }

  /// One more than the number of the last tile there can be.
  static let end = first(ofLevel: maximumLevel + 1)

  /// The number of a tile, or `nil` if the pyramid has no such tile.
  static func number(of tile: TileID) -> Int? {
    guard (0...maximumLevel).contains(tile.level) else { return nil }
    let sides = 0..<1 << tile.level
    guard sides.contains(tile.row), sides.contains(tile.column) else { return nil }
    var (x, y) = (tile.column, tile.row)
    var number = first(ofLevel: tile.level)
    var half = (1 << tile.level) >> 1
    while half > 0 {
      let isRight = x & half != 0
      let isLower = y & half != 0
      number += half * half * ((isRight ? 3 : 0) ^ (isLower ? 1 : 0))
      turn(&x, &y, isRight, isLower, side: half)
      half >>= 1
    }
    return number
  }

  /// The tile of a number from 0 to less than ``end``.
  static func tile(_ number: Int) -> TileID {
    let level = level(of: number)
    var position = number - first(ofLevel: level)
    var (x, y) = (0, 0)
    var half = 1
    while half < 1 << level {
      let isRight = position & 2 != 0
      let isLower = (position ^ (position >> 1)) & 1 != 0
      turn(&x, &y, isRight, isLower, side: half)
      if isRight { x += half }
      if isLower { y += half }
      position >>= 2
      half <<= 1
    }
    return TileID(level: level, row: y, column: x)
  }

  /// The level of a number.
  static func level(of number: Int) -> Int {
    // 3n + 1 lies between 4 to the power of the level and of the next.
    (Int.bitWidth - 1 - (3 * number + 1).leadingZeroBitCount) / 2
  }

  /// Turns the curve inside a quadrant of `side` cells, so that its ends meet its neighbours.
  private static func turn(
    _ x: inout Int, _ y: inout Int, _ isRight: Bool, _ isLower: Bool, side: Int
  ) {
    x &= side - 1
    y &= side - 1
    guard !isLower else { return }
    if isRight {
      x = side - 1 - x
      y = side - 1 - y
    }
    swap(&x, &y)
  }
}

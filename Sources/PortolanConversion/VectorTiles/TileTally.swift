internal import PortolanTiles

/// Counts tiles, and the features that were left out for their size.
struct TileTally {
  /// The finest level that is made.
  let finestLevel: Int
  /// How many tiles there are, by level.
  private(set) var counts: [Int: Int] = [:]
  /// How many tiles there are.
  private(set) var total = 0
  private var limitedCount = 0
  /// How many features the finest level lacks.
  private var omittedCount = 0

  init(finestLevel: Int) { self.finestLevel = finestLevel }

  mutating func add(_ tile: TileEncoder.Encoded) {
    counts[tile.id.level, default: 0] += 1
    total += 1
    guard tile.omittedCount > 0 else { return }
    limitedCount += 1
    if tile.id.level == finestLevel { omittedCount += tile.omittedCount }
  }

  /// A sentence about tiles that were too large; `nil` if none was.
  var note: String? {
    guard limitedCount > 0 else { return nil }
    let tiles =
      limitedCount == 1
      ? "1 tile would be too large and leaves features out"
      : "\(limitedCount) tiles would be too large and leave features out"
    return tiles
      + (omittedCount > 0
        ? ", \(omittedCount) of them at the finest level." : ", which finer tiles have.")
  }
}

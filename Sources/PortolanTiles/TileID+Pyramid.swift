/// Relations between tiles of schemes in which each level halves the resolution of the one before.
extension TileID {
  /// The tile one level up that covers this one, or `nil` at level 0.
  public var parent: TileID? { ancestor(atLevel: level - 1) }

  /// The tile of a coarser level that covers this one; this one for its own level.
  ///
  /// - Returns: `nil` for a finer or a negative level.
  public func ancestor(atLevel ancestorLevel: Int) -> TileID? {
    guard ancestorLevel >= 0, ancestorLevel <= level else { return nil }
    let steps = level - ancestorLevel
    return TileID(level: ancestorLevel, row: row >> steps, column: column >> steps)
  }

  /// The four tiles one level down that cover this one: north-west, north-east, south-west,
  /// south-east.
  public var children: [TileID] {
    let row = self.row &* 2
    let column = self.column &* 2
    return [
      TileID(level: level + 1, row: row, column: column),
      TileID(level: level + 1, row: row, column: column &+ 1),
      TileID(level: level + 1, row: row &+ 1, column: column),
      TileID(level: level + 1, row: row &+ 1, column: column &+ 1),
    ]
  }

  /// The row counted upwards from the bottom of the world, as MBTiles files do.
  ///
  /// Only for ``TileScheme/webMercator``, where level *n* has 2ⁿ rows.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 4.2
  public var tmsRow: Int { (1 << level) &- 1 &- row }
}

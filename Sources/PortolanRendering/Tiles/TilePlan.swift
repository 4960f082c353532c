internal import PortolanGeometry
internal import PortolanTiles

/// The tiles that a picture needs.
struct TilePlan {
  /// The tiles of the level that is drawn.
  let range: TileRange
  /// The level that is drawn.
  let level: TileScheme.Level
  /// The levels that hold tiles, coarsest first.
  let levels: [TileScheme.Level]
  let scheme: TileScheme

  /// Finds the tiles that cover `extent`: of the coarsest level whose pixels are no larger than
  /// `resolution`, else of the finest.
  ///
  /// `info` is the metadata of the source; `extent` is what is seen, in the reference of the
  /// tiles; `resolution` is that of the picture, in their units. There is no
  /// plan if no tile is seen.
  init?(_ info: TileSourceInfo, extent: Envelope, resolution: Double) {
    let scheme = info.scheme
    let levels = info.scheme.levels.filter { info.levels?.contains($0.level) ?? true }
    guard let level = levels.first(where: { $0.resolution <= resolution }) ?? levels.last else {
      return nil
    }
    let visible = info.fullExtent.map { full in
      // Descriptions are a little off; a tile more does no harm.
      extent.intersection(full.expanded(by: scheme.tileSize(of: level).width))
    }
    guard let visible = visible ?? extent,
      let range = scheme.range(covering: visible, level: level.level)
    else { return nil }
    self.range = range
    self.level = level
    self.levels = levels
    self.scheme = scheme
  }
}

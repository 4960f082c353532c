internal import PortolanSQLite
public import PortolanTiles

extension TileCacheStore {
  /// What has become of the tiles of one level of a region, for a picture of it.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - level: The level.
  ///   - limit: The most tiles.
  /// - Returns: The tiles; `nil` if there are more than `limit`.
  /// - Throws: ``TileCacheError`` if the cache cannot be read.
  public func tileStates(
    of region: CachedRegion, level: Int, limit: Int
  ) async throws(TileCacheError) -> [TileID: RegionTileState]? {
    guard region.plan.levels.contains(level) else { return [:] }
    let plan = RegionPlan(region.plan.region, levels: level...level)
    guard !region.isImported else {
      return try await keptStates(of: region, level: level, limit: limit)
    }
    guard plan.count <= limit else { return nil }
    var states: [TileID: RegionTileState] = [:]
    for block in PlannedBlocks(plan) {
      let (kept, blank, failed) = try await read { connection in
        (
          try RegionBits.load(block, .kept, of: region.id, connection),
          try RegionBits.load(block, .blank, of: region.id, connection),
          try PendingTiles.failures(in: block, of: region.id, connection)
        )
      }
      for tile in block.tiles {
        if blank.contains(tile) {
          states[tile] = .blank
        } else if kept.contains(tile) {
          states[tile] = .done
        } else {
          states[tile] = failed.contains(tile) ? .failed : .missing
        }
      }
      guard states.count <= limit else { return nil }
    }
    return states
  }

  /// The tiles of a region of a file, of which none is missing: its extent may be the whole world, as of
  /// what was recovered.
  private func keptStates(
    of region: CachedRegion, level: Int, limit: Int
  ) async throws(TileCacheError) -> [TileID: RegionTileState]? {
    var states: [TileID: RegionTileState] = [:]
    var last = TileBlock(level: level, row: -1, column: 0)
    while true {
      let start = last
      let blocks = try await read { connection in
        try RegionBits.places(of: region.id, .kept, after: start, limit: 64, connection)
          .filter { $0.level == level }
          .map { (kept: $0, blank: try RegionBits.load($0, .blank, of: region.id, connection)) }
      }
      guard let end = blocks.last else { return states }
      last = end.kept
      for (kept, blank) in blocks {
        for tile in kept.tiles { states[tile] = blank.contains(tile) ? .blank : .done }
      }
      guard states.count <= limit else { return nil }
    }
  }
}

internal import PortolanSQLite
public import PortolanTiles

extension TileCacheStore {
  /// How much of each level of a region is there.
  public func coverage(
    of region: CachedRegion
  ) async throws(TileCacheError) -> [LevelCoverage] {
    let done = try await read { try RegionBits.counts(of: region.id, .kept, $0) }
    if region.isImported {
      return done.sorted { $0.key < $1.key }.map {
        LevelCoverage(level: $0.key, planned: $0.value, done: $0.value)
      }
    }
    return region.plan.counts.map {
      LevelCoverage(level: $0.level, planned: $0.count, done: done[$0.level] ?? 0)
    }
  }

  /// Why a tile of a source is there or not.
  public func explain(
    _ tile: TileID, of config: MapCacheConfig
  ) async throws(TileCacheError) -> TileExplanation {
    var stored: StoredTile?
    if let source = try await knownSource(of: config) {
      stored = try await peek(at: tile, of: source)
    }
    var parts: [String: TileExplanation.Part] = [:]
    for region in try await regions()
    where region.source == config.cacheName && region.plan.contains(tile) {
      parts[region.name] = try await part(of: tile, in: region)
    }
    return TileExplanation(tile: tile, stored: stored, regions: parts)
  }

  private func part(
    of tile: TileID, in region: CachedRegion
  ) async throws(TileCacheError) -> TileExplanation.Part {
    let (isKept, isBlank) = try await read { connection in
      let place = TileBlock(around: tile)
      return (
        try RegionBits.load(place, .kept, of: region.id, connection).contains(tile),
        try RegionBits.load(place, .blank, of: region.id, connection).contains(tile)
      )
    }
    if isBlank { return .blank }
    if isKept { return .kept }
    let failure = try await failure(at: tile, of: region)
    return failure.map { .failed($0) } ?? .missing
  }
}

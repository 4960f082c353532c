internal import PortolanTiles

// The layers in vector tiles, where no metadata lists them.
extension CachedTileSource {
  /// How many tiles are read for one question.
  private static var sampleSize: Int { 512 }
  /// How many addresses are listed at a time, and how often for one level: of a large source few may lie
  /// in a region.
  private static var listSize: Int { 1_024 }
  private static var mostLists: Int { 4 }

  /// What was found up to now, after a look at some more tiles.
  func foundLayers() async throws(TileError) -> VectorTileLayers {
    let subject = FoundLayers.Subject(source: config.cacheName, region: region, levels: levels)
    do throws(TileCacheError) {
      let count = try await store.tileCount()
      if var round = store.foundLayers.round(of: subject, tileCount: count) {
        try await look(&round)
        store.foundLayers.keep(round, of: subject)
      }
    } catch {
      throw TileError(error, of: config)
    }
    return store.foundLayers.layers(of: subject)
  }

  /// Looks at the next tiles of each level.
  private func look(_ round: inout FoundLayers.Round) async throws(TileCacheError) {
    guard let source = try await sourceID() else {
      round.levels = []
      return
    }
    let share = max(1, Self.sampleSize / max(1, round.levels.count))
    for level in round.levels where try await look(at: level, of: source, &round, limit: share) {
      round.levels.removeAll { $0 == level }
    }
  }

  /// Looks at the next tiles of a level.
  ///
  /// - Returns: Whether there are no more.
  private func look(
    at level: Int, of source: CachedSourceID, _ round: inout FoundLayers.Round, limit: Int
  ) async throws(TileCacheError) -> Bool {
    var row = shape.map { RegionRow($0) }
    var count = 0
    for _ in 0..<Self.mostLists {
      let last = round.last[level] ?? TileID(level: level, row: -1, column: 0)
      let listed = try await store.addresses(
        after: last, of: source, throughLevel: level, limit: Self.listSize)
      guard !listed.isEmpty else { return true }
      for id in listed {
        round.last[level] = id
        guard row?.contains(id) ?? true else { continue }
        if let data = try await peek(at: id)?.data,
          TileFormat(detecting: data)?.isRaster == false
        {
          round.layers.add(data, at: id)
        }
        count += 1
        if count >= limit { return false }
      }
    }
    return false
  }
}

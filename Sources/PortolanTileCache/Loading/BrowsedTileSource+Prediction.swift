public import PortolanTiles

extension BrowsedTileSource: TilePredicting {
  public func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles {
    await load(MapCache.neighbourhood(of: viewed, levels: config.levels), budget: budget)
  }

  public func refreshStaleTiles(budget: Int) async -> PredictedTiles {
    // A cache that cannot be read has nothing that is too old.
    guard let source = try? await store.knownSource(named: config.cacheName),
      let recent = try? await store.recentTiles(of: source)  // as said above
    else { return PredictedTiles() }
    return await load(recent.filter { !isFresh($0.tile) }.map(\.id), budget: budget)
  }

  /// Loads what is not here and fresh, until something fails.
  private func load(_ tiles: [TileID], budget: Int) async -> PredictedTiles {
    var loaded = PredictedTiles()
    for id in tiles where info.levels?.contains(id.level) != false {
      guard loaded.byteCount < budget, !Task.isCancelled else { break }
      // As above.
      let source = try? await store.knownSource(named: config.cacheName)
      if let source,
        let known = try? await store.peek(at: id, of: source),  // as above
        isFresh(known)
      {
        continue
      }
      do throws(TileError) {
        guard let tile = try await fetch(id) else { continue }
        loaded.tileCount += 1
        loaded.byteCount += tile.data.count
      } catch {
        break
      }
    }
    return loaded
  }
}

public import PortolanTiles

extension BrowsedTileSource: TilePredicting {
  public func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles {
    await load(MapCache.neighbourhood(of: viewed, levels: config.levels), budget: budget)
  }

  public func refreshStaleTiles(budget: Int) async -> PredictedTiles {
    await load(await store.staleTiles(of: config, now: now()), budget: budget)
  }

  /// Loads what is not here and fresh, until something fails.
  private func load(_ tiles: [TileID], budget: Int) async -> PredictedTiles {
    var loaded = PredictedTiles()
    for id in tiles where info.levels?.contains(id.level) != false {
      guard loaded.byteCount < budget, !Task.isCancelled else { break }
      // As above.
      let source = try? await store.knownSource(of: config)
      if let source,
        let known = (try? await store.peek(at: id, of: source))?.unlessDamaged,  // as above
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

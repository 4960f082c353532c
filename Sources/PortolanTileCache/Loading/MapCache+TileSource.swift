internal import PortolanGeometry
public import PortolanJSON
internal import PortolanLocks
public import PortolanTiles

/// A cache as tiles of a map: what was seen is there offline.
extension MapCache: TileSource {
  public nonisolated var info: TileSourceInfo {
    let config = knownConfig
    let isVector = config.format?.isRaster == false
    return TileSourceInfo(
      name: config.cacheName,
      scheme: .webMercator(
        tileSide: config.isHighResolution ? 512 : config.tileSize,
        levels: 0...max(config.maximumZ, 0)),
      levels: config.levels, declaredFormat: isVector ? "pbf" : config.format?.rawValue ?? "",
      attribution: config.attribution, summary: config.summary)
  }

  public nonisolated func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard config.levels.contains(id.level) else { return nil }
    do {
      return try await loadTile(at: id).tile
    } catch .cancelled {
      throw .cancelled
    } catch .notCached {
      return nil
    } catch .badTile {
      return nil
    } catch {
      throw TileError(error, of: config)
    }
  }

  public nonisolated func tileCounts() async throws(TileError) -> [Int: Int] {
    try await stored.tileCounts()
  }

  /// The tiles that are in the cache.
  public nonisolated var tileIDs: TileIDs { stored.tileIDs }

  /// What the source says about its layers; without that, what is in the tiles that are here.
  public nonisolated func metadata() async throws(TileError) -> JSONValue? {
    try await stored.metadata()
  }

  /// What is in the cache, without the server.
  public nonisolated var stored: CachedTileSource { CachedTileSource(knownConfig, store: store) }

  /// Finds out by the tiles that are here whether they are vector tiles, where the source does not say what they
  /// are.
  ///
  /// - Throws: ``TileCacheError`` if the cache cannot be read.
  public nonisolated func learnFormat() async throws(TileCacheError) {
    guard config.format == nil, try await store.isVector(config, nil) == true else { return }
    hasVectorTiles.withLock { $0 = true }
  }

  /// The source; where it does not say what its tiles are, as one of vector tiles once such were seen.
  private nonisolated var knownConfig: MapCacheConfig {
    var config = config
    if config.format == nil, hasVectorTiles.withLock(\.self) { config.format = .vectorTile }
    return config
  }
}

internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

extension TileCacheStore {
  /// The tiles of a source that are too old, those that were used last first.
  func staleTiles(of config: MapCacheConfig, now: Date) async -> [TileID] {
    // A cache that cannot be read has nothing that is too old.
    guard let source = try? await knownSource(of: config),
      let recent = try? await recentTiles(of: source)  // as said above
    else { return [] }
    return recent.filter { !config.isFresh($0.tile, now: now) }.map(\.id)
  }

  /// The thousand tiles of a source that were used last, without their bytes.
  private func recentTiles(
    of source: CachedSourceID
  ) async throws(TileCacheError) -> [(id: TileID, tile: StoredTile)] {
    // Where nothing can be written, the order is that of earlier reads.
    try? await flush()
    return try await read { connection in
      let query = try connection.query(
        """
        SELECT z, y, x, fetched, lifetime FROM tile WHERE source = ?1 AND content IS NOT NULL
        ORDER BY used DESC LIMIT 1000
        """, .integer(source.number))
      var tiles: [(id: TileID, tile: StoredTile)] = []
      while try query.step() {
        let id = TileID(
          level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
          column: Int(query.integer(at: 2)))
        let fetched = Date(timeIntervalSince1970: query.real(at: 3))
        let lifetime = query.isNull(at: 4) ? nil : query.real(at: 4)
        tiles.append((id, StoredTile(data: Data(), fetched: fetched, lifetime: lifetime)))
      }
      return tiles
    }
  }
}

extension MapCache {
  /// The bytes of all tiles in the cache's file, equal ones counted once.
  public func diskSize() async throws(TileCacheError) -> Int { try await store.diskSize() }

  /// The bytes that the cache's file takes on the disk.
  public nonisolated var fileSize: Int { store.fileSize }

  /// Removes the tiles of this source that no region keeps.
  @discardableResult
  public func clear() async throws(TileCacheError) -> ClearedTiles {
    try await store.clear(.source(try await store.source(config)))
  }

  /// Removes tiles, of all sources, that were fetched longer ago than this and that no region keeps.
  @discardableResult
  public func clear(olderThan seconds: Double) async throws(TileCacheError) -> ClearedTiles {
    try await store.clear(.olderThan(seconds: seconds, now: now()))
  }

  /// Removes the tiles of this source in a shape that no region keeps.
  @discardableResult
  public func clear(
    _ shape: TileRegion, levels: ClosedRange<Int>
  ) async throws(TileCacheError) -> ClearedTiles {
    try await store.clear(.shape(shape, levels: levels, try await store.source(config)))
  }
}

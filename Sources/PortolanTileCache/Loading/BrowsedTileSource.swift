public import Foundation
public import PortolanJSON
public import PortolanTiles

/// The tiles of a service that is asked in a way of its own, such as with a portal's credentials, kept
/// as they are seen.
///
/// What was seen is there without the network, and so is what regions of the same source hold.
public struct BrowsedTileSource: TileSource {
  public let info: TileSourceInfo
  private let source: any TileSource
  let config: MapCacheConfig
  let store: TileCacheStore
  let now: @Sendable () -> Date

  /// Keeps the tiles of `source` as those of `config`.
  public init(
    _ source: any TileSource, as config: MapCacheConfig, store: TileCacheStore,
    now: @escaping @Sendable () -> Date
  ) {
    self.source = source
    self.config = config
    self.store = store
    self.now = now
    info = source.info
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    let known = try await known(id)
    if let known, isFresh(known) { return Self.tile(known) }
    let fetched: Tile?
    do throws(TileError) { fetched = try await source.tile(at: id) } catch {
      guard error != .cancelled, let known, known.data != nil else { throw error }
      return Self.tile(known)
    }
    // Half a tile is no better than the one that is here.
    if let fetched, !fetched.format.isWhole(fetched.data), let known, known.data != nil {
      return Self.tile(known)
    }
    // What a region keeps stays, though the service has lost it.
    if fetched == nil, let known, known.data != nil, known.isPinned { return Self.tile(known) }
    await keep(fetched, at: id)
    return fetched
  }

  /// Asks the service, and keeps what it sends.
  func fetch(_ id: TileID) async throws(TileError) -> Tile? {
    let tile = try await source.tile(at: id)
    await keep(tile, at: id)
    return tile
  }

  private func known(_ id: TileID) async throws(TileError) -> StoredTile? {
    do throws(TileCacheError) {
      return try await store.tile(at: id, of: config)?.unlessDamaged
    } catch {
      if error == .cancelled { throw .cancelled }
      // An unreadable cache does not prevent requests to the service.
      return nil
    }
  }

  func isFresh(_ stored: StoredTile) -> Bool { config.isFresh(stored, now: now()) }

  private func keep(_ tile: Tile?, at id: TileID) async {
    // Half a tile is shown, and not kept.
    if let tile, !tile.format.isWhole(tile.data) { return }
    do throws(TileCacheError) {
      try await store.add(
        StoredTile(data: tile?.data, fetched: now()), at: id, of: config,
        capacity: config.capacity)
    } catch {
      // A tile that cannot be kept is shown all the same.
    }
  }

  private static func tile(_ stored: StoredTile) -> Tile? {
    stored.data.flatMap { data in
      TileFormat(detecting: data).map { Tile(data: data, format: $0) }
    }
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] {
    try await CachedTileSource(config, store: store).tileCounts()
  }

  /// The tiles that are in the cache.
  public var tileIDs: TileIDs { CachedTileSource(config, store: store).tileIDs }

  public func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}

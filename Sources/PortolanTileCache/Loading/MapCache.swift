public import Foundation
internal import PortolanLocks
public import PortolanTiles
public import PortolanTransport

/// The tiles of one source, from the cache or its server.
///
/// ```swift
/// let store = try TileCacheStore(at: folder.appending(path: "MapCache.sqlite"))
/// let config = try MapCacheConfig(withUrlTemplate: "https://tiles.example.org/{z}/{x}/{y}.png")
/// let cache = MapCache(withConfig: config, store: store, transport: transport, now: { Date() })
/// let tile = try await cache.loadTile(at: TileID(level: 10, row: 483, column: 568))
/// ```
///
/// Concurrent requests for the same tile are sent once. An answer that is an error is never
/// kept, nor does it remove what is there.
public actor MapCache {
  /// The source, and how it is cached; what its document says about it may change.
  public nonisolated var config: MapCacheConfig { source.withLock { $0 }.config }
  /// The source as the store notes it.
  nonisolated var noted: MapCacheConfig { source.withLock { $0 }.noted }
  /// Where its tiles are kept.
  public nonisolated let store: TileCacheStore
  let fetcher: TileFetcher
  let now: @Sendable () -> Date
  private nonisolated let source: Locked<KnownSource>
  /// Whether vector tiles of it were seen.
  nonisolated let hasVectorTiles = Locked(false)
  /// The reading of the document of the source that is under way.
  var reading: Task<Void, Never>?
  /// When it was last tried to read that document again.
  var lastReading: Date?
  /// When it was read and found to say nothing that can be taken over.
  var uselessReading: Date?
  private var underWay: [TileID: SharedLoad] = [:]
  private var loadCount = 0
  /// How many loads have ended.
  private nonisolated let endCount = Locked(0)
  private nonisolated let lastStorageFailure = Locked<TileCacheError?>(nil)

  /// What is known of the source.
  private final class KnownSource: Sendable {
    let config: MapCacheConfig
    let noted: MapCacheConfig

    init(_ config: MapCacheConfig, notedAs noted: MapCacheConfig) {
      self.config = config
      self.noted = noted
    }
  }

  /// A load that several may wait for.
  private struct SharedLoad {
    let task: Task<Result<LoadedTile, TileCacheError>, Never>
    /// Which load it is; another for the same tile has another number.
    let number: Int
    var waiterCount = 0
  }

  /// Creates a cache of one source.
  ///
  /// - Parameters:
  ///   - config: The source, and how it is cached.
  ///   - noted: The source as the store notes it, under the same name, where that is not all that is said
  ///     of it now.
  ///   - store: Where its tiles are kept.
  ///   - transport: What asks the server.
  ///   - now: The time of day.
  public init(
    withConfig config: MapCacheConfig, notedAs noted: MapCacheConfig? = nil,
    store: TileCacheStore, transport: any HTTPTransport, now: @escaping @Sendable () -> Date
  ) {
    source = Locked(KnownSource(config, notedAs: noted ?? config))
    self.store = store
    self.now = now
    let archive = config.archive.map {
      RemoteTileArchive(at: $0, headers: config.headers, transport: transport)
    }
    fetcher = TileFetcher(transport: transport, archive: archive, now: now)
  }

  /// Takes note of what is known of the source from now on.
  func know(_ config: MapCacheConfig, notedAs noted: MapCacheConfig) {
    let known = KnownSource(config, notedAs: noted)
    source.withLock { $0 = known }
  }

  /// The address of a tile.
  public nonisolated func url(forTilePath tile: TileID) throws(TileCacheError) -> URL {
    try config.url(forTilePath: tile)
  }

  /// The key that MapCache would keep a tile under.
  public nonisolated func cacheKey(forPath tile: TileID) -> String {
    config.cacheKey(forPath: tile)
  }

  /// A tile, from the cache or the server, as ``MapCacheConfig/loadTileMode`` says.
  ///
  /// - Parameters:
  ///   - tile: The tile; beyond the highest level its ancestor of that level is answered, if the
  ///     source wants it so.
  ///   - mode: Whom it is asked of, where that is another this time.
  /// - Returns: The tile, or that the server has none.
  /// - Throws: ``TileCacheError/notCached(_:)`` where only the cache may be asked, and whatever keeps
  ///   the server from answering when the cache has nothing either.
  @concurrent
  public nonisolated func loadTile(
    at tile: TileID, mode: LoadTileMode? = nil
  ) async throws(TileCacheError) -> LoadedTile {
    _ = try TileCoords(tile)
    let config = config
    // Of tiles that came from a file no server has more.
    let mode: LoadTileMode = config.isImported ? .cacheOnly : mode ?? config.loadTileMode
    guard tile.level >= config.minimumZ else {
      throw .outsideSource(tile, levels: config.levels)
    }
    guard tile.level > config.maximumZ else {
      return try await load(tile, mode, of: config)
    }
    guard config.overZoomMaximumZ, let ancestor = tile.ancestor(atLevel: config.maximumZ) else {
      throw .outsideSource(tile, levels: config.levels)
    }
    var loaded = try await load(ancestor, mode, of: config)
    loaded.ancestor = ancestor
    return loaded
  }

  /// Where the caller runs, not in turn with others: whatever is here is read without a way to the actor and
  /// back.
  private nonisolated func load(
    _ tile: TileID, _ mode: LoadTileMode, of config: MapCacheConfig
  ) async throws(TileCacheError) -> LoadedTile {
    if mode == .serverOnly { return try await ask(for: tile, unlessIs: nil) }
    let count = endCount.withLock(\.self)
    let known: StoredTile?
    do throws(TileCacheError) {
      known = try await store.tile(at: tile, of: config)?.unlessDamaged
    } catch {
      // An unreadable cache does not prevent requests to the server.
      guard mode != .cacheOnly, error != .cancelled else { throw error }
      note(error)
      return try await ask(for: tile, unlessIs: nil)
    }
    if mode == .serverThenCache {
      return try await ask(for: tile, unlessIs: known, knownAfter: count)
    }
    let isFresh = known.map { config.isFresh($0, now: now()) } ?? false
    guard let known, known.data != nil || isFresh || mode == .cacheOnly else {
      guard mode != .cacheOnly else { throw .notCached(tile) }
      return try await ask(for: tile, unlessIs: known, knownAfter: count)
    }
    switch mode {
    case .cacheThenServer where !isFresh:
      return try await ask(for: tile, unlessIs: known, knownAfter: count)
    case .staleWhileRevalidate where !isFresh:
      await revalidate(tile, known)
      return loaded(known, .staleHit)
    default: return loaded(known, isFresh ? .hit : .staleHit)
    }
  }

  /// Asks the server for a tile, whatever is in the cache.
  @concurrent
  public nonisolated func fetchTileFromServer(
    at tile: TileID
  ) async throws(TileCacheError) -> LoadedTile {
    try await loadTile(at: tile, mode: .serverOnly)
  }

  /// The last failure of the disk that kept a tile from being stored; loading continues without.
  public nonisolated var storageFailure: TileCacheError? {
    get async {
      await store.written()
      return lastStorageFailure.withLock { $0 }
    }
  }

  private nonisolated func note(_ failure: TileCacheError) {
    lastStorageFailure.withLock { $0 = failure }
  }

  private nonisolated func loaded(
    _ stored: StoredTile, _ path: LoadedTile.Path
  ) -> LoadedTile {
    let tile = stored.data.flatMap { data in
      TileFormat(detecting: data).map { Tile(data: data, format: $0) }
    }
    if tile?.format.isRaster == false { hasVectorTiles.withLock { $0 = true } }
    return LoadedTile(tile: tile, path: path, fetched: stored.fetched)
  }

  // MARK: - Asking the server

  /// Asks the server, sharing the request with concurrent callers for the same tile; falls back on
  /// what is known.
  ///
  /// `count` is how many loads had ended before that was read. Without it the server is asked, whatever
  /// has come since.
  private func ask(
    for tile: TileID, unlessIs known: StoredTile?, knownAfter count: Int? = nil
  ) async throws(TileCacheError) -> LoadedTile {
    if let count, count != endCount.withLock(\.self), underWay[tile] == nil {
      // Another load may have fetched it since; it is not repeated.
      // Else it is asked for.
      let arrived = (try? await store.peek(at: tile, of: config))?.unlessDamaged
      if let arrived, arrived.fetched != known?.fetched { return loaded(arrived, .fetched) }
    }
    let load = begin(tile, unlessIs: known)
    underWay[tile]?.waiterCount += 1
    let result = await withTaskCancellationHandler {
      await load.task.value
    } onCancel: {
      Task { await self.leave(tile, load.number) }
    }
    guard !Task.isCancelled else { throw .cancelled }
    switch result {
    case .success(let loaded): return loaded
    case .failure(let error):
      // That there is no such tile is known without a network, too, however old it is.
      guard let known, known.data != nil || error.isWithoutNetwork, error != .cancelled else {
        throw error
      }
      return self.loaded(known, .fallback(error))
    }
  }

  /// Begins to load a tile unless that has begun.
  ///
  /// The task is one of its own since several wait for it; it ends with the last of them.
  private func begin(_ tile: TileID, unlessIs known: StoredTile?) -> SharedLoad {
    if let load = underWay[tile] { return load }
    loadCount += 1
    let number = loadCount
    let task = Task { () -> Result<LoadedTile, TileCacheError> in
      let result = await Result.of { () async throws(TileCacheError) in
        try await self.fetch(tile, unlessIs: known)
      }
      if self.underWay[tile]?.number == number { self.underWay[tile] = nil }
      self.endCount.withLock { $0 += 1 }
      return result
    }
    let load = SharedLoad(task: task, number: number)
    underWay[tile] = load
    return load
  }

  /// Asks for a tile behind an answer that is given already.
  private func revalidate(_ tile: TileID, _ known: StoredTile) {
    _ = begin(tile, unlessIs: known)
    // It continues even if other callers stop waiting for it.
    underWay[tile]?.waiterCount += 1
  }

  private func leave(_ tile: TileID, _ number: Int) {
    guard var load = underWay[tile], load.number == number else { return }
    load.waiterCount -= 1
    underWay[tile] = load
    guard load.waiterCount <= 0 else { return }
    load.task.cancel()
    // Later callers are not cancelled with it.
    underWay[tile] = nil
  }

  /// Waits for what is loaded behind answers that were given already.
  public func settle() async {
    while let load = underWay.values.first { _ = await load.task.value }
    await store.written()
  }

  private func fetch(
    _ tile: TileID, unlessIs known: StoredTile?
  ) async throws(TileCacheError) -> LoadedTile {
    switch try await answer(for: tile, unlessIs: known) {
    case .tile(let stored, let freshness):
      if !freshness.mayNotBeStored { await keep(stored, at: tile) }
      return loaded(stored, .fetched)
    case .absent(let stored, let reason):
      if let known, known.data != nil, known.isPinned, !config.isReplaced(by: reason) {
        // What a region keeps stays, though the server has lost it.
        return loaded(known, .fallback(reason))
      }
      await keep(stored, at: tile)
      return LoadedTile(tile: nil, path: .fetched, fetched: stored.fetched)
    case .notModified(let answer):
      guard let refreshed = known?.refreshed(by: answer), refreshed.data != nil else {
        // It was removed meanwhile, or the server sent 304 to an unconditional request.
        guard known != nil else {
          throw .notATile(config.urlTemplate.withoutSecrets, reason: "it says that nothing changed")
        }
        return try await fetch(tile, unlessIs: nil)
      }
      await keep(refreshed: refreshed, at: tile)
      return loaded(refreshed, .notModified)
    }
  }

  /// Keeps a tile, which is written behind the answer.
  private func keep(_ stored: StoredTile, at tile: TileID) async {
    // The tile can be shown although it cannot be kept; the caller is told.
    do throws(TileCacheError) {
      try await store.add(stored, at: tile, of: noted, capacity: config.capacity) {
        [lastStorageFailure] error in lastStorageFailure.withLock { $0 = error }
      }
    } catch {
      note(error)
    }
  }

  private func keep(refreshed known: StoredTile, at tile: TileID) async {
    do throws(TileCacheError) {
      try await store.refresh(known, at: tile, of: noted)
    } catch {
      note(error)
    }
  }
}

extension Result {
  /// What `body` returns or throws.
  static func of(_ body: () async throws(Failure) -> Success) async -> Result {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
}

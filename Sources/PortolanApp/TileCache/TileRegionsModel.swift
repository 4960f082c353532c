internal import Foundation
public import Observation
internal import PortolanTileCache

/// The screen of the tile cache: the sources it knows, the regions it keeps, and what they take.
///
/// ```swift
/// let plan = try await tiles.plan(request)
/// let region = try await tiles.download(request, as: source)
/// ```
@MainActor
@Observable
public final class TileRegionsModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// Whether the cache was looked at.
    public var isLoaded = false
    /// The sources, by name.
    public var sources: [TileSourceSummary] = []
    /// The regions, by name.
    public var regions: [TileRegionSummary] = []
    /// The content of the cache; `nil` where there is none yet.
    public var usage: TileCacheUsage?
    /// The files that were set aside, by whichever process, and are there still.
    public var setAside: [SetAsideTileCache] = []
    /// The regions that are being drawn, each by one page, the one that was begun last at the end.
    public var drafts: [TileRegionDraft] = []
    /// The serving of tiles to other programs; `nil` while there is none.
    public var server: TileServing?
    /// The reason why the cache cannot be used, or a download that was started here has ended.
    public var problem: Problem?

    /// The region that is being drawn where nobody else draws one, and what it would take.
    public var draft: TileRegionPlan? { draft(of: "") }

    /// The region that someone draws, and what it would take.
    public func draft(of drawer: String) -> TileRegionPlan? {
      drafts.first { $0.drawer == drawer }?.plan
    }

    /// Whether anything is under way.
    public var isBusy: Bool { regions.contains(where: \.isUnderWay) }
  }

  /// The current state; observe this.
  public internal(set) var state = State()

  @ObservationIgnored let surroundings: TileCacheSurroundings
  @ObservationIgnored private var opened: TileCacheStore?
  /// The caches of sources that were used, by name.
  @ObservationIgnored var caches: [String: MapCache] = [:]
  /// Those of them that ask a server behind an answer that was given already.
  @ObservationIgnored var refreshing: [String: MapCache] = [:]
  /// Sources with new keys in their addresses, which the next download of a region tries, by its id.
  @ObservationIgnored var newKeys: [Int64: MapCacheConfig] = [:]
  /// The downloads that were started here, by the name of their region.
  @ObservationIgnored var started: [String: Task<Void, Never>] = [:]
  /// Serves tiles to other programs, if the app offers that.
  @ObservationIgnored var server: RunningTileServer?
  /// The paces of the regions that this process works on.
  @ObservationIgnored var paces: [Int64: TileRegionPace] = [:]
  /// The budget for loading tiles ahead, by all that is shown together.
  @ObservationIgnored var prediction: PredictionBudget?
  /// Counts the plans that were requested, so that an older one does not take the place of a newer.
  @ObservationIgnored var planNumber = 0
  /// The plans that were requested last, by who draws.
  @ObservationIgnored var latestPlans: [String: Int] = [:]

  /// Creates the screen; no file is touched until something is requested.
  public init(_ surroundings: TileCacheSurroundings) { self.surroundings = surroundings }

  /// Whether anything was ever kept.
  public var exists: Bool {
    FileManager.default.fileExists(atPath: surroundings.file.path(percentEncoded: false))
  }

  /// Looks at the cache again; a cache that is not there stays so.
  ///
  /// - Throws: A problem if it cannot be read.
  public func load() async throws(Problem) {
    do {
      guard let store = try await existingStore() else {
        state = State(
          isLoaded: true, setAside: await filesSetAside(), drafts: state.drafts,
          server: state.server)
        return
      }
      try await reload(store)
    } catch {
      let problem = Problem(error)
      state.problem = problem
      throw problem
    }
  }

  /// Reads what the screen shows.
  func reload(_ store: TileCacheStore) async throws(TileCacheError) {
    let statistics = try await store.statistics()
    let configs = try await store.configs()
    let regions = try await store.regions()
    var usage = TileCacheUsage(statistics, file: surroundings.file)
    usage.capacity = surroundings.capacity()
    let kept = Set(regions.map(\.source))
    // Of a file that was taken over and deleted again nothing is left but its name.
    state.sources = TileSourceSummary.all(configs, statistics.sources)
      .filter { !$0.isImported || $0.tileCount > 0 || kept.contains($0.name) }
    state.regions = regions.map { summary(of: $0, in: store) }
    state.usage = usage
    state.setAside = await filesSetAside()
    state.problem = nil
    state.isLoaded = true
  }

  /// A region as the screen shows it.
  func summary(of region: CachedRegion, in store: TileCacheStore) -> TileRegionSummary {
    var summary = TileRegionSummary(region, isInUse: store.isInUse(region))
    summary.pace = paces[region.id]?.pace
    return summary
  }

  /// Shows how far a region is.
  func show(_ summary: TileRegionSummary) {
    if let index = state.regions.firstIndex(where: { $0.id == summary.id }) {
      state.regions[index] = summary
    } else {
      state.regions.append(summary)
      state.regions.sort { $0.name < $1.name }
    }
  }

  // MARK: - The file

  /// The cache, if there is one.
  func existingStore() async throws(TileCacheError) -> TileCacheStore? {
    exists ? try await store() : nil
  }

  /// The cache; an empty one is made where there is none.
  func store() async throws(TileCacheError) -> TileCacheStore {
    if let opened { return opened }
    let store = try await Self.open(surroundings)
    // A concurrent caller may have made one meanwhile; either will do, but not both.
    if let opened { return opened }
    opened = store
    return store
  }

  /// Writes the latest tiles and their times of use, by which the least recently used are removed
  /// first; called before a process ends.
  ///
  /// Waits, five seconds at most, for requests that refresh tiles in the background: they would be
  /// lost with the process, and a server may not answer at all.
  public func noteUse() async {
    await waitForRefreshes()
    // Tiles that cannot be written are loaded again; of the others only the order of use is lost.
    try? await opened?.flush()
  }

  private func waitForRefreshes() async {
    let caches = Array(refreshing.values)
    refreshing = [:]
    guard !caches.isEmpty else { return }
    let (ends, end) = AsyncStream<Void>.makeStream()
    // A task of its own, for it goes on where the server takes longer.
    Task {
      for cache in caches { await cache.settle() }
      end.finish()
    }
    let clock = surroundings.clock
    let patience = Task {
      // Cancelled once all requests have ended.
      try? await clock.sleep(for: .seconds(5))
      end.finish()
    }
    for await _ in ends {}
    patience.cancel()
  }

  /// The cache, if there is one; else the problem that there is nothing of that name.
  func store(orNoRegion name: String) async throws(TileCacheError) -> TileCacheStore {
    guard let store = try await existingStore() else { throw .noSuchRegion(name) }
    return store
  }

  @concurrent private static func open(
    _ surroundings: TileCacheSurroundings
  ) async throws(TileCacheError) -> TileCacheStore {
    do { try surroundings.prepare() } catch {
      throw .storage(
        file: surroundings.file.path(percentEncoded: false), reason: "its folder cannot be created")
    }
    return try TileCacheStore(at: surroundings.file)
  }

  // MARK: - Sources

  /// The cache of a source, as it is configured now.
  func cache(
    of config: MapCacheConfig, in store: TileCacheStore
  ) -> MapCache {
    var config = config
    config.capacity = surroundings.capacity()
    if let known = caches[config.cacheName], known.config == config, known.store === store {
      return known
    }
    let cache = MapCache(
      withConfig: config, store: store, transport: surroundings.transport, now: surroundings.now)
    caches[config.cacheName] = cache
    return cache
  }

  /// The source that a name or an address means: one that the cache knows, else what is at the
  /// address.
  ///
  /// - Parameters:
  ///   - text: A name, a template or another address.
  ///   - options: What is said of it, such as a key that the address itself is asked for with.
  /// - Returns: The source.
  /// - Throws: A problem of absence if it is neither.
  func config(
    named text: String, _ options: TileSourceOptions = TileSourceOptions()
  ) async throws -> MapCacheConfig {
    let known = try await knownSources()
    if let named = known.first(where: { $0.cacheName == text }) { return named }
    // Of an address that has several layers the one that is named need not be the one that is here.
    if options.layer == nil, let found = known.first(where: { $0.isAt(text) }) { return found }
    guard text.contains("://") else {
      throw Problem(
        .noSuchTileSource, message: "There is no source of tiles \"\(text)\".",
        suggestion: "Give its address. \(NextAction.Kind.listTileSources.sentence)",
        actions: [.init(.listTileSources)]
      ).suggesting(text, among: known.map(\.cacheName))
    }
    let reader = TileSourceReader(
      transport: surroundings.transport, headers: options.requestHeaders, now: surroundings.now)
    var config: MapCacheConfig
    do throws(TileCacheError) {
      config = try await reader.source(at: text, layer: options.layer)
    } catch {
      // Without a network the layer may be here all the same.
      guard case .transport = error, let layer = options.layer,
        let found = known.first(where: { $0.isAt(text) && $0.urlTemplate.text.contains(layer) })
      else { throw error }
      return found
    }
    if let found = known.first(where: { $0.isSame(as: config) }) { return found }
    if let found = known.first(where: { $0.isSame(butForKeysOf: config) }) {
      return found.withKeys(of: config)
    }
    let names = Set(known.map(\.cacheName))
    if names.contains(config.cacheName) {
      config.cacheName = TileCacheStore.freeName(like: config.cacheName, among: names)
    }
    return config
  }

  /// Takes note of a source and of what its operator allows.
  ///
  /// - Parameters:
  ///   - address: Its name or address.
  ///   - options: What is said of it.
  /// - Returns: The source.
  /// - Throws: A problem if nothing that can be used is at the address.
  @discardableResult
  public func addSource(
    at address: String, _ options: TileSourceOptions = TileSourceOptions()
  ) async throws(Problem) -> TileSourceSummary {
    do {
      var config = await described(try await config(named: address, options), at: address, options)
      options.apply(to: &config)
      let store = try await store()
      config = try await registered(config, options, in: store)
      _ = try await store.source(config)
      try await reload(store)
      return state.sources.first { $0.name == config.cacheName } ?? TileSourceSummary(config, nil)
    } catch {
      throw Problem(error)
    }
  }
}

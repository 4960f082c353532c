internal import Foundation
internal import PortolanFiles

/// Loads the tiles of a region, keeps them, and reports its progress.
///
/// ```swift
/// let downloader = RegionDownloader(cache, region, clock: ContinuousClock())
/// let region = try await downloader.run { progress in show(progress.fraction) }
/// ```
///
/// Cancelling the task pauses: what was received is kept, and ``run(_:progress:)`` continues from
/// there, also in another process after this one was killed. Memory does not grow with the region.
public struct RegionDownloader<C: Clock>: Sendable where C.Duration == Duration {
  /// How a region is loaded.
  public struct Options: Hashable, Sendable {
    /// How many requests are under way at a time; the transport may let through fewer.
    public var maxConcurrentDownloads = 64
    /// How many requests begin in a second; `nil` for as many as the source's policy allows.
    public var requestsPerSecond: Double?
    /// How many tiles are written at a time.
    public var batchSize = 64
    /// How many bytes of tiles are written at a time; what is under way then comes to that.
    public var batchByteCount = 8 << 20
    /// After how long those that have arrived are written, however few they are.
    public var longestWait = Duration.milliseconds(200)
    /// After how many consecutive failures the download stops; after as many times 403, which may
    /// mean single tiles, only if a tile that was given before is refused as well.
    public var failureLimit = 100
    /// After how many consecutive time-outs the download stops: each of them takes the longest wait
    /// that is allowed.
    public var silenceLimit = 8
    /// After how many seconds an update that was broken off starts over, since what it has looked
    /// at may have changed meanwhile.
    public var longestUpdate = 86_400.0

    /// Creates options: 64 requests at a time, as many a second as the source allows.
    public init() {}
  }

  private let cache: MapCache
  private let region: CachedRegion
  private let options: Options
  private let clock: C

  /// Prepares to load a region.
  public init(
    _ cache: MapCache, _ region: CachedRegion, options: Options = Options(), clock: C
  ) {
    self.cache = cache
    self.region = region
    self.options = options
    self.clock = clock
  }

  /// Loads what a pass is for.
  ///
  /// - Parameters:
  ///   - pass: Which tiles.
  ///   - progress: Called whenever tiles were written, and at the end.
  /// - Returns: The region as it is now. Tiles may have failed; its progress says how many.
  /// - Throws: What kept it from continuing, such as ``TileCacheError/signInNeeded(_:status:)``; then
  ///   the region is paused with that reason. ``TileCacheError/cancelled`` if the task was cancelled,
  ///   ``TileCacheError/noServer(region:)``, ``TileCacheError/forbidden(source:reason:)``,
  ///   ``TileCacheError/tooManyTiles(count:limit:)``, ``TileCacheError/regionInUse(_:)``.
  @concurrent @discardableResult
  public func run(
    _ pass: RegionPass = .missing, progress: @escaping @Sendable (RegionProgress) -> Void = { _ in }
  ) async throws(TileCacheError) -> CachedRegion {
    try requireServer(of: region)
    try cache.config.checkBulk(region.plan)
    let lock = try cache.store.lock(region)
    defer { lock.release() }
    let current = try await cache.store.current(region)
    guard !current.isHalfThere else { throw .noSuchRegion(region.name) }
    try requireServer(of: current)
    // One that is refused leaves the region as it is.
    let source = try await cache.store.source(cache.config)
    try await cache.store.setState(pass == .update ? .updating : .downloading, of: region.id)
    let begun = pass == .update ? try await beginUpdate() : nil
    let work = RegionWork(
      cache: cache, region: current, pass: pass, options: options, clock: clock,
      source: source, report: progress)
    do throws(TileCacheError) {
      try await work.run()
      if pass == .missing { try await loadWhatWentMeanwhile(work, current) }
    } catch {
      let reason = error == .cancelled ? nil : error.errorDescription
      let (store, region) = (cache.store, region)
      try await store.unstoppably { () async throws(TileCacheError) in
        try await store.finishPass(pass, of: region, isWhole: false, because: reason, at: nil)
      }
      throw error
    }
    // Where nothing was missing, nothing was found out.
    let isNews = pass != .missing || current.progress.remaining > 0
    try await cache.store.finishPass(
      pass, of: region, isWhole: true, because: nil, at: isNews ? begun ?? cache.now() : nil)
    let finished = try await cache.store.region(named: region.name)
    progress(finished.progress)
    return finished
  }

  /// Refuses a region whose tiles came from a file, or whose source is unknown: there is no server
  /// to ask.
  private func requireServer(of region: CachedRegion) throws(TileCacheError) {
    guard !region.isImported, !cache.config.isImported else {
      throw .noServer(region: region.name)
    }
  }

  /// Loads tiles that were here when it was looked for them, and had to make room for others before they
  /// could be kept; as long as that gets anywhere.
  private func loadWhatWentMeanwhile(
    _ work: RegionWork<C>, _ region: CachedRegion
  ) async throws(TileCacheError) {
    var before = region.progress.remaining
    while true {
      let rest = try await cache.store.region(named: region.name).progress.remaining
      guard rest > 0, rest < before else { return }
      before = rest
      try await work.run()
    }
  }

  /// Begins an update, or continues with one; says since when what it has looked at is known.
  private func beginUpdate() async throws(TileCacheError) -> Date {
    try await cache.store.beginUpdate(
      of: region, at: cache.now(), goingOnWithin: options.longestUpdate)
  }
}

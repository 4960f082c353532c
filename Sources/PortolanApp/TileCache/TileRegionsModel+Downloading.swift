internal import Foundation
internal import PortolanTileCache
internal import PortolanTransport

extension TileRegionsModel {
  /// The tiles of a region that are requested.
  public enum Pass: String, Hashable, Sendable, Codable, CaseIterable {
    /// The tiles that are not there and did not fail.
    case missing
    /// The tiles that failed.
    case failed
    /// All, whether they have changed.
    case update
  }

  /// The options for downloading a region.
  public struct DownloadOptions: Hashable, Sendable, Codable {
    /// The maximum number of concurrent requests; as many as the settings allow if `nil`.
    public var concurrentRequests: Int?
    /// The maximum number of requests that begin in a second; as many as the source allows if
    /// `nil`.
    public var requestsPerSecond: Double?
    /// The options of the source, such as a key, which is not kept.
    public var source = TileSourceOptions()

    /// Leaves it to the settings and the source.
    public init() {}
  }

  /// Makes a region of which nothing is there yet.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - options: What is said of the source.
  ///   - drawer: Who has drawn it, and draws nothing any more.
  /// - Returns: The region.
  /// - Throws: A problem if the name is blank or taken, the source forbids it, or no tile lies there.
  @discardableResult
  public func create(
    _ request: TileRegionRequest, _ options: TileSourceOptions = TileSourceOptions(),
    by drawer: String = ""
  ) async throws(Problem) -> TileRegionSummary {
    do {
      try Problem.refuseBlank(request.name, of: "A tile region", word: "name")
      var config = await described(
        try await config(named: request.source, options), at: request.source, options)
      options.apply(to: &config)
      let plan = RegionPlan(request.extent.region, levels: request.levels ?? config.bulkLevels)
      if let outside = request.outside(config, plan) { throw outside }
      try config.checkBulk(plan)
      let store = try await store()
      config = try await registered(config, options, in: store)
      let region = try await store.createRegion(
        named: request.name, of: config, plan, skippingBlank: request.skipsBlank,
        blankTile: request.blankTile, now: surroundings.now())
      try await reload(store)
      discardDraft(of: drawer)
      return summary(of: region, in: store)
    } catch {
      throw Problem(error)
    }
  }

  /// The region that was requested before in the same way: of the same source, with the same extent,
  /// levels and blank tiles.
  ///
  /// Requesting it again resumes it, with the keys in the address that is given now; these are kept once a
  /// tile has come with them.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - options: What is said of the source.
  /// - Returns: The region; `nil` if there is none of its name, or it is another one.
  /// - Throws: A problem if the source cannot be found.
  public func region(
    like request: TileRegionRequest, _ options: TileSourceOptions = TileSourceOptions()
  ) async throws(Problem) -> TileRegionSummary? {
    do {
      guard let store = try await existingStore(),
        let region = try await store.regions().first(where: { $0.name == request.name }),
        !region.isImported,
        region.plan.region == request.extent.region, region.skipsBlank == request.skipsBlank,
        region.blankTile == request.blankTile,
        request.levels == nil || request.levels == region.plan.levels
      else { return nil }
      let source = try await config(named: request.source, options)
      guard options.name ?? source.cacheName == region.source else { return nil }
      if let known = try await store.config(named: region.source), source.isElsewhere(than: known) {
        return nil
      }
      try await noteKeys(of: source, for: region, in: store)
      return summary(of: region, in: store)
    } catch {
      throw Problem(error)
    }
  }

  /// Downloads tiles of a region until none is left of those that are requested.
  ///
  /// Cancelling the task pauses: what was received is kept. It continues from there whenever this is
  /// called again, also in another process after this one has died.
  ///
  /// - Parameters:
  ///   - name: The region.
  ///   - pass: Which tiles.
  ///   - options: How.
  ///   - progress: Called, one by one, with how far it is.
  /// - Returns: The region as it is then. Tiles may have failed; its counts say how many.
  /// - Throws: A problem that keeps it from continuing, such as that there is no network.
  @discardableResult
  public func download(
    _ name: String, _ pass: Pass = .missing, _ options: DownloadOptions = DownloadOptions(),
    progress: (TileRegionSummary) -> Void = { _ in }
  ) async throws(Problem) -> TileRegionSummary {
    do {
      let store = try await store(orNoRegion: name)
      let region = try await store.region(named: name)
      guard let known = try await store.config(named: region.source), !region.isImported else {
        throw TileCacheError.noServer(region: name)
      }
      var config = newKeys.removeValue(forKey: region.id).map { known.withKeys(of: $0) } ?? known
      options.source.apply(to: &config)
      paces[region.id] = TileRegionPace()
      defer { paces[region.id] = nil }
      let work = Work(
        cache: cache(of: config, in: store), region: region, pass: pass,
        options: downloaderOptions(options))
      do {
        try await follow(work, progress)
      } catch {
        await putBackKeys(
          of: known, insteadOf: config, unlessAnswered: pass, isWhole: false, of: region, in: store)
        throw error
      }
      await putBackKeys(
        of: known, insteadOf: config, unlessAnswered: pass, isWhole: true, of: region, in: store)
      return try await finished(name, in: store)
    } catch {
      // Shows the present state, however the download ended; an error from reading it would hide
      // the first one.
      try? await load()
      throw Problem(error)
    }
  }

  private func finished(
    _ name: String, in store: TileCacheStore
  ) async throws(TileCacheError) -> TileRegionSummary {
    let region = try await store.region(named: name)
    paces[region.id] = nil
    try await reload(store)
    return summary(of: region, in: store)
  }

  private func downloaderOptions(
    _ options: DownloadOptions
  ) -> RegionDownloader<ContinuousClock>.Options {
    var result = RegionDownloader<ContinuousClock>.Options()
    result.maxConcurrentDownloads = options.concurrentRequests ?? surroundings.concurrentRequests
    result.requestsPerSecond = options.requestsPerSecond
    return result
  }

  /// The region that a download works on.
  private struct Work: Sendable {
    var cache: MapCache
    var region: CachedRegion
    var pass: Pass
    var options: RegionDownloader<ContinuousClock>.Options
  }

  /// Works beside the screens, and shows how far it is.
  private func follow(_ work: Work, _ progress: (TileRegionSummary) -> Void) async throws {
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let reports = RegionReports { change.yield() }
    async let result: Void = Self.run(
      work, on: surroundings.clock, reporting: reports, then: change)
    var region = work.region
    region.state = work.pass == .update ? .updating : .downloading
    for await _ in changes {
      if let report = reports.takeProgress() {
        region.progress = report
        paces[region.id]?.add(report, at: surroundings.now())
      }
      var summary = TileRegionSummary(region, isInUse: true)
      summary.pace = paces[region.id]?.pace
      summary.hostWait = reports.hostWait
      show(summary)
      progress(summary)
    }
    try await result
  }

  @concurrent private static func run(
    _ work: Work, on clock: any Clock<Duration>, reporting reports: RegionReports,
    then change: AsyncStream<Void>.Continuation
  ) async throws {
    defer { change.finish() }
    try await reports.observer.observe { try await run(work, with: clock, reporting: reports) }
  }

  @concurrent private static func run<C: Clock>(
    _ work: Work, with clock: C, reporting reports: RegionReports
  ) async throws where C.Duration == Duration {
    var options = RegionDownloader<C>.Options()
    options.maxConcurrentDownloads = work.options.maxConcurrentDownloads
    options.requestsPerSecond = work.options.requestsPerSecond
    let pass: RegionPass =
      switch work.pass {
      case .missing: .missing
      case .failed: .failed
      case .update: .update
      }
    try await RegionDownloader(work.cache, work.region, options: options, clock: clock)
      .run(pass) { reports.note($0) }
  }

  // MARK: - Beside the screens

  /// Downloads tiles of a region in the background, until it is done or paused.
  ///
  /// Its task is one of its own, since it outlives its caller; ``pause(_:)`` ends it. The reason
  /// of a pause is in the region, and in the state.
  public func start(
    _ name: String, _ pass: Pass = .missing, _ options: DownloadOptions = DownloadOptions()
  ) {
    guard started[name] == nil else { return }
    started[name] = Task {
      do throws(Problem) {
        try await download(name, pass, options)
      } catch {
        if error.kind != .cancellation { state.problem = error }
      }
      started[name] = nil
    }
  }

  /// Asks for the tiles of all regions at rest whether they have changed, in the background.
  ///
  /// - Returns: The names of the regions that are being updated.
  /// - Throws: A problem if the cache cannot be read.
  @discardableResult
  public func startUpdates() async throws(Problem) -> [String] {
    try await load()
    let names = state.regions.filter(\.canUpdate).map(\.name)
    for name in names { start(name, .update) }
    return names
  }

  /// Pauses a region that was started here.
  ///
  /// - Throws: A problem if another process works on it, or there is no such region.
  public func pause(_ name: String) async throws(Problem) {
    if let task = started[name] {
      task.cancel()
      await task.value
      return
    }
    try await load()
    guard let region = state.regions.first(where: { $0.name == name }) else {
      throw Problem(TileCacheError.noSuchRegion(name))
    }
    if region.isUnderWay { throw Problem(TileCacheError.regionInUse(name)) }
  }

  /// Continues with the regions whose process has ended before they were done, and ends deletions
  /// that were broken off.
  ///
  /// - Returns: Their names.
  @discardableResult
  public func resumeInterrupted() async throws(Problem) -> [String] {
    try await load()
    let interrupted = state.regions.filter { $0.status == .interrupted }.map(\.name)
    do {
      for region in try await existingStore()?.regions() ?? []
      where interrupted.contains(region.name) {
        start(region.name, Pass(interruptedIn: region))
      }
    } catch {
      throw Problem(error)
    }
    for region in state.regions where region.status == .deleting {
      // Another process may be at it.
      _ = try? await delete(region.name)
    }
    return interrupted
  }

  /// Waits until nothing that was started here is under way.
  public func waitUntilIdle() async {
    while let task = started.values.first { await task.value }
  }
}

extension TileRegionsModel.Pass {
  /// The state of a region when its process ended: where nothing is missing and no update was
  /// running, what failed was requested again, or only the last word was not written.
  fileprivate init(interruptedIn region: CachedRegion) {
    let progress = region.progress
    let hasFailures = progress.failed + progress.failedUpdates > 0
    switch region.state {
    case .updating: self = .update
    case _ where progress.remaining == 0 && hasFailures: self = .failed
    default: self = .missing
    }
  }
}

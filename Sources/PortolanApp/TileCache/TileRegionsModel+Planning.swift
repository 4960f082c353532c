internal import PortolanTileCache

extension TileRegionsModel {
  /// The number of tiles examined for an estimate.
  private static let sampleCount = 32
  /// The maximum number of regions that are drawn at a time; a page that was closed does not say
  /// so.
  private static let mostDrafts = 16

  /// Counts the tiles of a region, and says whether it can be downloaded.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - options: What is said of the source; a plan keeps nothing of that.
  ///   - estimates: Whether some tiles are loaded to say how large the whole will be.
  /// - Returns: The plan.
  /// - Throws: A problem if there is no such source.
  public func plan(
    _ request: TileRegionRequest, _ options: TileSourceOptions = TileSourceOptions(),
    estimating estimates: Bool = true
  ) async throws(Problem) -> TileRegionPlan {
    do {
      let source = try await config(named: request.source, options)
      var config = await described(source, at: request.source, options)
      options.apply(to: &config)
      var plan = await plan(request, config)
      guard estimates, plan.count > 0, plan.obstacle?.code != .outOfRange else { return plan }
      try await estimate(&plan, config, notedAs: source, options)
      return plan
    } catch {
      throw Problem(error)
    }
  }

  /// Shows what the region would take that is being drawn: its tiles at once, its size when some
  /// tiles were looked at.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - options: What is said of the source.
  ///   - drawer: Who draws: what others draw stays.
  /// - Throws: A problem if there is no such source.
  public func draw(
    _ request: TileRegionRequest, _ options: TileSourceOptions = TileSourceOptions(),
    by drawer: String = ""
  ) async throws(Problem) {
    planNumber += 1
    let number = planNumber
    latestPlans[drawer] = number
    var plan = try await plan(request, options, estimating: false)
    guard number == latestPlans[drawer] else { return }
    if let last = state.draft(of: drawer), last.source == plan.source {
      plan.size = last.size?.scaled(to: plan, from: last.count)
    }
    show(plan, drawnBy: drawer)
    plan = try await self.plan(request, options)
    guard number == latestPlans[drawer] else { return }
    show(plan, drawnBy: drawer)
  }

  /// Gives up the region that someone draws.
  public func discardDraft(of drawer: String = "") {
    latestPlans[drawer] = nil
    state.drafts.removeAll { $0.drawer == drawer }
  }

  private func show(_ plan: TileRegionPlan, drawnBy drawer: String) {
    let draft = TileRegionDraft(drawer: drawer, plan: plan)
    guard let index = state.drafts.firstIndex(where: { $0.drawer == drawer }) else {
      if state.drafts.count >= Self.mostDrafts { discardDraft(of: state.drafts[0].drawer) }
      state.drafts.append(draft)
      return
    }
    state.drafts[index] = draft
  }

  private func plan(
    _ request: TileRegionRequest, _ config: MapCacheConfig
  ) async -> TileRegionPlan {
    let region = await Self.counted(request.extent, request.levels ?? config.bulkLevels)
    var plan = TileRegionPlan(
      request: request, source: config.cacheName, levels: region.levels, count: region.count,
      crossesAntimeridian: region.crossesAntimeridian,
      freeBytes: surroundings.freeSpace(surroundings.file))
    plan.swappedBox = request.extent.swappedBox(in: config.bounds)
    plan.obstacle =
      request.outside(config, region.plan)
      ?? obstacle(to: region, of: config, named: request.name)
    return plan
  }

  /// Looks at some tiles, which stay; what is said of their source does not.
  private func estimate(
    _ plan: inout TileRegionPlan, _ config: MapCacheConfig, notedAs source: MapCacheConfig,
    _ options: TileSourceOptions
  ) async throws {
    let store = try await store()
    // A plan does not keep the keys in an address that is known with others.
    let known = try await store.config(named: source.cacheName)
    var noted = known.flatMap { $0.isSame(butForKeysOf: source) ? $0 : nil } ?? source
    if let name = options.name {
      if let known = try await store.config(named: name), known.isSame(as: source) { noted = known }
      noted.cacheName = name
    }
    var named = TileSourceOptions()
    named.name = options.name
    let levels = plan.request.levels ?? config.bulkLevels
    let region = RegionPlan(plan.request.extent.region, levels: levels)
    (plan.source, plan.size, plan.sizeProblem) = try await withName(of: noted, named, in: store) {
      noted in
      var config = config
      config.cacheName = noted.cacheName
      config.capacity = surroundings.capacity()
      let cache = MapCache(
        withConfig: config, notedAs: noted, store: store, transport: surroundings.transport,
        now: surroundings.now)
      let estimate = try await cache.estimate(region, samples: Self.sampleCount)
      return (
        noted.cacheName, TileRegionPlan.Size(estimate), estimate.failure?.errorDescription
      )
    }
  }

  /// The reason why a region cannot be downloaded.
  private func obstacle(
    to region: CountedRegion, of config: MapCacheConfig, named name: String
  ) -> Problem? {
    do throws(TileCacheError) {
      guard region.count > 0 else { throw .emptyRegion }
      try config.checkBulk(region.plan)
      let names = state.regions.map(\.name)
      if let taken = TileCacheStore.name(like: name, among: names) {
        throw .nameTaken(taken, suggestion: TileCacheStore.freeName(like: name, among: names))
      }
      return nil
    } catch {
      return Problem(error)
    }
  }

  /// Counts off the main actor: a polygon takes the time of its rows.
  @concurrent private static func counted(
    _ extent: TileRegionExtent, _ levels: ClosedRange<Int>
  ) async -> CountedRegion {
    let plan = RegionPlan(extent.region, levels: levels)
    let counts = plan.counts.map { TileRegionPlan.Level(level: $0.level, count: $0.count) }
    return CountedRegion(
      plan: plan, levels: counts.filter { $0.count > 0 }, count: plan.count,
      crossesAntimeridian: plan.shape.crossesAntimeridian)
  }
}

/// A plan with its figures.
private struct CountedRegion: Sendable {
  var plan: RegionPlan
  var levels: [TileRegionPlan.Level]
  var count: Int
  var crossesAntimeridian: Bool
}

extension TileRegionPlan.Size {
  /// The size, if any tile could be loaded.
  fileprivate init?(_ estimate: RegionEstimate) {
    guard let bytes = estimate.byteCount, let likely = estimate.likelyByteCount else { return nil }
    self.init(sampleCount: estimate.sampleCount, bytes: bytes, likelyBytes: likely)
  }

  /// The size scaled to another number of tiles, until some of the new ones are examined.
  fileprivate func scaled(to plan: TileRegionPlan, from count: Int) -> TileRegionPlan.Size {
    let part = Double(plan.count) / Double(max(1, count))
    func scaled(_ bytes: Int) -> Int { Int(exactly: (Double(bytes) * part).rounded()) ?? .max }
    return TileRegionPlan.Size(
      sampleCount: sampleCount, bytes: scaled(bytes.lowerBound)...scaled(bytes.upperBound),
      likelyBytes: scaled(likelyBytes))
  }
}

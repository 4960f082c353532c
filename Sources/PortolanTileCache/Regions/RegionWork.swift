internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// One run over the tiles of a region: a window of requests, and batches of what came of them.
struct RegionWork<C: Clock>: Sendable where C.Duration == Duration {
  typealias Result = (tile: TileID, outcome: RegionOutcome)

  let cache: MapCache
  let region: CachedRegion
  let pass: RegionPass
  let options: RegionDownloader<C>.Options
  let clock: C
  let source: CachedSourceID
  let report: @Sendable (RegionProgress) -> Void

  /// What the work waits for.
  private enum Event: Sendable {
    case result(Result)
    /// What has arrived has waited long enough to be written.
    case tick
  }

  /// What is under way, and what has arrived and is not written yet.
  private struct Batch {
    var results: [Result] = []
    var checked: Int?
    var pace: Pace
    var underWay = 0
    var isTicking = false
    var failuresInRow = 0
    /// Why nothing more is begun.
    var ending: TileCacheError?
  }

  func run() async throws(TileCacheError) {
    let blank = region.skipsBlank ? await blankTile() : nil
    var batch = Batch(
      checked: pass == .update ? 0 : nil,
      pace: Pace(options.requestsPerSecond ?? cache.config.policy.requestsPerSecond))
    var pending = PendingTiles(cache.store, region, source, pass, isFresh: freshness)
    let failure = await withTaskGroup(of: Event.self) { group -> TileCacheError? in
      defer { group.cancelAll() }
      do throws(TileCacheError) {
        while true {
          try await fill(&group, from: &pending, &batch, blank: blank)
          guard batch.underWay > 0 || !batch.results.isEmpty else { return batch.ending }
          let isDue = await takeNext(of: &group, into: &batch)
          if isDue || batch.underWay == 0 || batch.results.count >= options.batchSize {
            try await write(&batch)
          }
          if Task.isCancelled { batch.ending = batch.ending ?? .cancelled }
        }
      } catch {
        // What kept the work from going on is told; what has arrived may still be written.
        try? await write(&batch)
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Begins requests until as many are under way as may be.
  private func fill(
    _ group: inout TaskGroup<Event>, from pending: inout PendingTiles, _ batch: inout Batch,
    blank: Data?
  ) async throws(TileCacheError) {
    while batch.ending == nil, batch.underWay < max(1, options.maxConcurrentDownloads) {
      guard let next = try await pending.next() else { return }
      guard next.needsRequest else {
        batch.results.append((next.tile, .existing))
        if batch.results.count >= options.batchSize { return }
        continue
      }
      await pause(&batch.pace)
      group.addTask { Event.result((next.tile, await load(next, blank: blank))) }
      batch.underWay += 1
    }
  }

  /// Waits for what comes next.
  ///
  /// - Returns: Whether what has arrived has waited long enough to be written.
  private func takeNext(
    of group: inout TaskGroup<Event>, into batch: inout Batch
  ) async -> Bool {
    guard batch.underWay > 0, let event = await group.next() else { return false }
    guard case .result(let result) = event else {
      batch.isTicking = false
      return true
    }
    batch.underWay -= 1
    if let ending = note(result, in: &batch), batch.ending == nil {
      batch.ending = ending
      group.cancelAll()
    }
    if !batch.isTicking, batch.ending == nil {
      batch.isTicking = true
      group.addTask { () -> Event in
        // Cancelling only ends the wait sooner.
        try? await clock.sleep(for: options.longestWait)
        return .tick
      }
    }
    return false
  }

  /// Takes a result into the batch.
  ///
  /// - Returns: Why nobody should go on, if that is so.
  private func note(_ result: Result, in batch: inout Batch) -> TileCacheError? {
    guard case .failed(let error) = result.outcome else {
      batch.failuresInRow = 0
      batch.results.append(result)
      return nil
    }
    // The tile stays to be done.
    if error == .cancelled || error.endsDownload { return error }
    batch.results.append(result)
    batch.failuresInRow += 1
    return batch.failuresInRow >= options.failureLimit ? error : nil
  }

  private func write(_ batch: inout Batch) async throws(TileCacheError) {
    let results = batch.results
    guard !results.isEmpty else { return }
    batch.results = []
    let ledger = RegionLedger(region: region.id, source: source, pass: pass, now: cache.now())
    let (store, name) = (cache.store, region.name)
    var progress = try await store.unstoppably { () async throws(TileCacheError) in
      try await store.write { try ledger.write(results, $0) }
      return try await store.region(named: name).progress
    }
    if let checked = batch.checked {
      batch.checked = checked + results.count
      progress.checked = batch.checked
    }
    report(progress)
  }

  // MARK: - Asking

  private var freshness: @Sendable (StoredTile) -> Bool {
    let (config, now) = (cache.config, cache.now())
    return { config.isFresh($0, now: now) }
  }

  private func load(_ next: PendingTiles.Next, blank: Data?) async -> RegionOutcome {
    let tile = next.tile
    do throws(TileCacheError) {
      let known = next.isKnown ? try await cache.store.peek(at: tile, of: source) : nil
      switch try await cache.fetcher.fetch(tile, of: cache.config, unlessIs: known) {
      case .tile(let stored, _):
        if let blank, stored.data == blank { return .blank(byteCount: blank.count) }
        return .fetched(stored)
      case .absent(let stored, let refusal):
        return refusal.map { .gone(stored, $0) } ?? .fetched(stored)
      case .notModified(let answer):
        guard var known, known.data != nil else {
          throw .notATile(cache.config.cacheName, reason: "it says that nothing changed")
        }
        guard pass == .update else {
          known.fetched = answer.fetched
          known.lifetime = answer.lifetime ?? known.lifetime
          return .fetched(known)
        }
        return .notModified(answer)
      }
    } catch {
      return .failed(error)
    }
  }

  /// The tile of the source that shows nothing: the one that the region names, else that of the
  /// Arctic Ocean at the antimeridian.
  ///
  /// Where it cannot be had, nothing counts as blank.
  private func blankTile() async -> Data? {
    let level = min(17, cache.config.maximumZ)
    let place = region.blankTile ?? TileID(level: level, row: 0, column: 0)
    // As said above.
    return try? await cache.loadTile(at: place).tile?.data
  }

  /// Waits until the next request may begin.
  private func pause(_ pace: inout Pace) async {
    guard let interval = pace.interval else { return }
    let now = clock.now
    if let next = pace.next, now < next {
      // Cancelling is the only way in which a clock fails; it is noticed by who asks next.
      try? await clock.sleep(until: next, tolerance: nil)
    }
    pace.next = max(pace.next ?? now, now).advanced(by: interval)
  }

  /// When the next request may begin.
  private struct Pace {
    let interval: Duration?
    var next: C.Instant?

    init(_ requestsPerSecond: Double?) {
      interval = requestsPerSecond.flatMap { $0 > 0 ? .seconds(1 / $0) : nil }
    }
  }
}

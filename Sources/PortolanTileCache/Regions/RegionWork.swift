internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// One run over the tiles of a region: a window of requests, and batches of what came of them, of which
/// one is written while the next arrives.
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
    /// A batch is written, or why it is not.
    case written(Swift.Result<RegionProgress, TileCacheError>)
  }

  /// What is under way, and what has arrived and is not written yet.
  private struct Batch {
    var results: [Result] = []
    var checked: Int?
    var pace: Pace
    var underWay = 0
    var isTicking = false
    /// Whether what has arrived has waited long enough.
    var isDue = false
    var isWriting = false
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
          if beginWriting(&batch, in: &group) { continue }
          guard batch.underWay > 0 || batch.isWriting else { return batch.ending }
          try await takeNext(of: &group, into: &batch)
          if Task.isCancelled { batch.ending = batch.ending ?? .cancelled }
        }
      } catch {
        await writeRest(&batch, in: &group)
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Begins requests until as many are under way as may be.
  ///
  /// Where writing is slower than the server, requests wait for it, so that memory stays bounded.
  private func fill(
    _ group: inout TaskGroup<Event>, from pending: inout PendingTiles, _ batch: inout Batch,
    blank: Data?
  ) async throws(TileCacheError) {
    while batch.ending == nil, batch.underWay < max(1, options.maxConcurrentDownloads),
      batch.results.count < options.batchSize
    {
      guard let next = try await pending.next() else { return }
      guard next.needsRequest else {
        batch.results.append((next.tile, .existing))
        continue
      }
      await pause(&batch.pace)
      group.addTask { Event.result((next.tile, await load(next, blank: blank))) }
      batch.underWay += 1
    }
  }

  /// Waits for what comes next, and takes it into the batch.
  private func takeNext(
    of group: inout TaskGroup<Event>, into batch: inout Batch
  ) async throws(TileCacheError) {
    switch await group.next() {
    case nil: return
    case .tick:
      batch.isTicking = false
      batch.isDue = true
    case .written(let outcome):
      batch.isWriting = false
      report(try outcome.get())
    case .result(let result):
      batch.underWay -= 1
      if let ending = note(result, in: &batch), batch.ending == nil {
        batch.ending = ending
        group.cancelAll()
      }
      guard !batch.isTicking, batch.ending == nil else { return }
      batch.isTicking = true
      group.addTask { () -> Event in
        // Cancelling only ends the wait sooner.
        try? await clock.sleep(for: options.longestWait)
        return .tick
      }
    }
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

  // MARK: - Writing

  /// Begins to write what has arrived, once it is enough or has waited for long, or nothing else comes.
  ///
  /// - Returns: Whether that has begun, so that there is room for more.
  private func beginWriting(_ batch: inout Batch, in group: inout TaskGroup<Event>) -> Bool {
    let isTime =
      batch.isDue || batch.underWay == 0 || batch.results.count >= options.batchSize
    guard isTime, !batch.isWriting, !batch.results.isEmpty else { return false }
    let (results, checked) = take(from: &batch)
    batch.isWriting = true
    group.addTask {
      .written(
        await Swift.Result.of { () async throws(TileCacheError) in try await write(results, checked)
        })
    }
    return true
  }

  /// Writes what has arrived when something keeps the work from going on, which is told; that this
  /// may not succeed either changes nothing.
  private func writeRest(_ batch: inout Batch, in group: inout TaskGroup<Event>) async {
    while batch.isWriting, let event = await group.next() {
      guard case .written = event else { continue }
      batch.isWriting = false
    }
    let (results, checked) = take(from: &batch)
    guard !results.isEmpty else { return }
    if let progress = try? await write(results, checked) { report(progress) }  // as said above
  }

  /// What has arrived, and how many tiles an update has checked with it.
  private func take(from batch: inout Batch) -> (results: [Result], checked: Int?) {
    let results = batch.results
    batch.results = []
    batch.isDue = false
    batch.checked = batch.checked.map { $0 + results.count }
    return (results, batch.checked)
  }

  private func write(
    _ results: [Result], _ checked: Int?
  ) async throws(TileCacheError) -> RegionProgress {
    let ledger = RegionLedger(region, of: source, pass, now: cache.now())
    let (store, name) = (cache.store, region.name)
    var progress = try await store.unstoppably { () async throws(TileCacheError) in
      try await store.write { try ledger.write(results, $0) }
      return try await store.region(named: name).progress
    }
    if let checked { progress.checked = checked }
    return progress
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

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
    /// What was received has waited long enough to be written.
    case tick
    /// The next request may begin.
    case turn
    /// Why to stop where many tiles were refused; `nil` once the server has delivered one again.
    case verdict(TileCacheError?)
    /// A batch is written, or why it is not.
    case written(Swift.Result<RegionProgress, TileCacheError>)
  }

  /// What is under way, and what was received and is not written yet.
  private struct Batch {
    var results: [Result] = []
    /// The bytes of what was received.
    var byteCount = 0
    var checked: Int?
    /// How many tiles have failed of those that are written.
    var failures: RegionFailureCount
    var pace: RequestPace<C.Instant>
    /// The tile whose request waits for its turn.
    var held: PendingTiles.Next?
    var isPausing = false
    var underWay = 0
    var isTicking = false
    /// Whether what was received has waited long enough.
    var isDue = false
    var isWriting = false
    /// How many failures came one after another, but for refusals that may mean that there is no such tile.
    var failuresInRow = 0
    /// How many of them at the end were not answered in time.
    var silentInRow = 0
    /// Such refusals that came one after another.
    ///
    /// Until the server has answered otherwise they are not taken for failures: where it refuses this client,
    /// their tiles stay to be done.
    var refused: [Result] = []
    /// Whether the server has given anything in this run, or said that it has not changed or is not there.
    var isAnswered = false
    /// A tile that the server has given in this run.
    var given: TileID?
    /// What makes it doubtful whether the server gives anything any more; nothing is begun meanwhile.
    var doubt: TileCacheError?
    var isDoubting = false
    /// Why nothing more is begun.
    private(set) var ending: TileCacheError?

    init(checked: Int?, failures: RegionFailureCount, pace: RequestPace<C.Instant>) {
      self.checked = checked
      self.failures = failures
      self.pace = pace
    }

    /// Whether anything will come that is waited for.
    var isBusy: Bool { underWay > 0 || isWriting || held != nil || isDoubting }

    /// Begins nothing more.
    mutating func end(_ reason: TileCacheError) {
      ending = ending ?? reason
      held = nil
    }

    /// Continues after a doubt: what was refused are single tiles.
    mutating func trust() {
      (failuresInRow, silentInRow) = (0, 0)
      results += refused
      refused = []
      doubt = nil
    }

    /// Has it found out at the end whether what was refused are single tiles, unless something else was
    /// answered.
    ///
    /// - Returns: Whether anything was refused that is not settled.
    mutating func doubtTheRest() -> Bool {
      guard ending == nil, case .failed(let refusal)? = refused.last?.outcome else { return false }
      if isAnswered { trust() } else { doubt = refusal }
      return true
    }
  }

  func run() async throws(TileCacheError) {
    let blank = region.skipsBlank ? await blankTile() : nil
    var batch = Batch(
      checked: pass == .update ? try await checkedCount() : nil,
      failures: try await cache.store.failureCount(of: region.id),
      pace: RequestPace(options.requestsPerSecond ?? cache.config.policy.requestsPerSecond))
    var pending = PendingTiles(cache.store, region, source, pass, isFresh: freshness)
    let failure = await withTaskGroup(of: Event.self) { group -> TileCacheError? in
      defer { group.cancelAll() }
      do throws(TileCacheError) {
        while true {
          try await fill(&group, from: &pending, &batch, blank: blank)
          if beginWriting(&batch, in: &group) { continue }
          guard batch.isBusy else {
            guard batch.doubtTheRest() else { return batch.ending }
            settleDoubt(&batch, in: &group)
            continue
          }
          try await takeNext(of: &group, into: &batch)
          if Task.isCancelled { batch.end(.cancelled) }
        }
      } catch {
        await writeRest(&batch, in: &group)
        return error
      }
    }
    guard let failure else { return }
    if pass == .missing, failure.isWithoutNetwork {
      // If this fails nothing changes: the reason for which the work ends is reported.
      try? await keepWhatIsHere(failure)
    }
    throw failure
  }

  /// How many tiles the update has looked at which is gone on with.
  private func checkedCount() async throws(TileCacheError) -> Int {
    let id = region.id
    return try await cache.store.read { connection in
      try RegionBits.counts(of: id, .checked, connection).values.reduce(0, +)
    }
  }

  /// Begins requests until as many are under way as may be.
  ///
  /// Where writing is slower than the server, requests wait for it, so that memory stays bounded.
  private func fill(
    _ group: inout TaskGroup<Event>, from pending: inout PendingTiles, _ batch: inout Batch,
    blank: Data?
  ) async throws(TileCacheError) {
    while batch.ending == nil, batch.doubt == nil,
      batch.underWay < max(1, options.maxConcurrentDownloads), !isFull(batch)
    {
      var held = batch.held
      if held == nil { held = try await pending.next() }
      guard let next = held else { return }
      batch.held = nil
      guard next.needsRequest else {
        batch.results.append((next.tile, .existing))
        continue
      }
      if let turn = batch.pace.begin(at: clock.now) {
        batch.held = next
        return awaitTurn(at: turn, &batch, in: &group)
      }
      group.addTask { Event.result((next.tile, await load(next, blank: blank))) }
      batch.underWay += 1
    }
  }

  /// Whether as much has arrived as is written at a time.
  private func isFull(_ batch: Batch) -> Bool {
    batch.results.count >= options.batchSize || batch.byteCount >= options.batchByteCount
  }

  /// Sees to it that something comes when the next request may begin; what arrives until then is taken
  /// as it comes.
  private func awaitTurn(
    at turn: C.Instant, _ batch: inout Batch, in group: inout TaskGroup<Event>
  ) {
    guard !batch.isPausing else { return }
    batch.isPausing = true
    group.addTask { () -> Event in
      // Cancelling only ends the wait sooner.
      try? await clock.sleep(until: turn, tolerance: nil)
      return .turn
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
    case .turn: batch.isPausing = false
    case .verdict(let ending):
      batch.isDoubting = false
      // A tile that has come meanwhile says as much.
      guard let ending, batch.doubt != nil else { return batch.trust() }
      batch.end(ending)
      group.cancelAll()
    case .written(let outcome):
      batch.isWriting = false
      let progress = try outcome.get()
      batch.failures = RegionFailureCount(progress)
      report(progress)
    case .result(let result):
      batch.underWay -= 1
      if let ending = note(result, in: &batch), batch.ending == nil {
        batch.end(ending)
        group.cancelAll()
      }
      settleDoubt(&batch, in: &group)
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
  /// - Returns: Why to stop; `nil` to continue.
  private func note(_ result: Result, in batch: inout Batch) -> TileCacheError? {
    guard case .failed(let error) = result.outcome else {
      batch.trust()
      batch.isAnswered = true
      if result.outcome.byteCount > 0 { batch.given = result.tile }
      batch.results.append(result)
      batch.byteCount += result.outcome.byteCount
      return nil
    }
    // The tile stays to be done.
    if error == .cancelled || error.endsDownload { return error }
    if error.mayMeanAbsence {
      batch.refused.append(result)
      if batch.refused.count >= options.failureLimit { batch.doubt = error }
      return nil
    }
    batch.results.append(result)
    batch.failuresInRow += 1
    batch.silentInRow = error.isSilence ? batch.silentInRow + 1 : 0
    let isHopeless =
      batch.failuresInRow >= options.failureLimit || batch.silentInRow >= options.silenceLimit
    return isHopeless ? error : nil
  }

  /// Asks, where there is a doubt, whether the server still gives what it has.
  private func settleDoubt(_ batch: inout Batch, in group: inout TaskGroup<Event>) {
    guard let doubt = batch.doubt, !batch.isDoubting, batch.ending == nil else { return }
    batch.isDoubting = true
    let given = batch.given
    group.addTask { .verdict(await verdict(on: doubt, given: given)) }
  }

  // MARK: - Writing

  /// Begins to write what was received, once it is enough or has waited for long, or nothing else
  /// comes.
  ///
  /// - Returns: Whether that has begun, so that there is room for more.
  private func beginWriting(_ batch: inout Batch, in group: inout TaskGroup<Event>) -> Bool {
    let isTime =
      batch.isDue || isFull(batch) || (batch.underWay == 0 && batch.held == nil)
    guard isTime, !batch.isWriting, !batch.results.isEmpty else { return false }
    let (results, checked) = take(from: &batch)
    let failures = batch.failures
    batch.isWriting = true
    group.addTask {
      .written(
        await Swift.Result.of { () async throws(TileCacheError) in
          try await write(results, checked, knowing: failures)
        })
    }
    return true
  }

  /// Writes what was received when something keeps the work from continuing, which is reported; that
  /// this may not succeed either changes nothing.
  private func writeRest(_ batch: inout Batch, in group: inout TaskGroup<Event>) async {
    while batch.isWriting, let event = await group.next() {
      guard case .written(let outcome) = event else { continue }
      batch.isWriting = false
      if case .success(let progress) = outcome { batch.failures = RegionFailureCount(progress) }
    }
    let (results, checked) = take(from: &batch)
    guard !results.isEmpty else { return }
    // As said above.
    guard let progress = try? await write(results, checked, knowing: batch.failures) else { return }
    report(progress)
  }

  /// What was received, and how many tiles an update has checked with it.
  private func take(from batch: inout Batch) -> (results: [Result], checked: Int?) {
    let results = batch.results
    batch.results = []
    batch.byteCount = 0
    batch.isDue = false
    batch.checked = batch.checked.map { $0 + results.count }
    return (results, batch.checked)
  }

  /// Writes what was received.
  ///
  /// - Parameters:
  ///   - results: What became of tiles.
  ///   - checked: How many tiles an update has looked at with them.
  ///   - failures: How many tiles had failed before.
  /// - Returns: How far the region is then.
  /// - Throws: ``TileCacheError`` if the cache cannot be written.
  func write(
    _ results: [Result], _ checked: Int?, knowing failures: RegionFailureCount
  ) async throws(TileCacheError) -> RegionProgress {
    let ledger = RegionLedger(region, of: source, pass, now: cache.now())
    let (store, name) = (cache.store, region.name)
    try store.prepare(forBytes: results.reduce(0) { $0 + $1.outcome.byteCount })
    var progress = try await store.unstoppably { () async throws(TileCacheError) in
      var failures = failures
      failures += try await store.patiently { connection in
        let failures = try ledger.write(results, connection)
        try store.reserveRoomForLog(connection)
        return failures
      }
      return try await store.progress(ofRegionNamed: name, with: failures)
    }
    if let checked { progress.checked = checked }
    return progress
  }
}

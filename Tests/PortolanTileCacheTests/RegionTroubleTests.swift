import Foundation
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Regions whose download meets with servers that refuse or fail, and with files that others use.
@Suite(.temporaryDirectory) struct RegionTroubleTests: RegionTesting {
  private let server = TileServerStub()
  /// 64 tiles of level 10 and their ancestors.
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)

  private func cache() throws -> MapCache {
    try MapCache.stub(server) { $0.policy.allowsBulk = true }
  }

  private func region(
    _ cache: MapCache, _ name: String = "Area 1", _ region: TileRegion = box,
    levels: ClosedRange<Int> = 8...10
  ) async throws -> CachedRegion {
    try await cache.store.createRegion(
      named: name, of: cache.config, RegionPlan(region, levels: levels), now: server.now())
  }

  @Test func `One tile that is refused stops nothing, and many one after another do`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    server.answer(path(all[3]), 403, Data())
    let finished = try await download(cache, region)
    #expect(finished.state == .finished && finished.progress.failed == 1)
    let ground = TileRegion.box(west: 60, south: 10, east: 63, north: 13)
    let other = try await self.region(cache, "Elsewhere", ground)
    server.answerOthers(403)
    var options = RegionDownloader<CountingClock>.Options()
    options.failureLimit = 20
    let error = await #expect(throws: TileCacheError.self) {
      try await RegionDownloader(cache, other, options: options, clock: CountingClock()).run()
    }
    guard case .signInNeeded(_, 403)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await cache.store.region(named: "Elsewhere").reason?.contains("sign-in") == true)
  }

  @Test(arguments: [RegionPass.missing, .update, .failed])
  func `A key that has expired ends a pass however few tiles it is for, and they stay to be done`(
    _ pass: RegionPass
  ) async throws {
    let cache = try cache()
    let region = try await region(cache, levels: 8...8)
    var (whole, count) = (region, region.plan.count)
    if pass == .failed { server.answer(path(tiles(region)[0]), 500, Data()) }
    if pass != .missing { whole = try await download(cache, region) }
    if pass == .failed { count = 1 }
    let before = whole.progress
    server.move(by: 60)
    for tile in tiles(region) { server.answer(path(tile), 403, Data()) }
    server.answerOthers(403)
    let error = await #expect(throws: TileCacheError.self) {
      try await download(cache, whole, pass)
    }
    #expect(error?.errorDescription?.contains("a key") == true)
    let paused = try await cache.store.region(named: "Area 1")
    #expect(paused.progress == before && paused.reason == error?.errorDescription)
    for tile in tiles(region) { server.answer(path(tile)) }
    let asked = server.paths.count
    let done = try await download(cache, paused, pass)
    #expect(server.paths.count == asked + count)
    #expect(done.progress.isComplete && done.progress.failed + done.progress.failedUpdates == 0)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `Any number of tiles may be refused as long as the server gives what it has`(
    _ isHere: Bool, _ isAllowed: Bool
  ) async throws {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    if isHere {
      // Only this one is here already, so that it is not asked for by the region itself.
      server.answer(path(all[0]))
      _ = try await cache.loadTile(at: all[0])
    } else if isAllowed {
      server.answer(path(all[1]))
    }
    server.answerOthers(403)
    if isHere, !isAllowed { server.answer(path(all[0]), 403, Data()) }
    var options = RegionDownloader<CountingClock>.Options()
    options.failureLimit = 5
    options.maxConcurrentDownloads = 2
    let downloader = RegionDownloader(cache, region, options: options, clock: CountingClock())
    guard isAllowed else {
      await #expect(throws: TileCacheError.self) { try await downloader.run() }
      let paused = try await cache.store.region(named: "Area 1")
      #expect(paused.state == .paused && paused.progress.remaining > 0)
      #expect(server.requests.count < 12)
      return
    }
    let finished = try await downloader.run()
    #expect(finished.state == .finished && finished.progress.stored == 1)
    #expect(finished.progress.failed == all.count - 1 && finished.progress.absent == 0)
    let failures = try await cache.store.failures(of: finished)
    #expect(failures.allSatisfy { $0.reason.contains("does not have it (status 403)") })
    // After five refusals the server is asked for a tile that it has; one more may be under way by then.
    #expect(server.requests.count - all.count >= (all.count - 1) / 7)
    // None of them is remembered as a tile that does not exist.
    server.answerOthers(200)
    #expect(try await download(cache, finished, .failed).progress.isComplete)
  }

  @Test func `A store that refuses all tiles of a place, and gives the coarsest, wants no sign-in`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    server.answerOthers(403)
    server.answer("/0/0/0.png")
    var options = RegionDownloader<CountingClock>.Options()
    options.failureLimit = 5
    let finished = try await RegionDownloader(
      cache, region, options: options, clock: CountingClock()
    ).run()
    #expect(finished.state == .finished && finished.progress.failed == region.plan.count)
    #expect(server.paths.contains("/0/0/0.png"))
  }

  @Test func `A server that never answers times out soon, and the pending requests are listed`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    server.fail(.timedOut("https://h/8", phase: .firstByte))
    var options = RegionDownloader<CountingClock>.Options()
    options.maxConcurrentDownloads = 4
    let silence = TileCacheError.transport(.timedOut("https://h/8", phase: .firstByte))
    await #expect(throws: silence) {
      try await RegionDownloader(cache, region, options: options, clock: CountingClock()).run()
    }
    #expect(server.requests.count < 16)
    #expect(server.requests.allSatisfy { $0.timeouts.firstByte == .seconds(30) })
    let paused = try await cache.store.region(named: "Area 1")
    #expect(paused.state == .paused && paused.reason?.contains("did not answer") == true)
    #expect(paused.progress.failed >= 8 && paused.progress.remaining > 0)
    #expect(try await cache.store.failures(of: paused).count == paused.progress.failed)
    server.fail(nil)
    _ = try await download(cache, region)
    let whole = try await download(cache, region, .failed)
    #expect(whole.progress.isComplete)
  }

  @Test(arguments: [(90, "90 seconds"), (300, "5 minutes"), (86_400, "1 day")])
  func `A pause that a server requests is shown in readable units`(
    _ seconds: Int, _ words: String
  ) {
    let error = TileCacheError.tooManyRequests("h", retryAfter: .seconds(seconds))
    #expect(error.recoverySuggestion == "Go on in \(words); what was loaded is kept.")
  }

  @Test(.timeLimit(.minutes(5)))
  func `With a rate a refusal is noticed before the next request begins`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    server.answer(path(tiles(region)[0]), 401, Data())
    var options = RegionDownloader<ManualClock>.Options()
    options.requestsPerSecond = 0.5
    // The time stands still, so that no turn comes.
    await #expect(throws: TileCacheError.self) {
      try await RegionDownloader(cache, region, options: options, clock: ManualClock()).run()
    }
    #expect(server.requests.count == 1)
  }

  @Test func `Received data is written once it is many bytes`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    var options = RegionDownloader<ManualClock>.Options()
    options.maxConcurrentDownloads = 4
    options.batchSize = 1_000
    options.batchByteCount = 10 * TileServerStub.picture("/10/540/480.png").count
    let reports = Locked(0)
    // Nothing is written because of the time, which stands still.
    try await RegionDownloader(cache, region, options: options, clock: ManualClock()).run { _ in
      reports.withLock { $0 += 1 }
    }
    #expect(reports.withLock { $0 } >= region.plan.count / 14)
  }

  @Test func `Stale tiles are kept if the server fails or cannot be reached`()
    async throws
  {
    let cache = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.expiry = .fixed(seconds: 10)
    }
    let region = try await region(cache)
    let seen = tiles(region).prefix(10)
    for tile in seen { _ = try await cache.loadTile(at: tile) }
    server.move(by: 11)
    server.fail(.offline)
    await #expect(throws: TileCacheError.transport(.offline)) { try await download(cache, region) }
    let paused = try await cache.store.region(named: region.name)
    #expect(paused.state == .paused && paused.progress.stored == 10)
    #expect(paused.progress.failedUpdates == 10 && paused.progress.failed == 0)
    _ = try await cache.clear()
    #expect(try await cache.loadTile(at: seen[0], mode: .cacheOnly).tile != nil)
    server.fail(nil)
    let whole = try await download(cache, paused)
    #expect(whole.progress.isComplete)
    #expect(try await download(cache, whole, .failed).progress.failedUpdates == 0)
    // One tile whose server fails.
    _ = try await cache.store.deleteRegion(named: region.name)
    _ = try await cache.loadTile(at: seen[0])
    server.move(by: 11)
    server.answer(path(seen[0]), 500, Data())
    let again = try await download(cache, try await self.region(cache))
    #expect(again.state == .finished && again.progress.isComplete)
    #expect(again.progress.failedUpdates == 1)
    #expect(try await cache.store.failures(of: again).map(\.tile) == [seen[0]])
  }

  @Test func `Long writes of other processes do not prevent storing`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    await writeForLong(to: cache.store.url)
    #expect(try await download(cache, region).progress.isComplete)
  }

  @Test func `A viewed tile is stored even while other processes keep writing`() async throws {
    let cache = try cache()
    _ = try await cache.store.source(cache.config)
    await writeForLong(to: cache.store.url)
    let tile = TileID(level: 4, row: 1, column: 1)
    #expect(try await cache.loadTile(at: tile).path == .fetched)
    await cache.settle()
    #expect(await cache.storageFailure == nil)
    let again = try self.cache()
    #expect(try await again.loadTile(at: tile, mode: .cacheOnly).path == .hit)
  }

  /// Has somebody else write for as long as a connection waits, and a little more.
  private func writeForLong(to url: URL) async {
    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { isLocked.signal() }
      guard let connection = try? Connection(at: url, access: .readWrite) else { return }
      _ = try? connection.transaction { _ in
        isLocked.signal()
        Thread.sleep(forTimeInterval: 6)
      }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        isLocked.wait()
        continuation.resume()
      }
    }
  }

  @Test func `The failures reported during a region's download are those recorded`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    let failing = tiles(region).enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
    for tile in failing { server.answer(path(tile), 500, Data()) }
    var options = RegionDownloader<CountingClock>.Options()
    options.batchSize = 4
    let downloader = RegionDownloader(cache, region, options: options, clock: CountingClock())
    let told = Locked<[RegionProgress]>([])
    for (pass, count) in [(RegionPass.missing, failing.count), (.failed, 0)] {
      if pass == .failed { for tile in failing { server.answer(path(tile)) } }
      let finished = try await downloader.run(pass) { progress in
        told.withLock { $0.append(progress) }
      }
      #expect(finished.progress.failed == count && finished.progress.failedUpdates == 0)
      // The last batch, and what is counted at the end.
      #expect(told.withLock { $0.suffix(2).map(\.failed) } == [count, count])
    }
  }

  @Test func `Tiles that make room before a region keeps them are loaded in the same run`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache, levels: 10...10)
    for tile in tiles(region) { _ = try await cache.loadTile(at: tile) }
    await cache.settle()
    let asked = server.requests.count
    var options = RegionDownloader<CountingClock>.Options()
    options.batchSize = 4
    let (url, haveGone) = (cache.store.url, Locked(false))
    let downloader = RegionDownloader(cache, region, options: options, clock: CountingClock())
    let finished = try await downloader.run(.missing) { _ in
      guard !haveGone.withLock({ $0 }) else { return }
      let isDone =
        (try? Connection(at: url, access: .readWrite)
          .execute("DELETE FROM tile WHERE pins = 0")) != nil
      haveGone.withLock { $0 = isDone }
    }
    #expect(haveGone.withLock { $0 })
    #expect(finished.state == .finished && finished.progress.isComplete)
    #expect(server.requests.count > asked)
  }

  @Test func `A region is not begun as one of a source that another has the name of`() async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    let elsewhere = try TileURLTemplate("https://other/{z}/{x}/{y}.png")
    let other = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.urlTemplate = elsewhere
    }
    await #expect(throws: TileCacheError.sourceTaken(cache.config.cacheName)) {
      try await download(other, region)
    }
    #expect(try await cache.store.region(named: region.name).state == .paused)
  }

  @Test func `A region of another file gets no tiles of one with its number and name`() async throws
  {
    let cache = try cache()
    let region = try await region(cache, levels: 8...12)
    server.move(by: 60)
    let other = try MapCache.stub(server, { $0.policy.allowsBulk = true }, file: "other.sqlite")
    let twin = try await self.region(other, levels: 8...12)
    #expect(twin.id == region.id && twin.name == region.name)
    do {
      let connection = try Connection(at: other.store.url, access: .readWrite)
      try connection.emptyLog()
    }
    let isExchanged = Locked(false)
    let (url, otherURL) = (cache.store.url, other.store.url)
    await #expect(throws: TileCacheError.noSuchRegion(region.name)) {
      try await download(cache, region) { _ in
        guard !isExchanged.withLock({ $0 }) else { return }
        for suffix in ["", "-wal", "-shm"] {
          // A file that is not there need not be removed.
          try? FileManager.default.removeItem(
            at: URL(filePath: url.path(percentEncoded: false) + suffix))
        }
        let isThere = (try? FileManager.default.copyItem(at: otherURL, to: url)) != nil
        isExchanged.withLock { $0 = isThere }
      }
    }
    #expect(isExchanged.withLock { $0 })
    let store = try TileCacheStore(at: url)
    #expect(try await store.region(named: region.name).progress.done == 0)
    #expect(try await store.statistics().tileCount == 0)
  }

  @Test func `A file that takes the place of another gets nothing of what was for that`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache, levels: 8...12)
    let other = Locked<TileCacheStore?>(nil)
    let (url, config, now) = (cache.store.url, cache.config, server.now())
    let error = await #expect(throws: TileCacheError.self) {
      try await download(cache, region) { _ in
        guard other.withLock({ $0 }) == nil else { return }
        for suffix in ["", "-wal", "-shm"] {
          // A file that is not there need not be removed.
          try? FileManager.default.removeItem(
            at: URL(filePath: url.path(percentEncoded: false) + suffix))
        }
        other.withLock { $0 = try? TileCacheStore(at: url) }
      }
    }
    #expect(error == .noSuchRegion("Area 1"))
    let store = try #require(other.withLock { $0 })
    #expect(try await store.statistics().tileCount == 0)
    let again = try await store.createRegion(
      named: "Area 1", of: config, region.plan, now: now)
    #expect(try await store.coverage(of: again).allSatisfy { $0.done == 0 })
  }
}

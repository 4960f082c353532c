import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite(.temporaryDirectory) struct RegionDownloaderTests: RegionTesting {
  private let server = TileServerStub()
  /// 64 tiles of level 10 and their ancestors.
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.7, north: 12.7)

  private func cache() throws -> MapCache {
    try MapCache.stub(server) { $0.policy.allowsBulk = true }
  }

  private func region(
    _ cache: MapCache, _ name: String = "Area 1", _ region: TileRegion = box, blank: Bool = false,
    levels: ClosedRange<Int> = 8...10
  ) async throws -> CachedRegion {
    try await cache.store.createRegion(
      named: name, of: cache.config, RegionPlan(region, levels: levels), skippingBlank: blank,
      now: server.now())
  }

  @Test func `All tiles of a region are asked for once and kept`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let reports = Locked<[RegionProgress]>([])
    let finished = try await download(cache, region) { report in
      reports.withLock { $0.append(report) }
    }
    #expect(finished.state == .finished)
    #expect(finished.progress.isComplete)
    #expect(finished.progress.stored == region.plan.count)
    #expect(Set(server.paths) == Set(tiles(region).map(path)))
    #expect(server.paths.count == region.plan.count)
    let last = reports.withLock { $0.last }
    #expect(last?.fraction == 1)
    #expect(reports.withLock { $0 }.allSatisfy { $0.done + $0.failed + $0.remaining == $0.planned })
    #expect(try await cache.store.coverage(of: finished).allSatisfy(\.isWhole))
  }

  @Test func `As many requests are under way as are wanted`() async throws {
    let cache = try cache()
    var options = RegionDownloader<CountingClock>.Options()
    options.maxConcurrentDownloads = 5
    let region = try await region(cache)
    try await RegionDownloader(cache, region, options: options, clock: CountingClock()).run()
    #expect((2...5).contains(server.mostUnderWay))
  }

  @Test func `A rate is kept`() async throws {
    let cache = try cache()
    let region = try await region(cache, levels: 10...10)
    var options = RegionDownloader<CountingClock>.Options()
    options.requestsPerSecond = 10
    let clock = CountingClock()
    try await RegionDownloader(cache, region, options: options, clock: clock).run()
    let least = Duration.milliseconds(100 * (region.plan.count - 1))
    #expect(clock.now.offset >= least * 0.99)
  }

  @Test func `Failures, absences and the rest add up, and only what failed is asked again`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    for tile in all.prefix(3) { server.answer(path(tile), 404, Data()) }
    for tile in all.suffix(2) { server.answer(path(tile), 500, Data()) }
    let first = try await download(cache, region)
    #expect(first.state == .finished)
    #expect(first.progress.absent == 3)
    #expect(first.progress.failed == 2)
    #expect(first.progress.stored == all.count - 5)
    #expect(first.progress.remaining == 0)
    let failures = try await cache.store.failures(of: first)
    #expect(failures.map(\.tile) == Array(all.suffix(2)))
    #expect(failures.allSatisfy { $0.reason.contains("500") && $0.attempts == 1 })
    let asked = server.paths.count
    _ = try await download(cache, first)
    #expect(server.paths.count == asked)
    for tile in all.suffix(2) { server.answer(path(tile)) }
    let second = try await download(cache, first, .failed)
    #expect(server.paths.count == asked + 2)
    #expect(second.progress.isComplete)
    #expect(try await cache.store.failures(of: second).isEmpty)
  }

  @Test func `An obstacle to every tile pauses the region with its reason`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    server.answer(path(all[40]), 401, Data())
    await #expect(throws: TileCacheError.self) { try await download(cache, region) }
    let paused = try await cache.store.region(named: region.name)
    #expect(paused.state == .paused)
    #expect(paused.reason?.contains("sign-in") == true)
    #expect(paused.progress.failed == 0)
    #expect(paused.progress.remaining > 0)
    server.answer(path(all[40]))
    let before = server.paths.count
    let finished = try await download(cache, paused)
    #expect(finished.progress.isComplete)
    #expect(server.paths.count - before == paused.progress.remaining)
  }

  @Test func `Cancelling pauses, and nothing that has arrived is asked for again`() async throws {
    let cache = try cache()
    let region = try await region(cache, "Large", levels: 8...12)
    let task = Task { [server] in
      try await RegionDownloader(cache, region, clock: CountingClock()).run { progress in
        if progress.done >= 200 { withUnsafeCurrentTask { $0?.cancel() } }
        _ = server
      }
    }
    let result = await task.result
    #expect(throws: TileCacheError.cancelled) { try result.get() }
    let paused = try await cache.store.region(named: "Large")
    #expect(paused.state == .paused)
    #expect(paused.reason == nil)
    #expect(paused.progress.done >= 200)
    let finished = try await download(cache, paused)
    #expect(finished.progress.isComplete)
    let counts = server.paths.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    // Only what was under way when it was cancelled may have been asked for twice.
    #expect(counts.values.filter { $0 > 1 }.count <= 64)
  }

  @Test func `Tiles that were seen before are kept without being asked for`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    for tile in tiles(region).prefix(10) { _ = try await cache.loadTile(at: tile) }
    _ = try await download(cache, region)
    #expect(server.paths.count == region.plan.count)
    #expect(try await cache.store.statistics().ambientByteCount == 0)
  }

  @Test func `A region cannot be made from sources that forbid bulk downloads`() async throws {
    let cache = try MapCache.stub(server)
    let region = try await region(cache)
    let error = await #expect(throws: TileCacheError.self) { try await download(cache, region) }
    #expect(error?.errorDescription?.contains("MapCache") == true)
    #expect(server.paths.isEmpty)
    let limited = try MapCache.stub(server) {
      $0.policy = TilePolicy(allowsBulk: true, highestBulkLevel: 9)
    }
    await #expect(throws: TileCacheError.self) { try await download(limited, region) }
    let small = try MapCache.stub(server) {
      $0.policy = TilePolicy(allowsBulk: true, tileLimit: 10)
    }
    await #expect(throws: TileCacheError.tooManyTiles(count: region.plan.count, limit: 10)) {
      try await download(small, region)
    }
  }

  @Test func `Tiles of a region stay when room is made`() async throws {
    let cache = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.capacity = 40
    }
    let region = try await region(cache)
    let finished = try await download(cache, region)
    for column in 0..<20 {
      _ = try await cache.loadTile(at: TileID(level: 12, row: 0, column: column))
    }
    _ = try await cache.clear()
    let statistics = try await cache.store.statistics()
    #expect(statistics.tileCount == region.plan.count)
    #expect(statistics.pinnedByteCount == finished.progress.byteCount)
    #expect(statistics.ambientByteCount == 0)
  }

  @Test func `Tiles shared by two regions are counted once, and stay with the second`() async throws
  {
    let cache = try cache()
    let east = TileRegion.box(west: 11, south: 10, east: 14, north: 12.7)
    let first = try await download(cache, try await region(cache, "Area 1"))
    let one = try await cache.store.statistics().pinnedByteCount
    let second = try await download(cache, try await region(cache, "Area 2", east))
    let both = try await cache.store.statistics()
    #expect(both.pinnedByteCount < first.progress.byteCount + second.progress.byteCount)
    #expect(both.pinnedByteCount == both.byteCount)
    let deleted = try await cache.store.deleteRegion(named: "Area 1")
    let left = try await cache.store.statistics()
    #expect(left.byteCount == second.progress.byteCount)
    #expect(deleted.byteCount == both.byteCount - left.byteCount)
    #expect(deleted.sharedByteCount == one - deleted.byteCount)
    #expect(left.tileCount == second.plan.count)
    #expect(try await cache.store.regions().map(\.name) == ["Area 2"])
    _ = try await cache.store.deleteRegion(named: "Area 2")
    #expect(try await cache.store.statistics().byteCount == 0)
  }

  @Test func `Tiles that other regions have of another source stay, and are reported`() async throws
  {
    let cache = try cache()
    _ = try await download(cache, try await region(cache, "Area 1"))
    let file = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: file)
    _ = try await cache.store.importRegion(from: file, onConflict: .rename, now: server.now())
    let before = try await cache.store.statistics()
    let deleted = try await cache.store.deleteRegion(named: "Area 1")
    #expect(deleted.byteCount == 0 && deleted.sharedByteCount == before.byteCount)
    #expect(try await cache.store.deleteRegion(named: "Area 1 (2)").sharedByteCount == 0)
  }

  @Test func `Blank tiles are left out, with what that saved`() async throws {
    let cache = try cache()
    let sea = TileServerStub.picture("sea")
    server.answer("/17/0/0.png", 200, sea)
    let plain = try await region(cache, "All of it")
    for tile in tiles(plain).suffix(20) { server.answer(path(tile), 200, sea) }
    let whole = try await download(cache, plain)
    #expect(whole.progress.blank == 0)
    let other = try MapCache.stub(server, file: "other.sqlite")
    var config = other.config
    config.policy.allowsBulk = true
    let fresh = MapCache(withConfig: config, store: other.store, transport: server, now: server.now)
    let region = try await region(fresh, "Without sea", blank: true)
    let finished = try await download(fresh, region)
    #expect(finished.progress.blank == 20)
    #expect(finished.progress.savedByteCount == 20 * sea.count)
    #expect(finished.progress.isComplete)
    let tile = try #require(tiles(region).last)
    let explained = try await fresh.store.explain(tile, of: config)
    #expect(explained.stored == nil)
    #expect(explained.regions == ["Without sea": .blank])
    // Another region keeps the same tile for itself.
    let second = try await self.region(fresh, "With sea")
    _ = try await download(fresh, second)
    _ = try await fresh.store.deleteRegion(named: "Without sea")
    #expect(try await fresh.store.explain(tile, of: config).regions == ["With sea": .kept])
    #expect(try await fresh.store.coverage(of: second).allSatisfy(\.isWhole))
    #expect(try await fresh.store.statistics().tileCount == second.plan.count + 1)
  }

  @Test func `A tile that was blank and has something now stays when room is made`() async throws {
    let cache = try cache()
    let (sea, island) = (TileServerStub.picture("sea"), TileServerStub.picture("island"))
    server.answer("/17/0/0.png", 200, sea)
    let region = try await region(cache, blank: true)
    let tile = try #require(tiles(region).last)
    server.answer(path(tile), 200, sea)
    let finished = try await download(cache, region)
    #expect(finished.progress.blank == 1)
    server.answer(path(tile), 200, island)
    server.move(by: 86_400)
    let updated = try await download(cache, finished, .update)
    #expect(updated.progress.blank == 0 && updated.progress.stored == region.plan.count)
    #expect(updated.progress.savedByteCount == 0)
    try await cache.store.evict(to: 0)
    #expect(try await cache.loadTile(at: tile, mode: .cacheOnly).tile?.data == island)
  }

  @Test func `An update asks whether tiles have changed, and loads those`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    server.answerOthers(200, ["ETag": "1"])
    server.answer(path(all[5]), 404, Data())
    let finished = try await download(cache, region)
    #expect(finished.progress.absent == 1)
    let asked = server.requests.count
    server.answerOthers(304)
    server.answer(path(all[0]), 200, TileServerStub.picture("changed"), ["ETag": "2"])
    server.answer(path(all[1]), 404, Data())
    server.answer(path(all[2]), 500, Data())
    server.answer(path(all[5]), 200, TileServerStub.picture("new"))
    server.move(by: 86_400)
    let updated = try await download(cache, finished, .update)
    let conditional = server.requests.dropFirst(asked)
    #expect(conditional.count == all.count)
    #expect(conditional.filter { $0.headers["If-None-Match"] == "1" }.count == all.count - 1)
    #expect(updated.progress.absent == 0)
    #expect(updated.progress.stored == all.count)
    #expect(updated.progress.failedUpdates == 2)
    #expect(updated.progress.failed == 0)
    #expect(updated.progress.isComplete)
    for tile in [all[1], all[2]] {
      let kept = try await cache.loadTile(at: tile, mode: .cacheOnly)
      #expect(kept.tile?.data == TileServerStub.picture(path(tile)))
    }
    let statistics = try await cache.store.statistics()
    #expect(statistics.byteCount == updated.progress.byteCount)
    #expect(updated.updated == server.now())
  }

  @Test func `A server that has lost everything takes nothing from a region`() async throws {
    let cache = try cache()
    let finished = try await download(cache, try await region(cache))
    server.answerOthers(404)
    server.move(by: 30 * 86_400)
    let updated = try await download(cache, finished, .update)
    #expect(updated.progress.stored == finished.plan.count)
    #expect(updated.progress.failedUpdates == finished.plan.count)
    let other = try await download(cache, try await region(cache, "Area 2"))
    #expect(other.progress.stored == finished.plan.count)
    let tile = tiles(finished)[3]
    let seen = try await cache.loadTile(at: tile)
    #expect(seen.tile?.data == TileServerStub.picture(path(tile)))
    #expect(seen.path == .fallback(.refused("https://h\(path(tile))", status: 404)))
    #expect(try await cache.store.statistics().byteCount == finished.progress.byteCount)
    let again = try await cache.store.region(named: "Area 1")
    #expect(again.progress.byteCount == finished.progress.byteCount)
  }

  @Test func `Figures of regions follow when a tile of theirs is replaced elsewhere`()
    async throws
  {
    let cache = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.allowsEmptyTiles = true
    }
    let finished = try await download(cache, try await region(cache))
    _ = try await download(cache, try await region(cache, "Area 2"))
    let tile = tiles(finished)[3]
    let longer = TileServerStub.picture(String(repeating: "n", count: 500))
    server.answer(path(tile), 200, longer)
    _ = try await cache.fetchTileFromServer(at: tile)
    let grown =
      finished.progress.byteCount + longer.count
      - TileServerStub.picture(path(tile)).count
    for name in ["Area 1", "Area 2"] {
      #expect(try await cache.store.region(named: name).progress.byteCount == grown)
    }
    server.answer(path(tile), 204, Data())
    server.move(by: 86_400)
    _ = try await download(cache, try await cache.store.region(named: "Area 2"), .update)
    for name in ["Area 1", "Area 2"] {
      let progress = try await cache.store.region(named: name).progress
      #expect(progress.byteCount == grown - longer.count)
      #expect(progress.absent == 1 && progress.isComplete)
    }
  }

  @Test func `Resuming a complete region says nothing about its age`() async throws {
    let cache = try cache()
    let finished = try await download(cache, try await region(cache))
    server.move(by: 86_400)
    let again = try await download(cache, finished)
    #expect(again.updated == finished.updated)
  }

  @Test func `More failures than are listed at a time are all asked again`() async throws {
    let cache = try cache()
    server.answerOthers(500)
    let region = try await region(cache, levels: 8...14)
    var options = RegionDownloader<CountingClock>.Options()
    options.failureLimit = .max
    let failed = try await RegionDownloader(
      cache, region, options: options, clock: CountingClock()
    ).run()
    #expect(failed.progress.failed == region.plan.count)
    #expect(region.plan.count > 10_000)
    server.answerOthers(200)
    let whole = try await download(cache, failed, .failed)
    #expect(whole.progress.isComplete)
    #expect(whole.progress.stored == region.plan.count)
  }

  @Test func `A name can be used once, and another is suggested`() async throws {
    let cache = try cache()
    _ = try await region(cache, "Area 1")
    await #expect(throws: TileCacheError.nameTaken("Area 1", suggestion: "Area 1 (2)")) {
      try await region(cache, "Area 1")
    }
    await #expect(throws: TileCacheError.noSuchRegion("Area 9")) {
      try await cache.store.deleteRegion(named: "Area 9")
    }
    await #expect(throws: TileCacheError.emptyRegion) {
      try await region(cache, "Nothing", .several([]))
    }
  }

  @Test(arguments: ["coast\u{E9}", "COAST\u{C9}", "Coaste\u{301}"])
  func `A name is taken by one that differs only in case or in how its accents are encoded`(
    _ name: String
  ) async throws {
    let cache = try cache()
    _ = try await region(cache, "Coast\u{E9}")
    await #expect(
      throws: TileCacheError.nameTaken("Coast\u{E9}", suggestion: "\(name) (2)")
    ) { try await region(cache, name) }
    #expect(try await cache.store.regions().count == 1)
  }

  @Test func `A region is found however the accents of its name are encoded`() async throws {
    let cache = try cache()
    let made = try await region(cache, "Caf\u{E9}")
    #expect(try await cache.store.region(named: "Cafe\u{301}").id == made.id)
    await #expect(throws: TileCacheError.noSuchRegion("caf\u{E9}")) {
      try await cache.store.region(named: "caf\u{E9}")
    }
  }

  @Test func `Two cannot work on a region at a time`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let refused = Locked<TileCacheError?>(nil)
    let finished = try await download(cache, region) { _ in
      let other = cache.store.isInUse(region)
      refused.withLock { $0 = other ? .regionInUse(region.name) : $0 }
    }
    #expect(refused.withLock { $0 } == .regionInUse("Area 1"))
    #expect(!cache.store.isInUse(finished))
  }

  @Test func `Tiles are explained`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    server.answer(path(all[1]), 500, Data())
    let finished = try await download(cache, region)
    let there = try await cache.store.explain(all[0], of: cache.config)
    #expect(there.regions == ["Area 1": .kept])
    #expect(there.stored != nil)
    let failed = try await cache.store.explain(all[1], of: cache.config)
    let failure = try await cache.store.failures(of: finished).first
    #expect(failed.regions == ["Area 1": .failed(try #require(failure))])
    let elsewhere = TileID(level: 10, row: 0, column: 0)
    let unknown = try await cache.store.explain(elsewhere, of: cache.config)
    #expect(unknown.regions.isEmpty)
    #expect(unknown.stored == nil)
  }

  @Test func `An estimate is a range around what it will be`() async throws {
    let cache = try cache()
    for column in 0..<1024 where column % 3 == 0 {
      for row in 440..<500 {
        server.answer(
          "/10/\(column)/\(row).png", 200,
          TileServerStub.picture(String(repeating: "x", count: 200)))
      }
    }
    let plan = RegionPlan(.box(west: 10, south: 10, east: 20, north: 20), levels: 9...10)
    let estimate = try await cache.estimate(plan, samples: 64)
    #expect(estimate.count == plan.count)
    #expect(estimate.sampleCount > 20)
    #expect(server.requests.count <= 64)
    let region = try await region(cache, "Real", plan.region, levels: plan.levels)
    let real = try await download(cache, region).progress.byteCount
    #expect(try #require(estimate.byteCount).contains(real))
    // The tiles examined for the estimate were not loaded in vain.
    #expect(Set(server.paths).count == server.paths.count)
  }

  @Test func `Ten million tiles begin without being listed`() async throws {
    let cache = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.policy.tileLimit = .max
    }
    let huge = TileRegion.box(west: -180, south: -60, east: 179, north: 70)
    let region = try await region(cache, "Huge", huge, levels: 0...12)
    #expect(region.plan.count > 10_000_000)
    server.answer("/6/0/20.png", 401, Data())
    await #expect(throws: TileCacheError.self) { try await download(cache, region) }
    let paused = try await cache.store.region(named: "Huge")
    #expect(paused.progress.done > 100)
    #expect(paused.progress.remaining > 10_000_000)
  }
}

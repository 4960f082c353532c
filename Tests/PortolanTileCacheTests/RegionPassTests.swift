import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// The state of a region after passes over it: its date, its failures, and its tiles.
@Suite(.temporaryDirectory) struct RegionPassTests: RegionTesting {
  private let server = TileServerStub()
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)

  private func cache() throws -> MapCache {
    try MapCache.stub(server) { $0.policy.allowsBulk = true }
  }

  private func region(_ cache: MapCache) async throws -> CachedRegion {
    try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(Self.box, levels: 7...9), now: server.now())
  }

  @Test func `A region is as of when it was whole, and of no date before`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    let last = try #require(tiles(region).last)
    server.answer(path(last), 401, Data())
    await #expect(throws: TileCacheError.self) { try await download(cache, region) }
    let paused = try await cache.store.region(named: region.name)
    #expect(paused.state == .paused && paused.updated == nil)
    server.answer(path(last))
    server.move(by: 3_600)
    let whole = try await download(cache, paused)
    #expect(whole.state == .finished && whole.updated == server.now() && whole.reason == nil)
  }

  @Test func `An update without a network leaves all as it was, and says why`() async throws {
    let cache = try cache()
    let whole = try await download(cache, try await region(cache))
    server.move(by: 86_400)
    server.fail(.offline)
    await #expect(throws: TileCacheError.transport(.offline)) {
      try await download(cache, whole, .update)
    }
    let left = try await cache.store.region(named: whole.name)
    #expect(left.state == .finished && left.updated == whole.updated)
    #expect(left.progress.failedUpdates == 0 && left.progress.isComplete)
    #expect(left.reason == TileCacheError.transport(.offline).errorDescription)
    server.fail(nil)
    let updated = try await download(cache, left, .update)
    #expect(updated.updated == server.now() && updated.reason == nil)
  }

  @Test func `Without a network fresh tiles are kept, and not listed as unchecked`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    for tile in tiles(region).suffix(4) { _ = try await cache.loadTile(at: tile) }
    server.fail(.offline)
    var options = RegionDownloader<CountingClock>.Options()
    // The download ends before it comes to them.
    options.maxConcurrentDownloads = 1
    await #expect(throws: TileCacheError.transport(.offline)) {
      try await RegionDownloader(cache, region, options: options, clock: CountingClock()).run()
    }
    let paused = try await cache.store.region(named: region.name)
    #expect(paused.progress.stored == 4 && paused.progress.failedUpdates == 0)
    #expect(try await cache.store.failures(of: paused).isEmpty)
  }

  @Test func `A tile that fails again is listed with its attempts, until it is had or absent`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    let all = tiles(region)
    for tile in all.suffix(2) { server.answer(path(tile), 500, Data()) }
    let first = try await download(cache, region)
    server.move(by: 60)
    server.answer(path(all[all.count - 2]), 404, Data())
    server.answer(path(all[all.count - 1]), 503, Data())
    let second = try await download(cache, first, .failed)
    #expect(second.progress.failed == 1 && second.progress.absent == 1)
    let failures = try await cache.store.failures(of: second)
    #expect(failures.map(\.tile) == [all[all.count - 1]] && failures.map(\.attempts) == [2])
    #expect(failures.allSatisfy { $0.reason.contains("503") && $0.time == server.now() })
    let asked = server.requests.count
    _ = try await download(cache, second)
    #expect(server.requests.count == asked)
    server.answer(path(all[all.count - 1]))
    let whole = try await download(cache, second, .failed)
    #expect(whole.progress.isComplete && whole.progress.absent == 1)
    #expect(try await cache.store.failures(of: whole).isEmpty)
  }

  @Test(arguments: 0..<5)
  func `Every clearing leaves the tiles of regions`(_ way: Int) async throws {
    let cache = try cache()
    let region = try await region(cache)
    let outside = TileID(level: 9, row: 0, column: 0)
    let whole = try await download(cache, region)
    _ = try await cache.loadTile(at: outside)
    server.move(by: 86_400)
    let source = try await cache.store.source(cache.config)
    let ground = TileRegion.several([
      Self.box, .box(west: -180, south: 84, east: -179, north: 85.05),
    ])
    let ways: [TileClearing] = [
      .everything, .olderThan(seconds: 1, now: server.now()), .source(source), .capacity(0),
      .shape(ground, levels: 0...9, source),
    ]
    let cleared = try await cache.store.clear(ways[way])
    #expect(cleared.tileCount == 1)
    #expect(cleared.byteCount == TileServerStub.picture(path(outside)).count)
    let statistics = try await cache.store.statistics()
    #expect(statistics.tileCount == region.plan.count && statistics.ambientByteCount == 0)
    #expect(statistics.pinnedByteCount == whole.progress.byteCount)
    #expect(try await cache.store.region(named: region.name).progress.isComplete)
  }
}

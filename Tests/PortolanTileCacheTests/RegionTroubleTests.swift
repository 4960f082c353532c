import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Regions whose download meets with servers that refuse or fail, and with files that others use.
@Suite(.temporaryDirectory) struct RegionTroubleTests {
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

  private func download(
    _ cache: MapCache, _ region: CachedRegion, _ pass: RegionPass = .missing,
    _ progress: @escaping @Sendable (RegionProgress) -> Void = { _ in }
  ) async throws -> CachedRegion {
    try await RegionDownloader(cache, region, clock: CountingClock()).run(pass, progress: progress)
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
          // What is not there need not be removed.
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

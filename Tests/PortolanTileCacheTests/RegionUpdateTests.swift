import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Updates of regions that are broken off, and go on later.
@Suite(.temporaryDirectory) struct RegionUpdateTests {
  private static let last = "/9/273/241.png"

  private let server = TileServerStub()

  /// A region of which an update came as far as the last tile.
  private func interrupted() async throws -> (cache: MapCache, region: CachedRegion) {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 7...9), now: server.now())
    _ = try await run(cache, region, .missing)
    server.answer(Self.last, 401)
    server.move(by: 30 * 86_400)
    await #expect(throws: TileCacheError.self) { try await run(cache, region, .update) }
    server.answer(Self.last, 200)
    return (cache, try await cache.store.region(named: "Area 1"))
  }

  private func run(
    _ cache: MapCache, _ region: CachedRegion, _ pass: RegionPass,
    progress: @escaping @Sendable (RegionProgress) -> Void = { _ in }
  ) async throws -> CachedRegion {
    var options = RegionDownloader<CountingClock>.Options()
    options.maxConcurrentDownloads = 1
    return try await RegionDownloader(cache, region, options: options, clock: CountingClock())
      .run(pass, progress: progress)
  }

  @Test func `An update that was broken off asks for the rest, and is as of its beginning`()
    async throws
  {
    let (cache, region) = try await interrupted()
    #expect(server.paths.last == Self.last)
    let (begun, asked) = (server.now(), server.requests.count)
    server.move(by: 3_600)
    let checked = Locked<[Int]>([])
    let updated = try await run(cache, region, .update) { report in
      checked.withLock { $0.append(report.checked ?? 0) }
    }
    #expect(server.paths.dropFirst(asked) == [Self.last])
    // Its progress goes on where it was.
    #expect(checked.withLock { $0.first } == region.plan.count)
    #expect(updated.updated == begun)
  }

  @Test(arguments: [21 * 86_400.0, -86_400])
  func `An update interrupted long ago, or at an unknown time, starts over`(
    _ seconds: Double
  ) async throws {
    let (cache, region) = try await interrupted()
    let asked = server.requests.count
    server.move(by: seconds)
    let updated = try await run(cache, region, .update)
    #expect(server.requests.count - asked == region.plan.count)
    #expect(updated.updated == server.now())
    server.move(by: 60)
    let again = try await run(cache, updated, .update)
    #expect(server.requests.count - asked == 2 * region.plan.count)
    #expect(again.updated == server.now())
  }

  @Test func `An update takes along what is missing in the region, is here and has not changed`()
    async throws
  {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let headers: HTTPHeaders = ["ETag": "\"a\""]
    server.answer(Self.last, 200, TileServerStub.picture("a"), headers)
    _ = try await cache.loadTile(at: TileID(level: 9, row: 241, column: 273))
    server.answer(Self.last, 304, Data(), headers)
    server.move(by: 30 * 86_400)
    let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 9...9), now: server.now())
    let updated = try await run(cache, region, .update)
    #expect(server.paths.contains(Self.last))
    #expect(updated.progress.stored == region.plan.count && updated.state == .finished)
    let statistics = try await cache.store.statistics()
    #expect(statistics.pinnedByteCount == statistics.byteCount)
  }

  @Test(arguments: [404, 422])
  func `A service that answers with a document that it has no tile takes none from a region`(
    _ code: Int
  ) async throws {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 9...9), now: server.now())
    let finished = try await run(cache, region, .missing)
    let (tile, path) = (TileID(level: 9, row: 241, column: 273), Self.last)
    server.answer(path, 200, Data(#"{"error": {"code": \#(code), "message": "none"}}"#.utf8))
    server.move(by: 30 * 86_400)
    let updated = try await run(cache, finished, .update)
    #expect(updated.progress.stored == finished.progress.stored)
    #expect(updated.progress.absent == 0 && updated.progress.failedUpdates == 1)
    let seen = try await cache.loadTile(at: tile)
    #expect(seen.tile?.data == TileServerStub.picture(path))
    #expect(seen.path == .fallback(.refused("https://h\(path)", status: code)))
  }

  @Test(arguments: [false, true])
  func `A tile that its source has emptied goes from a region only where empty tiles count`(
    _ allowsEmpty: Bool
  ) async throws {
    let cache = try MapCache.stub(server) {
      $0.policy.allowsBulk = true
      $0.allowsEmptyTiles = allowsEmpty
    }
    #expect(try MapCacheConfig(json: cache.config.json).allowsEmptyTiles == allowsEmpty)
    let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 9...9), now: server.now())
    let finished = try await run(cache, region, .missing)
    server.answer(Self.last, 204, Data())
    server.move(by: 30 * 86_400)
    let updated = try await run(cache, finished, .update)
    #expect(updated.progress.absent == (allowsEmpty ? 1 : 0))
    #expect(updated.progress.failedUpdates == (allowsEmpty ? 0 : 1))
    #expect(updated.progress.isComplete)
    let seen = try await cache.loadTile(at: TileID(level: 9, row: 241, column: 273))
    #expect((seen.tile == nil) == allowsEmpty)
    let path: LoadedTile.Path =
      allowsEmpty ? .hit : .fallback(.nothingThere("https://h\(Self.last)"))
    #expect(seen.path == path)
  }
}

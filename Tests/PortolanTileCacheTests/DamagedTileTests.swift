import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Tiles whose bytes the disk has damaged in a file that is sound otherwise.
@Suite(.temporaryDirectory) struct DamagedTileTests {
  private let server = TileServerStub()
  private let tile = TileID(level: 3, row: 2, column: 1)

  private var url: URL { temporaryDirectory.appending(path: "MapCache.sqlite") }

  @Test func `A tile whose bytes are damaged is no absence, and is whole once the server sends it`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile)
    await cache.settle()
    try damageBytes(of: tile)
    await #expect(throws: TileCacheError.notCached(tile)) {
      try await cache.loadTile(at: tile, mode: .cacheOnly)
    }
    #expect(try await cache.loadTile(at: tile).path == .fetched)
    await cache.settle()
    let mended = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(mended.tile?.data == TileServerStub.picture("/3/1/2.png"))
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
  }

  @Test func `An update of a region makes tiles whole again whose bytes are damaged`() async throws
  {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 0, south: 0, east: 50, north: 50)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 0...3), now: server.now())
    let whole = try await RegionDownloader(cache, region, clock: CountingClock()).run()
    let tile = TileID(level: 3, row: 3, column: 4)
    try damageBytes(of: tile)
    let updated = try await RegionDownloader(cache, whole, clock: CountingClock()).run(.update)
    #expect(updated.progress == whole.progress)
    let mended = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(mended.tile?.data == TileServerStub.picture("/3/4/3.png"))
  }

  private func region(_ cache: MapCache) async throws -> CachedRegion {
    let box = TileRegion.box(west: 0, south: 0, east: 50, north: 50)
    return try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 3...3), now: server.now())
  }

  @Test func `A region does not take over tiles that are here and whose bytes are damaged`()
    async throws
  {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let tiles = [TileID(level: 3, row: 3, column: 4), TileID(level: 3, row: 3, column: 5)]
    for tile in tiles { _ = try await cache.loadTile(at: tile) }
    await cache.settle()
    try damageBytes(of: tiles[0])
    let loaded = try await RegionDownloader(cache, region(cache), clock: CountingClock()).run()
    #expect(loaded.progress.isComplete && loaded.progress.failed == 0)
    let mended = try await cache.loadTile(at: tiles[0], mode: .cacheOnly)
    #expect(mended.tile?.data == TileServerStub.picture("/3/4/3.png"))
    #expect(server.paths.count { $0 == "/3/4/3.png" } == 2)
    #expect(server.paths.count { $0 == "/3/5/3.png" } == 1)
  }

  @Test func `Without a network a region takes damaged tiles over as ones to be asked for again`()
    async throws
  {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let tile = TileID(level: 3, row: 3, column: 4)
    _ = try await cache.loadTile(at: tile)
    await cache.settle()
    try damageBytes(of: tile)
    server.fail(.offline)
    let region = try await region(cache)
    _ = try? await RegionDownloader(cache, region, clock: CountingClock()).run()
    let paused = try await cache.store.region(named: "Area 1")
    #expect(paused.progress.stored == 1 && paused.progress.failedUpdates == 1)
    server.fail(nil)
    let retried = try await RegionDownloader(cache, paused, clock: CountingClock()).run(.failed)
    #expect(retried.progress.failedUpdates == 0)
    let mended = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(mended.tile?.data == TileServerStub.picture("/3/4/3.png"))
  }

  @Test func `A newer tile whose bytes are damaged gives way to that of a file`() async throws {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let whole = try await RegionDownloader(cache, region(cache), clock: CountingClock()).run()
    let file = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: file)
    server.move(by: 3_600)
    let tile = TileID(level: 3, row: 3, column: 4)
    _ = try await cache.fetchTileFromServer(at: tile)
    await cache.settle()
    try damageBytes(of: tile)
    let imported = try await cache.store.importRegion(
      from: file, named: whole.name, onConflict: .merge, now: server.now())
    #expect(imported.olderCount == 0)
    let mended = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(mended.tile?.data == TileServerStub.picture("/3/4/3.png"))
  }

  @Test func `A tile of a browsed service whose bytes are damaged is asked for again`() async throws
  {
    let config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    let store = try TileCacheStore(at: url)
    let browsed = BrowsedTileSource(SwitchedTiles(tile), as: config, store: store, now: server.now)
    _ = try await browsed.tile(at: tile)
    try await store.flush()
    try damageBytes(of: tile)
    let beside = TileID(level: tile.level, row: tile.row, column: tile.column + 1)
    #expect(await browsed.loadNeighbourhood(of: [beside], budget: 1_000_000).tileCount == 1)
    try await store.flush()
    try damageBytes(of: tile)
    #expect(try await browsed.tile(at: tile)?.data == SwitchedTiles.data)
  }

  @Test func `Without the server a tile whose bytes are damaged is called damaged, not absent`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile)
    await cache.settle()
    try damageBytes(of: tile)
    await #expect(
      throws: TileError.damagedTile(
        tile, file: "MapCache", reason: "its first bytes are those of no known format")
    ) {
      try await cache.stored.tile(at: tile)
    }
  }

  /// Overwrites the bytes of a tile, by which no page of the file is damaged.
  private func damageBytes(of tile: TileID) throws {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute(
      """
      UPDATE body SET data = zeroblob(length(data))
      WHERE id = (SELECT content FROM tile WHERE z = ?1 AND y = ?2 AND x = ?3)
      """, .integer(Int64(tile.level)), .integer(Int64(tile.row)), .integer(Int64(tile.column)))
    let count = connection.changeCount
    try #require(count == 1)
  }
}

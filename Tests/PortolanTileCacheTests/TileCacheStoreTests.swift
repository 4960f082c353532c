import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import Testing

@Suite(.temporaryDirectory) struct TileCacheStoreTests {
  private let server = TileServerStub()

  private func tile(_ column: Int) -> TileID { TileID(level: 10, row: 0, column: column) }

  private func kept(_ cache: MapCache, _ columns: Range<Int>) async throws -> [Int] {
    var found: [Int] = []
    for try await id in cache.stored.tileIDs where columns.contains(id.column) {
      found.append(id.column)
    }
    return found
  }

  /// The totals, and what they must be by the rows.
  private func expectExactAccounting(_ cache: MapCache) async throws {
    let statistics = try await cache.store.statistics()
    let connection = try Connection(at: cache.store.url, access: .readOnly)
    let query = try connection.query(
      """
      SELECT (SELECT count(*) FROM tile WHERE content IS NOT NULL),
        (SELECT coalesce(sum(size), 0) FROM content), (SELECT coalesce(sum(length(data)), 0) FROM body),
        (SELECT coalesce(sum(size), 0) FROM content
          WHERE id IN (SELECT content FROM tile WHERE pins > 0)),
        (SELECT count(*) FROM content WHERE id NOT IN
          (SELECT content FROM tile WHERE content IS NOT NULL))
      """)
    #expect(try query.step())
    #expect(statistics.tileCount == Int(query.integer(at: 0)))
    #expect(statistics.byteCount == Int(query.integer(at: 1)))
    #expect(statistics.byteCount == Int(query.integer(at: 2)))
    #expect(statistics.pinnedByteCount == Int(query.integer(at: 3)))
    #expect(query.integer(at: 4) == 0)
  }

  @Test func `The least recently used tiles make room, to the byte`() async throws {
    let size = TileServerStub.picture("/10/0/0.png").count
    let cache = try MapCache.stub(server) { $0.capacity = 3 * size }
    for column in 0..<3 { _ = try await cache.loadTile(at: tile(column)) }
    await cache.settle()
    _ = try await cache.loadTile(at: tile(0))
    _ = try await cache.loadTile(at: tile(3))
    #expect(try await kept(cache, 0..<10) == [0, 2, 3])
    #expect(try await cache.diskSize() == 3 * size)
    try await expectExactAccounting(cache)
  }

  @Test func `A smaller capacity takes effect at once`() async throws {
    let cache = try MapCache.stub(server)
    for column in 0..<9 { _ = try await cache.loadTile(at: tile(column)) }
    let size = TileServerStub.picture("/10/0/0.png").count
    try await cache.store.evict(to: 2 * size + 1)
    #expect(try await kept(cache, 0..<10) == [7, 8])
    try await cache.store.evict(to: 0)
    #expect(try await cache.diskSize() == 0)
    try await expectExactAccounting(cache)
  }

  @Test func `Equal tiles are kept and counted once`() async throws {
    let cache = try MapCache.stub(server)
    let sea = TileServerStub.picture("sea")
    for column in 0..<50 {
      server.answer("/10/\(column)/0.png", 200, sea)
      _ = try await cache.loadTile(at: tile(column))
    }
    #expect(try await cache.store.statistics().tileCount == 50)
    #expect(try await cache.diskSize() == sea.count)
    try await expectExactAccounting(cache)
  }

  @Test func `Figures stay exact through every write, overwrite and removal`() async throws {
    let cache = try MapCache.stub(server) { $0.capacity = 400 }
    var seed: UInt64 = 7
    for step in 0..<300 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let column = Int(seed >> 33) % 40
      let text = String(repeating: "x", count: Int(seed >> 40) % 30)
      let status = seed >> 60 == 3 ? 404 : 200
      server.answer("/10/\(column)/0.png", status, TileServerStub.picture(text))
      _ = try await cache.loadTile(at: tile(column), mode: .serverOnly)
      if step % 50 == 0 { try await expectExactAccounting(cache) }
    }
    #expect(try await cache.diskSize() <= 400)
    try await expectExactAccounting(cache)
  }

  @Test func `Clearing reports what it will free, and frees it`() async throws {
    let cache = try MapCache.stub(server)
    let large = String(repeating: "x", count: 100_000)
    for column in 0..<20 {
      server.answer("/10/\(column)/0.png", 200, TileServerStub.picture("\(column)" + large))
      _ = try await cache.loadTile(at: tile(column))
    }
    let bytes = try await cache.diskSize()
    let cleared = try await cache.clear()
    #expect(cleared.tileCount == 20)
    #expect(cleared.byteCount == bytes)
    #expect(cleared.fileByteCount > 1_900_000)
    #expect(cache.fileSize < 200_000)
    try await expectExactAccounting(cache)
  }

  @Test func `Clearing by age removes the older ones, and nothing of an unknown age`() async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile(0))
    server.move(by: 100)
    _ = try await cache.loadTile(at: tile(1))
    server.move(by: 10_000)
    _ = try await cache.loadTile(at: tile(2))
    server.move(by: -9_950)
    #expect(try await cache.clear(olderThan: 60).tileCount == 1)
    #expect(try await kept(cache, 0..<10) == [1, 2])
  }

  @Test func `Clearing by source and by ground leaves the rest`() async throws {
    let cache = try MapCache.stub(server)
    let other = MapCache(
      withConfig: try MapCacheConfig(
        withUrlTemplate: "https://h/{z}/{x}/{y}.png", cacheName: "Other"), store: cache.store,
      transport: server, now: server.now)
    for column in 0..<4 {
      _ = try await cache.loadTile(at: tile(column))
      _ = try await other.loadTile(at: tile(column))
    }
    let west = TileRegion.box(west: -180, south: 85, east: -179.5, north: 85.05)
    #expect(try await cache.clear(west, levels: 10...10).tileCount == 2)
    #expect(try await kept(cache, 0..<10) == [2, 3])
    #expect(try await other.clear().tileCount == 4)
    #expect(try await kept(cache, 0..<10) == [2, 3])
    #expect(try await cache.store.statistics().sources.map(\.name) == ["MapCache", "Other"])
  }

  @Test func `Hits and misses are counted`() async throws {
    let cache = try MapCache.stub(server)
    for column in [0, 1, 0, 0] { _ = try await cache.loadTile(at: tile(column)) }
    let source = try await cache.store.statistics().sources.first
    #expect(source?.hits == 2)
    #expect(source?.misses == 2)
  }

  @Test func `Caches in different folders share nothing`() async throws {
    let first = try MapCache.stub(server, file: "a/MapCache.sqlite")
    let second = try MapCache.stub(server, file: "b/MapCache.sqlite")
    _ = try await first.loadTile(at: tile(0))
    #expect(try await second.diskSize() == 0)
  }

  @Test func `Names of any kind and length are names of sources`() async throws {
    for name in ["../../etc", "'; DROP TABLE tile; --", String(repeating: "é", count: 5_000), ""] {
      let cache = try MapCache.stub(server) { $0.cacheName = name }
      _ = try await cache.loadTile(at: tile(0))
      await cache.settle()
    }
    let cache = try MapCache.stub(server)
    #expect(try await cache.store.statistics().sources.count == 4)
    #expect(
      try await cache.store.statistics().byteCount == TileServerStub.picture("/10/0/0.png").count)
  }

  @Test func `Several caches write one file at a time`() async throws {
    let caches = try (0..<4).map { _ in try MapCache.stub(server) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, cache) in caches.enumerated() {
        group.addTask {
          for column in 0..<25 {
            _ = try await cache.loadTile(at: TileID(level: 10, row: number, column: column))
          }
        }
      }
      try await group.waitForAll()
    }
    for cache in caches { await cache.settle() }
    #expect(try await caches[0].store.statistics().tileCount == 100)
    try await expectExactAccounting(caches[0])
  }

  @Test(arguments: [
    Data("this is no database at all, but a text of some length".utf8),
    Data("SQLite format 3\0".utf8) + Data(repeating: 0xFF, count: 5_000),
  ])
  func `A file that is no cache is set aside, not removed`(_ bytes: Data) async throws {
    let url = temporaryDirectory.appending(path: "MapCache.sqlite")
    try bytes.write(to: url)
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile(0))
    let aside = try #require(await cache.store.setAside)
    #expect(try Data(contentsOf: aside) == bytes)
    #expect(try await cache.store.statistics().tileCount == 1)
  }

  @Test func `Files that were set aside are listed until they are removed`() async throws {
    let url = temporaryDirectory.appending(path: "MapCache.sqlite")
    #expect(SetAsideFile.files(besideCacheAt: url).isEmpty)
    try Data("no database".utf8).write(to: url)
    let cache = try MapCache.stub(server)
    let aside = try #require(await cache.store.setAside)
    try Data("log".utf8).write(to: URL(filePath: aside.path(percentEncoded: false) + "-wal"))
    try Data("else".utf8).write(to: URL(filePath: aside.path(percentEncoded: false) + ".txt"))
    let found = SetAsideFile.files(besideCacheAt: url)
    #expect(found.map(\.url.lastPathComponent) == [aside.lastPathComponent])
    #expect(found.map(\.byteCount) == [14])
    #expect(try SetAsideFile.remove(besideCacheAt: url) == 14)
    #expect(SetAsideFile.files(besideCacheAt: url).isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path())
    #expect(names.filter { $0.contains("set-aside") } == ["MapCache.sqlite.set-aside-1.txt"])
    #expect(try await cache.store.statistics().tileCount == 0)
  }

  @Test func `The database of another program is set aside, not written`() async throws {
    let url = temporaryDirectory.appending(path: "MapCache.sqlite")
    do {
      let connection = try Connection(at: url, access: .create)
      try connection.execute("CREATE TABLE theirs (a)")
      try connection.execute("INSERT INTO theirs VALUES (42)")
    }
    let cache = try MapCache.stub(server)
    let aside = try #require(await cache.store.setAside)
    let connection = try Connection(at: aside, access: .readOnly)
    let query = try connection.query("SELECT a FROM theirs")
    #expect(try query.step())
    #expect(query.integer(at: 0) == 42)
  }

  @Test func `A cache damaged in use is set aside, and loading continues`()
    async throws
  {
    let cache = try MapCache.stub(server)
    for column in 0..<200 { _ = try await cache.loadTile(at: tile(column)) }
    // A later write would meet with the damage before the other store does.
    await cache.settle()
    do {
      let connection = try Connection(at: cache.store.url, access: .readWrite)
      try connection.emptyLog()
    }
    let file = try FileHandle(forUpdating: cache.store.url)
    let size = try file.seekToEnd()
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4_096))
    try file.close()
    let again = try MapCache.stub(server)
    #expect(try await again.loadTile(at: tile(0)).tile != nil)
    #expect(try await again.loadTile(at: tile(0)).path == .hit)
    #expect(await again.store.setAside != nil)
    _ = try await cache.loadTile(at: tile(1))
    #expect(try await cache.loadTile(at: tile(1)).path == .hit)
  }

  @Test func `Readable parts of a damaged cache are recovered, regions included`() async throws {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 0, south: 0, east: 50, north: 50)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 0...9), now: server.now())
    let whole = try await RegionDownloader(cache, region, clock: CountingClock()).run()
    let seen = TileID(level: 9, row: 400, column: 0)
    _ = try await cache.loadTile(at: seen)
    try await cache.store.flush()
    try Self.damage(cache.store.url, every: 40)
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    for tile in [seen, TileID(level: 9, row: 200, column: 300)] {
      _ = try await again.loadTile(at: tile)
    }
    var ids = Set<TileID>()
    for try await id in again.stored.tileIDs { ids.insert(id) }
    let aside = try #require(await again.store.setAside)
    #expect(FileManager.default.fileExists(atPath: aside.path(percentEncoded: false)))
    let carried = try await again.store.region(named: "Area 1")
    #expect(carried.state == .paused && carried.reason != nil)
    #expect(carried.plan == whole.plan && carried.created == whole.created)
    #expect(carried.progress.stored > whole.plan.count / 2)
    #expect(carried.progress.remaining > 0)
    let asked = server.requests.count
    let repaired = try await RegionDownloader(again, carried, clock: CountingClock()).run()
    #expect(repaired.progress == whole.progress)
    #expect(server.requests.count - asked <= carried.progress.remaining)
    let statistics = try await again.store.statistics()
    #expect(statistics.pinnedByteCount == whole.progress.byteCount)
    for tile in ids.prefix(500) {
      let path = "/\(tile.level)/\(tile.column)/\(tile.row).png"
      let loaded = try await again.loadTile(at: tile, mode: .cacheOnly)
      #expect(loaded.tile?.data == TileServerStub.picture(path))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path())
        .allSatisfy { !$0.contains(".rebuil") })
  }

  /// Overwrites some pages of a database, from the tenth on.
  private static func damage(_ url: URL, every step: Int) throws {
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.emptyLog()
    }
    let file = try FileHandle(forUpdating: url)
    let size = try file.seekToEnd()
    for page in stride(from: UInt64(40), to: size / 4_096, by: step) {
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    }
    try file.close()
  }

  @Test(arguments: [("old", "Monday", true), ("new", "Monday", false), ("old", "Tuesday", false)])
  func `That a tile has not changed is noted of the version that was asked about alone`(
    _ entityTag: String, _ lastModified: String, _ isMeant: Bool
  ) async throws {
    let cache = try MapCache.stub(server)
    let before = Date(timeIntervalSince1970: 1_000)
    let old = StoredTile(
      data: Data("old".utf8), entityTag: "old", lastModified: "Monday", fetched: before)
    try await cache.store.put(old, at: tile(0), of: cache.config, capacity: nil)
    // A requested tile may be on its way, and may not get there.
    let known = StoredTile(
      data: Data("known".utf8), entityTag: entityTag, lastModified: lastModified,
      fetched: Date(timeIntervalSince1970: 2_000), lifetime: 60)
    try await cache.store.refresh(known, at: tile(0), of: cache.config)
    let stored = try await cache.store.explain(tile(0), of: cache.config).stored
    #expect(stored?.data == old.data)
    #expect(stored?.fetched == (isMeant ? known.fetched : before))
    #expect(stored?.lifetime == (isMeant ? 60 : nil))
  }

  @Test func `A cache of a newer Portolan is left alone`() throws {
    let url = temporaryDirectory.appending(path: "MapCache.sqlite")
    _ = try TileCacheStore(at: url)
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.setUserVersion(99)
    }
    #expect(
      throws: TileCacheError.newerCache(file: url.path(percentEncoded: false), version: 99)
    ) { try TileCacheStore(at: url) }
  }
}

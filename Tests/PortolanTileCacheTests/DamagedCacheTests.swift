import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// The remainder of a cache of which a part cannot be read, or whose mending a crash has broken
/// off.
@Suite(.temporaryDirectory) struct DamagedCacheTests {
  private let server = TileServerStub()

  private var url: URL { temporaryDirectory.appending(path: "MapCache.sqlite") }

  private func file(_ suffix: String) -> URL {
    URL(filePath: url.path(percentEncoded: false) + suffix)
  }

  /// A cache with a region.
  private func filled() async throws -> (cache: MapCache, region: CachedRegion) {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 0, south: 0, east: 50, north: 50)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 0...9), now: server.now())
    return (cache, try await RegionDownloader(cache, region, clock: CountingClock()).run())
  }

  // MARK: - Setting aside

  @Test func `A log that was left behind by a crash is not that of the cache that was rebuilt`()
    async throws
  {
    let damaged = try MapCache.stub(server) { $0.cacheName = "Damaged" }
    for row in 0..<8 { _ = try await damaged.loadTile(at: TileID(level: 3, row: row, column: 0)) }
    let rebuilt = try MapCache.stub(server, { $0.cacheName = "Rebuilt" }, file: "other.sqlite")
    let tile = TileID(level: 3, row: 1, column: 1)
    _ = try await rebuilt.loadTile(at: tile)
    await damaged.settle()
    await rebuilt.settle()
    do {
      let connection = try Connection(at: rebuilt.store.url, access: .readWrite)
      try connection.emptyLog()
    }
    // The crash came after the first of the moves: the file, and not yet its log.
    let files = FileManager.default
    try files.copyItem(at: url, to: file(".set-aside-1"))
    try files.copyItem(at: file("-wal"), to: file(".log"))
    for suffix in ["", "-wal", "-shm"] { try files.removeItem(at: file(suffix)) }
    try files.moveItem(at: file(".log"), to: file("-wal"))
    try files.copyItem(at: rebuilt.store.url, to: file(".rebuilt"))
    let again = try MapCache.stub(server) { $0.cacheName = "Rebuilt" }
    #expect(try await again.store.configs().map(\.cacheName) == ["Rebuilt"])
    #expect(try await again.loadTile(at: tile, mode: .cacheOnly).path == .hit)
    #expect(await again.store.setAside == nil)
    let old = try TileCacheStore(at: file(".set-aside-1"))
    #expect(try await old.statistics().tileCount == 8)
  }

  @Test func `A cache that cannot be opened now does not pass for one that holds nothing`() throws {
    #expect(throws: DatabaseError.self) {
      _ = try TileCacheSalvage.damagedCache(at: file(".absent"))
    }
    try Data("no database at all, of which nothing can be read".utf8).write(to: file(".other"))
    guard let found = try TileCacheSalvage.damagedCache(at: file(".other")) else { return }
    Issue.record("it was opened, current: \(found.isCurrent)")
  }

  @Test func `What is set aside gets a number behind the last, though one before is free`()
    async throws
  {
    for number in [2, 3] { try Data("old".utf8).write(to: file(".set-aside-\(number)")) }
    try Data("this is no database at all, but a text of some length".utf8).write(to: url)
    let store = try TileCacheStore(at: url)
    #expect(await store.setAside?.lastPathComponent == "MapCache.sqlite.set-aside-4")
  }

  @Test func `Several processes that open a damaged cache set it aside once, and share the next`()
    async throws
  {
    let damaged = try MapCache.stub(server)
    for column in 0..<50 {
      _ = try await damaged.loadTile(at: TileID(level: 10, row: 1, column: column))
    }
    await damaged.settle()
    try damage { connection in
      let query = try connection.query("PRAGMA page_count")
      try #require(try query.step())
      return Array(2...Int(query.integer(at: 0)))
    }
    let caches = try await withThrowingTaskGroup(of: MapCache.self) { group in
      for _ in 0..<8 { group.addTask { [server] in try MapCache.stub(server) } }
      return try await group.reduce(into: [MapCache]()) { $0.append($1) }
    }
    let tiles = caches.indices.map { TileID(level: 10, row: 2, column: $0) }
    for (cache, tile) in zip(caches, tiles) {
      _ = try await cache.loadTile(at: tile)
      await cache.settle()
    }
    #expect(SetAsideFile.files(besideCacheAt: url).count == 1)
    let later = try MapCache.stub(server)
    for tile in tiles {
      #expect(try await later.loadTile(at: tile, mode: .cacheOnly).path == .hit)
    }
  }

  // MARK: - Salvage

  @Test func `Regions and their tiles are there though the sources cannot be read`() async throws {
    let (cache, region) = try await filled()
    try damage { try [rootPage(of: "source", $0)] }
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let carried = try await again.store.region(named: "Area 1")
    #expect(carried.progress == region.progress && carried.source == "MapCache")
    let source = try await again.store.source(of: carried)
    #expect(try await source.tileCounts().values.reduce(0, +) == region.progress.stored)
    // The index still knew the name; another source does not get the number.
    let other = MapCache(
      withConfig: try MapCacheConfig(withUrlTemplate: "https://o/{z}/{x}/{y}", cacheName: "Other"),
      store: again.store, transport: server, now: server.now)
    _ = try await other.loadTile(at: TileID(level: 0, row: 0, column: 0))
    #expect(try await other.stored.tileCounts() == [0: 1])
    #expect(try await again.store.source(cache.config) != other.store.source(other.config))
  }

  @Test func `Tiles kept by regions stay even if the regions cannot be read`() async throws {
    let (cache, region) = try await filled()
    let seen = TileID(level: 9, row: 400, column: 0)
    _ = try await cache.loadTile(at: seen)
    await cache.settle()
    try damage { try [rootPage(of: "region", $0)] }
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let recovered = try #require(try await again.store.regions().first)
    #expect(recovered.name == "Recovered" && recovered.state == .finished)
    #expect(recovered.progress.stored == region.progress.stored)
    #expect(recovered.progress.isComplete && recovered.plan.levels == 0...9)
    try await again.store.evict(to: 0)
    #expect(try await again.store.statistics().tileCount == region.progress.stored)
    let deleted = try await again.store.deleteRegion(named: "Recovered")
    #expect(deleted.tileCount == region.progress.stored)
  }

  @Test func `Tiles kept by regions stay even if the regions' parameters are unknown`() async throws
  {
    let (_, region) = try await filled()
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.execute("UPDATE region SET definition = ?1", .blob(Data("{}".utf8)))
    }
    try damage { try [rootPage(of: "source", $0)] }
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let recovered = try #require(try await again.store.regions().first)
    #expect(recovered.name == "Recovered" && recovered.progress.isComplete)
    #expect(recovered.progress.stored == region.progress.stored)
    try await again.store.evict(to: 0)
    #expect(try await again.store.statistics().tileCount == region.progress.stored)
  }

  @Test(.needsMounting)
  func `Where a second copy of the tiles has no room the regions are known at least`() async throws
  {
    let (_, region) = try await filled()
    try damage { try [rootPage(of: "source", $0)] }
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 16)
    let copy = disk.url.appending(path: "MapCache.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    let size = try FileStatus(at: copy)?.byteCount ?? 0
    let free = FreeSpace.byteCount(at: disk.url) ?? 0
    try Data(count: free - size / 4 * 3).write(to: disk.url.appending(path: "filling"))
    let again = try MapCache.stub(
      server, { $0.policy.allowsBulk = true }, file: "disk/MapCache.sqlite")
    #expect(await again.store.setAside != nil)
    let known = try await again.store.region(named: "Area 1")
    #expect(known.state == .paused && known.progress.stored == 0)
    #expect(known.plan.count == region.plan.count)
    #expect(disk.url.lastPathComponent == "disk", "it is mounted all the time")
  }

  @Test(.timeLimit(.minutes(5)))
  func `Recovered tiles of a fine level are listed without scanning the world`() async throws {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let box = TileRegion.box(west: 10, south: 10, east: 10.001, north: 10.001)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(box, levels: 19...19), now: server.now())
    _ = try await RegionDownloader(cache, region, clock: CountingClock()).run()
    try damage { try [rootPage(of: "region", $0)] }
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let recovered = try #require(try await again.store.regions().first)
    let states = try #require(
      try await again.store.tileStates(of: recovered, level: 19, limit: 100))
    #expect(states.count == region.plan.count && Set(states.values) == [.done])
    #expect(try await again.store.tileStates(of: recovered, level: 19, limit: 1) == nil)
  }

  @Test func `Behind a damaged page no tile is lost`() async throws {
    let (_, region) = try await filled()
    let lost = Lost()
    try damage { connection in
      let leaf = try leafPage(of: "tile", connection)
      let query = try connection.query(
        "SELECT z, y, x FROM tile WHERE id = ?1", .integer(leaf.lastRow))
      try #require(try query.step())
      lost.tile = TileID(
        level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
        column: Int(query.integer(at: 2)))
      lost.count = leaf.rowCount
      return [leaf.page]
    }
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    // The page is noticed when one of its tiles is read.
    _ = try await again.loadTile(at: lost.tile)
    #expect(await again.store.setAside != nil)
    let carried = try await again.store.region(named: "Area 1")
    #expect(lost.count > 10 && carried.state == .paused)
    #expect(carried.progress.stored == region.progress.stored - lost.count)
  }

  @Test func `A tile whose bytes are others than it had is loaded again`() async throws {
    let (_, region) = try await filled()
    try damage { try [rootPage(of: "source", $0)] }
    let picture = TileServerStub.picture("/0/0/0.png")
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: picture))
    bytes[place.lowerBound + 9] ^= 1
    try bytes.write(to: url)
    let again = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let carried = try await again.store.region(named: "Area 1")
    #expect(carried.state == .paused)
    #expect(carried.progress.stored == region.progress.stored - 1)
    let finished = try await RegionDownloader(again, carried, clock: CountingClock()).run()
    #expect(finished.progress.isComplete && server.paths.last == "/0/0/0.png")
    let tile = TileID(level: 0, row: 0, column: 0)
    #expect(try await again.loadTile(at: tile, mode: .cacheOnly).tile?.data == picture)
  }

  private final class Lost {
    var tile = TileID(level: 0, row: 0, column: 0)
    var count = 0
  }

  /// Overwrites pages of the cache.
  private func damage(_ pages: (borrowing Connection) throws -> [Int]) throws {
    var wanted: [Int] = []
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.emptyLog()
      wanted = try pages(connection)
    }
    let file = try FileHandle(forUpdating: url)
    for page in wanted {
      try file.seek(toOffset: UInt64(page - 1) * 4_096)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    }
    try file.close()
  }

  private func rootPage(of table: String, _ connection: borrowing Connection) throws -> Int {
    let query = try connection.query(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?1", .text(table))
    try #require(try query.step())
    return Int(query.integer(at: 0))
  }

  /// A page with rows in the middle of a table of two storeys.
  ///
  /// - SeeAlso: [B-tree pages](https://www.sqlite.org/fileformat2.html#b_tree_pages)
  private func leafPage(
    of table: String, _ connection: borrowing Connection
  ) throws -> (page: Int, rowCount: Int, lastRow: Int64) {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ place: Int, _ size: Int) -> Int {
      bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    }
    let root = (try rootPage(of: table, connection) - 1) * 4_096
    try #require(bytes[root] == 5)
    let middle = number(root + 3, 2) / 2
    let cell = root + number(root + 12 + 2 * middle, 2)
    let page = number(cell, 4)
    // The last row of the page is a number of seven bits a byte.
    var (lastRow, place) = (Int64(0), cell + 4)
    repeat {
      lastRow = lastRow << 7 | Int64(bytes[place] & 0x7F)
      place += 1
    } while bytes[place - 1] & 0x80 != 0
    let leaf = (page - 1) * 4_096
    try #require(bytes[leaf] == 13)
    return (page, number(leaf + 3, 2), lastRow)
  }
}

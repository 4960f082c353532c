import Foundation
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import Testing

/// The known state of regions, of their tiles and sources, and the requests that a source allows.
@Suite(.temporaryDirectory) struct RegionStateTests: RegionTesting {
  private let server = TileServerStub()
  private static let box = TileRegion.box(west: 10, south: 10, east: 12.3, north: 12.3)

  private func cache() throws -> MapCache {
    try MapCache.stub(server) { $0.policy.allowsBulk = true }
  }

  private func region(_ cache: MapCache, blank: Bool = false) async throws -> CachedRegion {
    try await cache.store.createRegion(
      named: "Area 1", of: cache.config, RegionPlan(Self.box, levels: 7...9),
      skippingBlank: blank, now: server.now())
  }

  @Test func `A region whose worker is unknown is left alone`()
    async throws
  {
    let cache = try cache()
    let region = try await region(cache)
    #expect(!cache.store.isInUse(region))
    let locks = URL(filePath: cache.store.url.path(percentEncoded: false) + ".locks")
    try? FileManager.default.removeItem(at: locks)  // where there is one
    try FileManager.default.createDirectory(at: locks, withIntermediateDirectories: false)
    #expect(cache.store.isInUse(region))
    await #expect(throws: TileCacheError.self) { try await download(cache, region) }
    await #expect(throws: TileCacheError.self) {
      try await cache.store.deleteRegion(named: region.name)
    }
    #expect(server.requests.isEmpty)
    #expect(try await cache.store.regions().map(\.state) == [.paused])
  }

  @Test func `A region whose deletion was interrupted says so until it is deleted`() async throws {
    let cache = try cache()
    let whole = try await download(cache, try await region(cache))
    func run(_ sql: String) throws {
      try Connection(at: cache.store.url, access: .readWrite).execute(sql)
    }
    try run(
      """
      CREATE TRIGGER fails BEFORE DELETE ON region
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    await #expect(throws: TileCacheError.self) {
      try await cache.store.deleteRegion(named: whole.name)
    }
    #expect(try await cache.store.region(named: whole.name).state == .deleting)
    try run("DROP TRIGGER fails")
    _ = try await cache.store.deleteRegion(named: whole.name)
    #expect(try await cache.store.regions().isEmpty)
  }

  @Test(arguments: [CachedRegion.State.importing, .deleting])
  func `A region that a process has left half there is not downloaded`(
    _ state: CachedRegion.State
  ) async throws {
    let cache = try cache()
    let region = try await region(cache)
    do {
      let connection = try Connection(at: cache.store.url, access: .readWrite)
      try connection.execute("UPDATE region SET state = ?1", .text(state.rawValue))
    }
    await #expect(throws: TileCacheError.noSuchRegion(region.name)) {
      try await download(cache, region)
    }
    #expect(try await cache.store.region(named: region.name).state == state)
    #expect(server.requests.isEmpty)
  }

  @Test func `A region whose record cannot be understood is listed, and can be deleted`()
    async throws
  {
    let cache = try cache()
    let whole = try await download(cache, try await region(cache))
    let record = Data("{}".utf8)
    do {
      let connection = try Connection(at: cache.store.url, access: .readWrite)
      try connection.execute("UPDATE region SET definition = ?1", .blob(record))
    }
    let listed = try #require(try await cache.store.regions().first)
    #expect(listed.name == whole.name && listed.isImported && listed.state == .paused)
    #expect(listed.progress.stored == whole.progress.stored && listed.progress.isComplete)
    #expect(listed.reason?.contains("newer Portolan") == true)
    await #expect(throws: TileCacheError.self) { try await download(cache, listed) }
    await #expect(throws: TileCacheError.nameTaken("Area 1", suggestion: "Area 1 (2)")) {
      try await region(cache)
    }
    let deleted = try await cache.store.deleteRegion(named: whole.name)
    #expect(deleted.tileCount == whole.progress.stored)
    #expect(try await cache.store.regions().isEmpty)
  }

  @Test(arguments: ["finished", "downloading", "updating"])
  func `A region whose source is no longer known is listed, keeps its tiles, and can be deleted`(
    _ state: String
  ) async throws {
    let cache = try cache()
    let whole = try await download(cache, try await region(cache))
    do {
      let connection = try Connection(at: cache.store.url, access: .readWrite)
      try connection.execute("DELETE FROM source")
      try connection.execute("UPDATE region SET state = ?1", .text(state))
    }
    // The process that knew the source has ended.
    let again = try self.cache()
    let listed = try #require(try await again.store.regions().first)
    #expect(listed.name == whole.name && listed.source.hasPrefix("unknown source "))
    let expected: CachedRegion.State = state == "finished" ? .finished : .paused
    #expect(listed.isImported && listed.state == expected)
    #expect(listed.progress.stored == whole.progress.stored)
    #expect(listed.reason?.contains("no longer known") == true)
    #expect(try await again.store.region(named: whole.name) == listed)
    let asked = server.requests.count
    await #expect(throws: TileCacheError.noServer(region: whole.name)) {
      try await download(again, listed)
    }
    await #expect(throws: TileCacheError.noServer(region: whole.name)) {
      try await download(again, whole)
    }
    #expect(server.requests.count == asked)
    try await again.store.evict(to: 0)
    #expect(try await again.store.statistics().tileCount == whole.progress.stored)
    let deleted = try await again.store.deleteRegion(named: whole.name)
    #expect(deleted.tileCount == whole.progress.stored)
    #expect(try await again.store.regions().isEmpty)
  }

  @Test func `A region whose source is no longer known is exported, and takes in what a file has`()
    async throws
  {
    let cache = try cache()
    let whole = try await download(cache, try await region(cache))
    do {
      let connection = try Connection(at: cache.store.url, access: .readWrite)
      try connection.execute("DELETE FROM source")
    }
    // The process that knew the source has ended.
    let store = try self.cache().store
    let file = temporaryDirectory.appending(path: "Area.mbtiles")
    #expect(
      try await store.exportRegion(named: whole.name, to: file).tileCount == whole.plan.count)
    let source = try await store.source(of: try await store.region(named: whole.name))
    #expect(source.info.summary == "The source of these tiles is no longer known.")
    #expect(source.info.declaredFormat == "png")
    let tile = tiles(whole)[3]
    #expect(try await source.tile(at: tile)?.data == TileServerStub.picture(path(tile)))
    let merged = try await store.importRegion(
      from: file, named: whole.name, onConflict: .merge, now: server.now())
    #expect(merged.tileCount == whole.plan.count)
    #expect(merged.region.progress == whole.progress && merged.region.state == .finished)
    #expect(merged.region.isImported)
  }

  @Test(arguments: [RegionPass.missing, .failed, .update])
  func `For a region that came from a file no server is asked`(_ pass: RegionPass) async throws {
    let cache = try cache()
    _ = try await download(cache, try await region(cache))
    let file = temporaryDirectory.appending(path: "Copy.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: file)
    let copy = try await cache.store.importRegion(
      from: file, onConflict: .skip, now: server.now()
    ).region
    let asked = server.requests.count
    // Neither of its own source, nor of one that has a server.
    let source = try #require(try await cache.store.config(named: copy.source))
    let own = MapCache(
      withConfig: source, store: cache.store, transport: server, now: server.now)
    for cache in [own, cache] {
      await #expect(throws: TileCacheError.noServer(region: "Copy")) {
        try await download(cache, copy, pass)
      }
    }
    #expect(server.requests.count == asked)
    #expect(try await cache.store.region(named: "Copy") == copy)
  }

  @Test func `A source is not forgotten while a region is to be had from it`() async throws {
    let cache = try cache()
    let region = try await region(cache)
    try await cache.store.forgetUnused(cache.config)
    #expect(try await cache.store.configs().map(\.cacheName) == [cache.config.cacheName])
    #expect(try await download(cache, region).progress.isComplete)
  }

  @Test func `Each tile of a level is there, blank, refused or still to come`() async throws {
    let cache = try cache()
    let sea = TileServerStub.picture("sea")
    server.answer("/17/0/0.png", 200, sea)
    let region = try await region(cache, blank: true)
    let all = tiles(region).filter { $0.level == 9 }
    func states(_ limit: Int = .max) async throws -> [TileID: RegionTileState]? {
      try await cache.store.tileStates(of: region, level: 9, limit: limit)
    }
    #expect(
      try await states()
        == Dictionary(uniqueKeysWithValues: all.map { ($0, RegionTileState.missing) }))
    server.answer(path(all[0]), 200, sea)
    server.answer(path(all[1]), 500, Data())
    server.answer(path(all[2]), 404, Data())
    _ = try await download(cache, region)
    var expected = Dictionary(
      uniqueKeysWithValues: all.map { ($0, RegionTileState.done) })
    expected[all[0]] = .blank
    expected[all[1]] = .failed
    #expect(try await states() == expected)
    #expect(try await states(all.count) == expected)
    #expect(try await states(all.count - 1) == nil)
    for level in [6, 10] {
      let none = try await cache.store.tileStates(of: region, level: level, limit: 0)
      #expect(none?.isEmpty == true)
    }
  }

  @Test(
    arguments: [
      (0, 19, nil, 0...19), (3, 12, 9, 3...9), (3, 12, 15, 3...12), (5, 12, 2, 5...5),
    ] as [(Int, Int, Int?, ClosedRange<Int>)])
  func `Regions may have the levels of their source up to the last that its operator allows`(
    _ first: Int, _ last: Int, _ allowed: Int?, _ levels: ClosedRange<Int>
  ) throws {
    var config = try MapCacheConfig(
      withUrlTemplate: "https://h/{z}/{x}/{y}.png", minimumZ: first, maximumZ: last)
    config.policy = TilePolicy(allowsBulk: true, highestBulkLevel: allowed)
    #expect(config.bulkLevels == levels)
    try config.checkBulk(RegionPlan(.box(west: 1, south: 1, east: 2, north: 2), levels: levels))
  }

  @Test(arguments: [2...4, 4...7, 2...7])
  func `A region with a level that its source lacks is refused`(
    _ levels: ClosedRange<Int>
  ) throws {
    var config = try MapCacheConfig(
      withUrlTemplate: "https://h/{z}/{x}/{y}.png", minimumZ: 3, maximumZ: 6)
    config.policy.allowsBulk = true
    let error = #expect(throws: TileCacheError.self) {
      try config.checkBulk(RegionPlan(Self.box, levels: levels))
    }
    #expect(error?.errorDescription?.contains("3 to 6") == true)
  }

  @Test func `As many tiles as are allowed are not too many`() throws {
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    let plan = RegionPlan(Self.box, levels: 7...9)
    config.policy = TilePolicy(allowsBulk: true, tileLimit: plan.count)
    try config.checkBulk(plan)
    config.policy.tileLimit -= 1
    #expect(throws: TileCacheError.tooManyTiles(count: plan.count, limit: plan.count - 1)) {
      try config.checkBulk(plan)
    }
  }
}

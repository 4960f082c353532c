import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// The source that a name or an address means.
@Suite(.temporaryDirectory) struct TileSourceNameTests {
  private let server = TileServerStub()

  private func config(_ address: String, _ template: String) throws -> MapCacheConfig {
    var config = try MapCacheConfig(withUrlTemplate: template, cacheName: "Layers")
    config.address = address
    return config
  }

  @Test func `Sources of one name that come at a time get names of their own`() async throws {
    let stores = try (0..<4).map { _ in
      try TileCacheStore(at: temporaryDirectory.appending(path: "MapCache.sqlite"))
    }
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for (number, store) in stores.enumerated() {
        let config = try config("https://h/\(number)", "https://h/\(number)/{z}/{x}/{y}")
        group.addTask {
          try await store.register(config) { $0.address == config.address }.cacheName
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(names == ["Layers", "Layers (2)", "Layers (3)", "Layers (4)"])
    let again = try config("https://h/2", "https://h/2/{z}/{x}/{y}")
    let known = try await stores[0].register(again) { $0.address == again.address }
    #expect(known.urlTemplate == again.urlTemplate)
    #expect(try await stores[1].configs().count == 4)
  }

  @Test(arguments: [
    ("https://{s}.tile.h/{z}/{x}/{y}.png", "tile.h"), ("https://{switch:b,c}.h/t/{quadkey}", "h"),
    ("https://t{0-3}.h:80/{z}/{x}/{y}", "t.h"), ("https://h/{z}/{x}/{y}", "h"),
    ("https://${s}.tile.h/${z}/${x}/${y}.png", "tile.h"),
  ])
  func `A template is called after its server, without the sub-domain in braces`(
    _ template: String, _ name: String
  ) async throws {
    let source = try await TileSourceReader(transport: server).source(at: template)
    #expect(source.cacheName == name)
  }

  @Test(arguments: [
    ("https://h", "h"), ("https://h:8080/", "h"), ("https://h/maps/tiles.json", "tiles.json"),
  ])
  func `A TileJSON without a name is called after its file, or after its server where it has none`(
    _ address: String, _ name: String
  ) async throws {
    let document = Data(#"{"tiles": ["{z}/{x}/{y}.png"], "maxzoom": 3}"#.utf8)
    let transport = StubTransport { request in .data(document, to: request) }
    let source = try await TileSourceReader(transport: transport).source(at: address)
    #expect(source.cacheName == name)
  }

  @Test func `A document without tiles at the root of a server is named by the server`() async {
    let transport = StubTransport { request in .data(Data("[]".utf8), to: request) }
    await #expect(throws: TileCacheError.badSource("h", reason: "it has no \"tiles\"")) {
      try await TileSourceReader(transport: transport).source(at: "https://h")
    }
  }

  @Test func `A source does not take the place of one at another address`() async throws {
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "MapCache.sqlite"))
    let first = try config("https://h/a", "https://h/a/{z}/{x}/{y}")
    _ = try await store.source(first)
    await #expect(throws: TileCacheError.sourceTaken("Layers")) {
      try await store.source(config("https://h/b", "https://h/b/{z}/{x}/{y}"))
    }
    #expect(try await store.config(named: "Layers")?.address == "https://h/a")
  }

  @Test(arguments: [
    "https://h/noise/{z}/{x}/{y}.png", "https://g/ok/{z}/{x}/{y}.png",
    "https://h/ok/{z}/{x}/{y}.png?style=dark",
  ])
  func `Two caches with one name and different templates keep separate tiles`(
    _ template: String
  ) async throws {
    let templates = try ["https://h/ok/{z}/{x}/{y}.png", template].map { try TileURLTemplate($0) }
    let first = try MapCache.stub(server) { $0.urlTemplate = templates[0] }
    let second = try MapCache.stub(server) { $0.urlTemplate = templates[1] }
    let tile = TileID(level: 3, row: 2, column: 1)
    server.answer("/ok/3/1/2.png", 200, TileServerStub.picture("first"))
    _ = try await first.loadTile(at: tile)
    server.answer("/ok/3/1/2.png", 200, TileServerStub.picture("second"))
    server.answer("/noise/3/1/2.png", 200, TileServerStub.picture("second"))
    let loaded = try await second.loadTile(at: tile)
    #expect(loaded.tile?.data == TileServerStub.picture("second"))
    #expect(await second.storageFailure == .sourceTaken("MapCache"))
    let kept = try await first.loadTile(at: tile, mode: .cacheOnly)
    #expect(kept.tile?.data == TileServerStub.picture("first"))
    #expect(try await second.stored.tileCounts() == [:])
    #expect(try await second.store.configs().map(\.urlTemplate) == [first.config.urlTemplate])
  }

  @Test func `A source that nothing is kept of is forgotten, another stays`() async throws {
    let cache = try MapCache.stub(server)
    let empty = try config("https://h/a", "https://h/a/{z}/{x}/{y}")
    _ = try await cache.store.source(empty)
    _ = try await cache.loadTile(at: TileID(level: 3, row: 2, column: 1))
    try await cache.store.forgetUnused(cache.config)
    try await cache.store.forgetUnused(empty)
    #expect(try await cache.store.configs().map(\.cacheName) == ["MapCache"])
  }

  @Test func `A region is on the list although another process has forgotten its source meanwhile`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "MapCache.sqlite")
    let (mine, other) = (try TileCacheStore(at: url), try TileCacheStore(at: url))
    let config = try config("https://h/a", "https://h/a/{z}/{x}/{y}")
    _ = try await mine.source(config)
    try await other.forgetUnused(config)
    // Its number may be that of another source by now.
    var next = config
    next.cacheName = "Other"
    _ = try await other.source(next)
    let plan = RegionPlan(.box(west: 10, south: 10, east: 11, north: 11), levels: 3...4)
    let region = try await mine.createRegion(named: "Area", of: config, plan, now: server.now())
    #expect(region.source == "Layers")
    #expect(try await mine.regions().map(\.name) == ["Area"])
    #expect(try await other.configs().map(\.cacheName) == ["Layers", "Other"])
    let source = try await mine.source(config)
    #expect(try await other.source(config) == source)
  }

  @Test func `Of sources at one URL the one with its name is meant`() async throws {
    let cache = try MapCache.stub(server)
    for name in ["A", "MapCache"] {
      var config = cache.config
      config.cacheName = name
      _ = try await cache.store.source(config)
    }
    let known = try await cache.store.register(cache.config) { $0.isSame(as: cache.config) }
    #expect(known.cacheName == "MapCache")
  }

  @Test func `A tile that is stored does not undo what another process has said of its source`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: TileID(level: 3, row: 0, column: 0))
    await cache.settle()
    let store = try TileCacheStore(at: cache.store.url)
    let known = try #require(try await store.config(named: cache.config.cacheName))
    let other = MapCache(withConfig: known, store: store, transport: server, now: server.now)
    var changed = cache.config
    changed.policy.allowsBulk = true
    _ = try await cache.store.source(changed)
    _ = try await other.loadTile(at: TileID(level: 3, row: 1, column: 1))
    await other.settle()
    #expect(try await store.config(named: known.cacheName)?.policy.allowsBulk == true)
    #expect(try await other.stored.tileCounts() == [3: 2])
    // The options given with the tile count.
    changed.attribution = "Us"
    let again = MapCache(withConfig: changed, store: store, transport: server, now: server.now)
    _ = try await again.loadTile(at: TileID(level: 3, row: 2, column: 2))
    await again.settle()
    #expect(try await store.config(named: known.cacheName)?.attribution == "Us")
  }

  @Test func `A source is the same with a new key`() async throws {
    let old = try MapCache.stub(server) { $0.headers = ["X-Key": "1"] }
    let tile = TileID(level: 3, row: 2, column: 1)
    _ = try await old.loadTile(at: tile)
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png?key=2")
    config.loadTileMode = .cacheOnly
    let new = MapCache(withConfig: config, store: old.store, transport: server, now: server.now)
    #expect(try await new.loadTile(at: tile).path == .hit)
    let id = try await old.store.source(config)
    #expect(try await old.store.source(old.config) == id)
  }

  @Test func `What is kept in a file that has taken the place of another is of its source`()
    async throws
  {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: TileID(level: 3, row: 0, column: 0))
    await cache.settle()
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(
        at: URL(filePath: cache.store.url.path(percentEncoded: false) + suffix))
    }
    let other = try MapCache.stub(server) { $0.cacheName = "Other" }
    _ = try await other.loadTile(at: TileID(level: 3, row: 1, column: 1))
    let tile = TileID(level: 3, row: 2, column: 2)
    _ = try await cache.loadTile(at: tile, mode: .serverOnly)
    #expect(try await other.stored.tileCounts() == [3: 1])
    #expect(try await cache.stored.tileCounts() == [3: 1])
    #expect(try await cache.loadTile(at: tile).path == .hit)
  }

  @Test func `A source that was removed has no tiles of a later one, and its own once it is back`()
    async throws
  {
    let first = try MapCache.stub(server) { $0.cacheName = "First" }
    let tile = TileID(level: 3, row: 2, column: 1)
    _ = try await first.loadTile(at: tile)
    await first.settle()
    #expect(try await first.loadTile(at: tile).path == .hit)
    let other = try MapCache.stub(server) { $0.cacheName = "Other" }
    try await other.store.removeSource(named: "First")
    server.answer("/3/1/2.png", 200, TileServerStub.picture("other"))
    _ = try await other.loadTile(at: tile)
    await other.settle()
    await #expect(throws: TileCacheError.notCached(tile)) {
      try await first.loadTile(at: tile, mode: .cacheOnly)
    }
    server.answer("/3/1/2.png", 200, TileServerStub.picture("first"))
    _ = try await first.loadTile(at: tile)
    await first.settle()
    let kept = try await first.loadTile(at: tile, mode: .cacheOnly)
    #expect(kept.tile?.data == TileServerStub.picture("first"))
  }
}

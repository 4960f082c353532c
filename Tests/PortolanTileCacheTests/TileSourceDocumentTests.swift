import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Sources whose TileJSON changes at their server.
@Suite(.temporaryDirectory) struct TileSourceDocumentTests {
  private static let day = 86_400.0
  private let server = TileServerStub()

  /// Says from now on what the document is, and that tiles are there and nowhere else.
  private func publish(_ version: String, levels: String = #""minzoom": 0, "maxzoom": 6"#) {
    let document = """
      {"tiles": ["https://h/\(version)/{z}/{x}/{y}.png"], \(levels), "attribution": "\(version)"}
      """
    server.answer("/t.json", 200, Data(document.utf8), ["ETag": "\"\(version)\""])
    server.answerOthers(404)
    for column in 0..<4 {
      server.answer("/\(version)/2/\(column)/0.png", 200, TileServerStub.picture("\(column)"))
    }
  }

  private func withdraw(_ version: String, status: Int = 404) {
    for column in 0..<4 { server.answer("/\(version)/2/\(column)/0.png", status) }
  }

  private func cache() async throws -> MapCache {
    publish("v1")
    let reader = TileSourceReader(transport: server, now: server.now)
    let config = try await reader.source(at: "https://h/t.json", named: "Sea")
    let cache = try MapCache.stub(server) { $0 = config }
    _ = try await cache.store.source(config)
    return cache
  }

  private func tile(_ column: Int) -> TileID { TileID(level: 2, row: 0, column: column) }

  private var readings: Int { server.paths.count { $0 == "/t.json" } }

  @Test(arguments: [404, 410, 403])
  func `Where tiles are refused at their addresses, they are asked for at those they have now`(
    _ status: Int
  ) async throws {
    let cache = try await cache()
    _ = try await cache.loadTile(at: tile(0))
    publish("v2")
    withdraw("v1", status: status)
    #expect(try await cache.loadTile(at: tile(1)).tile?.data == TileServerStub.picture("1"))
    #expect(cache.config.urlTemplate.text == "https://h/v2/{z}/{x}/{y}.png")
    #expect(try await cache.loadTile(at: tile(2)).tile != nil)
    #expect(readings == 2)
    // The stored tiles stay, and the next user who opens the cache knows the new addresses.
    #expect(try await cache.loadTile(at: tile(0), mode: .cacheOnly).path == .hit)
    let kept = try #require(try await cache.store.config(named: "Sea"))
    #expect(kept.urlTemplate == cache.config.urlTemplate && kept.document?.entityTag == "\"v2\"")
  }

  @Test func `A document that is read again undoes nothing that another process has said`()
    async throws
  {
    let cache = try await cache()
    let store = try TileCacheStore(at: cache.store.url)
    let known = try #require(try await store.config(named: "Sea"))
    let other = MapCache(withConfig: known, store: store, transport: server, now: server.now)
    var changed = cache.config
    changed.policy.allowsBulk = true
    _ = try await cache.store.source(changed)
    publish("v2")
    withdraw("v1")
    _ = try await other.loadTile(at: tile(1))
    await other.settle()
    let kept = try #require(try await store.config(named: "Sea"))
    #expect(kept.urlTemplate.text == "https://h/v2/{z}/{x}/{y}.png")
    #expect(kept.policy.allowsBulk && kept.attribution == "v2")
  }

  @Test func `A document is asked for once a day, whether it has changed`() async throws {
    let cache = try await cache()
    _ = try await cache.loadTile(at: tile(0))
    #expect(readings == 1)
    server.move(by: Self.day)
    server.answer("/t.json", 304)
    _ = try await cache.loadTile(at: tile(1))
    _ = try await cache.loadTile(at: tile(2))
    #expect(readings == 2)
    let request = try #require(server.requests.last { $0.url.path() == "/t.json" })
    #expect(request.headers["If-None-Match"] == "\"v1\"")
    #expect(try await cache.store.config(named: "Sea")?.document?.read == server.now())
    // Tiles that are here are no reason to ask anybody.
    server.move(by: Self.day)
    _ = try await cache.loadTile(at: tile(0), mode: .cacheOnly)
    #expect(readings == 2)
  }

  @Test func `A clock that was put back keeps no document from being read`() async throws {
    let cache = try await cache()
    server.answer("/t.json", 304)
    for number in 1...2 {
      server.move(by: -3 * Self.day)
      _ = try await cache.loadTile(at: tile(number), mode: .serverOnly)
      #expect(readings == number + 1)
      _ = try await cache.loadTile(at: tile(0), mode: .serverOnly)
      #expect(readings == number + 1)
    }
  }

  @Test func `A source that was kept is the same when it is read again`() async throws {
    publish("v1")
    server.move(by: 0.123_456_7)
    let reader = TileSourceReader(transport: server, now: server.now)
    let told = try await reader.source(at: "https://h/t.json")
    #expect(try MapCacheConfig(json: told.json) == told)
  }

  @Test func `Levels and credits follow the document unless they were set`()
    async throws
  {
    publish("v1")
    let reader = TileSourceReader(transport: server, now: server.now)
    let told = try await reader.source(at: "https://h/t.json", named: "Sea")
    let plain = try MapCache.stub(server) { $0 = told }
    var changed = told
    changed.attribution = "Me"
    changed.maximumZ = 4
    let own = try MapCache.stub(server) { [changed] in $0 = changed }
    publish("v2", levels: #""minzoom": 1, "maxzoom": 9"#)
    server.move(by: Self.day)
    for cache in [plain, own] { _ = try await cache.loadTile(at: tile(0), mode: .serverOnly) }
    #expect(plain.config.levels == 1...9 && plain.config.attribution == "v2")
    #expect(own.config.levels == 1...4 && own.config.attribution == "Me")
  }

  @Test func `Tiles that the server does not have are asked for without reading it each time`()
    async throws
  {
    let cache = try await cache()
    for row in 1...3 {
      #expect(try await cache.loadTile(at: TileID(level: 2, row: row, column: 0)).tile == nil)
    }
    #expect(readings == 2)
  }

  @Test func `Without a network the source stays as it is known`() async throws {
    let cache = try await cache()
    _ = try await cache.loadTile(at: tile(0))
    server.move(by: 30 * Self.day)
    server.fail(.offline)
    #expect(try await cache.loadTile(at: tile(0)).tile != nil)
    #expect(cache.config.urlTemplate.text == "https://h/v1/{z}/{x}/{y}.png")
    server.fail(nil)
    publish("v2")
    withdraw("v1")
    server.move(by: 61)
    #expect(try await cache.loadTile(at: tile(1)).tile != nil)
  }

  @Test func `A document that describes tiles of another kind by now changes nothing`() async throws
  {
    let cache = try await cache()
    let vectors = #"{"tiles": ["https://h/v/{z}/{x}/{y}.pbf"], "vector_layers": [{"id": "a"}]}"#
    server.answer("/t.json", 200, Data(vectors.utf8))
    server.move(by: Self.day)
    _ = try await cache.loadTile(at: tile(0))
    #expect(cache.config.urlTemplate.text == "https://h/v1/{z}/{x}/{y}.png")
    // Nor is it read with each tile that is refused.
    withdraw("v1")
    for column in 1..<4 {
      server.move(by: 600)
      _ = try await cache.loadTile(at: tile(column))
    }
    #expect(readings == 2)
    server.move(by: Self.day)
    _ = try await cache.loadTile(at: TileID(level: 2, row: 1, column: 0))
    #expect(readings == 3)
  }

  @Test func `A region whose source moves is downloaded from where it is now`() async throws {
    let cache = try await cache()
    publish("v2")
    withdraw("v1")
    var config = cache.config
    config.policy.allowsBulk = true
    let allowed = try MapCache.stub(server) { $0 = config }
    let ground = TileRegion.box(west: -179, south: 80, east: 179, north: 84)
    let plan = RegionPlan(ground, levels: 2...2)
    #expect(plan.count == 4)
    let region = try await allowed.store.createRegion(
      named: "North", of: config, plan, now: server.now())
    let done = try await RegionDownloader(allowed, region, clock: CountingClock()).run()
    #expect(done.progress.stored == 4 && done.progress.absent == 0)
  }
}

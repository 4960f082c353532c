import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite(.temporaryDirectory) struct MapCacheTests {
  private let server = TileServerStub()
  private let tile = TileID(level: 3, row: 2, column: 1)
  private let path = "/3/1/2.png"

  @Test func `A tile comes from the server, then from the cache`() async throws {
    let cache = try MapCache.stub(server)
    let first = try await cache.loadTile(at: tile)
    #expect(first.path == .fetched)
    let second = try await cache.loadTile(at: tile)
    #expect(second.path == .hit)
    #expect(second.tile?.data == TileServerStub.picture(path))
    #expect(server.requests.count == 1)
  }

  @Test func `Kept data is present when the file is opened again`() async throws {
    let cache = try MapCache.stub(server)
    _ = try await cache.loadTile(at: tile)
    await cache.settle()
    let again = try MapCache.stub(server)
    #expect(try await again.loadTile(at: tile, mode: .cacheOnly).path == .hit)
  }

  @Test func `A miss of the cache alone is a typed error`() async throws {
    let cache = try MapCache.stub(server)
    await #expect(throws: TileCacheError.notCached(tile)) {
      try await cache.loadTile(at: tile, mode: .cacheOnly)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `An old tile is asked for with its tag, and 304 makes it fresh`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(
      path, 200, TileServerStub.picture("1"),
      [
        "ETag": "\"1\"", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
        "Cache-Control": "max-age=60",
      ])
    _ = try await cache.loadTile(at: tile)
    server.move(by: 30)
    #expect(try await cache.loadTile(at: tile).path == .hit)
    server.move(by: 31)
    server.answer(path, 304)
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.path == .notModified)
    #expect(loaded.tile?.data == TileServerStub.picture("1"))
    #expect(server.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(
      server.requests.last?.headers["If-Modified-Since"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(try await cache.loadTile(at: tile).path == .hit)
  }

  @Test func `A changed tile replaces the old one`() async throws {
    let cache = try MapCache.stub(server) { $0.expiry = .fixed(seconds: 10) }
    server.answer(path, 200, TileServerStub.picture("1"), ["ETag": "1"])
    _ = try await cache.loadTile(at: tile)
    server.move(by: 11)
    server.answer(path, 200, TileServerStub.picture("22"), ["ETag": "2"])
    #expect(try await cache.loadTile(at: tile).tile?.data == TileServerStub.picture("22"))
    let statistics = try await cache.store.statistics()
    #expect(statistics.byteCount == TileServerStub.picture("22").count)
    #expect(statistics.tileCount == 1)
  }

  @Test func `304 without a tile here is asked for again without a tag`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 304)
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
  }

  @Test func `Age never bites without a network`() async throws {
    let cache = try MapCache.stub(server) { $0.expiry = .fixed(seconds: 10) }
    _ = try await cache.loadTile(at: tile)
    server.move(by: 30 * 86_400)
    server.fail(.offline)
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.path == .fallback(.transport(.offline)))
    #expect(loaded.tile != nil)
    #expect(try await cache.loadTile(at: tile, mode: .cacheOnly).path == .staleHit)
    #expect(try await cache.loadTile(at: tile, mode: .serverThenCache).tile != nil)
  }

  @Test func `The server first is asked whether its tile has changed`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, TileServerStub.picture("1"), ["ETag": "1"])
    _ = try await cache.loadTile(at: tile)
    server.answer(path, 304)
    #expect(try await cache.loadTile(at: tile, mode: .serverThenCache).path == .notModified)
    #expect(server.requests.last?.headers["If-None-Match"] == "1")
  }

  @Test func `The server alone is asked unconditionally, and what it sends is kept`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, TileServerStub.picture("1"), ["ETag": "1"])
    _ = try await cache.loadTile(at: tile)
    server.answer(path, 200, TileServerStub.picture("2"), ["ETag": "2"])
    #expect(try await cache.fetchTileFromServer(at: tile).path == .fetched)
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
    let kept = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(kept.tile?.data == TileServerStub.picture("2"))
    server.fail(.offline)
    await #expect(throws: TileCacheError.transport(.offline)) {
      try await cache.loadTile(at: tile, mode: .serverOnly)
    }
  }

  @Test func `A stale tile can be shown at once and be asked for behind it`() async throws {
    let cache = try MapCache.stub(server) {
      $0.expiry = .fixed(seconds: 10)
      $0.loadTileMode = .staleWhileRevalidate
    }
    _ = try await cache.loadTile(at: tile)
    server.move(by: 11)
    server.answer(path, 200, TileServerStub.picture("new"))
    #expect(try await cache.loadTile(at: tile).path == .staleHit)
    await cache.settle()
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.path == .hit)
    #expect(loaded.tile?.data == TileServerStub.picture("new"))
    #expect(server.requests.count == 2)
  }

  @Test func `404 is remembered for a while`() async throws {
    let cache = try MapCache.stub(server) { $0.absenceLifetime = 100 }
    server.answer(path, 404, Data())
    #expect(try await cache.loadTile(at: tile).tile == nil)
    #expect(try await cache.loadTile(at: tile).path == .hit)
    #expect(server.requests.count == 1)
    server.move(by: 101)
    server.answer(path)
    #expect(try await cache.loadTile(at: tile).tile != nil)
  }

  @Test(arguments: [("no-store", 1.0), ("no-cache", 1), ("max-age=60", 61)])
  func `A server is asked again as soon as it wants for a tile that it does not have`(
    _ directive: String, _ seconds: Double
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 404, Data(), ["Cache-Control": directive])
    #expect(try await cache.loadTile(at: tile).tile == nil)
    await cache.settle()
    server.move(by: seconds)
    server.fail(.offline)
    let offline = try await cache.loadTile(at: tile)
    #expect(offline.tile == nil && offline.path == .fallback(.transport(.offline)))
    server.fail(nil)
    server.answer(path)
    #expect(try await cache.loadTile(at: tile).tile != nil)
  }

  @Test func `That a server has no such tile is known without a network, however old that is`()
    async throws
  {
    let cache = try MapCache.stub(server) { $0.absenceLifetime = 100 }
    server.answer(path, 404, Data())
    _ = try await cache.loadTile(at: tile)
    server.move(by: 30 * 86_400)
    server.fail(.offline)
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.tile == nil && loaded.path == .fallback(.transport(.offline)))
    // A server that is there and does not tell leaves it open.
    server.fail(nil)
    server.answer(path, 500, Data("no".utf8))
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
  }

  @Test(arguments: [401, 403, 429, 500, 503, 302])
  func `An error is never kept, and leaves what is there`(_ status: Int) async throws {
    let cache = try MapCache.stub(server) { $0.expiry = .fixed(seconds: 10) }
    server.answer(path, status, Data("no".utf8))
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(try await cache.store.statistics().tileCount == 0)
    #expect(try await cache.store.statistics().absentCount == 0)
    server.answer(path)
    _ = try await cache.loadTile(at: tile)
    server.move(by: 11)
    server.answer(path, status, Data("no".utf8))
    #expect(try await cache.loadTile(at: tile).tile?.data == TileServerStub.picture("x"))
  }

  @Test(arguments: [
    (Data("<!DOCTYPE html><html>Sign in".utf8), HTTPHeaders(), "HTML"),
    (Data("nonsense".utf8), HTTPHeaders(), "format"),
    (Data(), HTTPHeaders(), "empty"),
    (
      TileServerStub.picture("x"), HTTPHeaders(dictionaryLiteral: ("Content-Type", "image/jpeg")),
      "declared"
    ),
    (
      TileServerStub.picture("x"), HTTPHeaders(dictionaryLiteral: ("Content-Length", "99")),
      "announced"
    ),
    (Data("{\"error\": {\"code\": 500, \"message\": \"x\"}}".utf8), HTTPHeaders(), "500"),
  ])
  func `A response that is no tile is refused despite the status 200`(
    _ body: Data, _ headers: HTTPHeaders, _ word: String
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, body, headers)
    let error = await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(error?.errorDescription?.contains(word) == true)
    #expect(try await cache.store.statistics().byteCount == 0)
  }

  /// Tiles that show where they end.
  private static let whole: [Data] = [
    TileServerStub.picture("x"),
    Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 40) + Data([0xFF, 0xD9, 0x0A]),
    Data("RIFF".utf8) + Data([44, 0, 0, 0]) + Data("WEBPVP8 ".utf8) + Data(repeating: 7, count: 36),
    Data([0x1F, 0x8B, 8, 0]) + Data(repeating: 0x77, count: 40) + Data([200, 0, 0, 0]),
    Data([0x1A, 40]) + Data(repeating: 7, count: 40),
  ]

  @Test(arguments: whole) func `Half a tile is refused even if its length was not announced`(
    _ tile: Data
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, tile.prefix(tile.count * 2 / 3))
    let error = await #expect(throws: TileCacheError.self) {
      try await cache.loadTile(at: self.tile)
    }
    #expect(error?.errorDescription?.contains("beginning") == true && error?.isTransient == true)
    server.answer(path, 200, tile)
    #expect(try await cache.loadTile(at: self.tile).tile?.data == tile)
  }

  @Test func `Half a tile that is here is asked for without a condition`() async throws {
    let cache = try MapCache.stub(server)
    try await cache.store.put(
      StoredTile(
        data: TileServerStub.picture("x").dropLast(6), entityTag: "1", fetched: server.now()),
      at: tile, of: cache.config, capacity: nil)
    let loaded = try await cache.loadTile(at: tile, mode: .serverThenCache)
    #expect(loaded.path == .fetched && server.requests.last?.headers["If-None-Match"] == nil)
    #expect(try await cache.loadTile(at: tile).tile?.data == TileServerStub.picture(path))
  }

  @Test func `A tile of absurd size is refused`() async throws {
    let cache = try MapCache.stub(server) { $0.tileByteLimit = 100 }
    server.answer(path, 200, TileServerStub.picture(String(repeating: "x", count: 101)))
    await #expect(throws: TileCacheError.transport(.tooLarge("https://h/3/1/2.png", limit: 100))) {
      try await cache.loadTile(at: tile)
    }
  }

  @Test func `The wrong kind of picture is refused where the source says what it has`() async throws
  {
    let cache = try MapCache.stub(server) { $0.format = .jpeg }
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
  }

  @Test func `A document of ArcGIS that asks for a sign-in is one`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, Data("{\"error\":{\"code\":498,\"message\":\"Invalid token\"}}".utf8))
    await #expect(throws: TileCacheError.signInNeeded("https://h/3/1/2.png", status: 498)) {
      try await cache.loadTile(at: tile)
    }
  }

  @Test func `A clock that goes backwards makes a tile stale, not eternal`() async throws {
    let cache = try MapCache.stub(server)
    server.move(by: 86_400 * 365)
    _ = try await cache.loadTile(at: tile)
    server.move(by: -86_400 * 365)
    server.answer(path, 304)
    #expect(try await cache.loadTile(at: tile).path == .notModified)
    #expect(try await cache.loadTile(at: tile).path == .hit)
  }

  @Test func `A request for a tile succeeds when another has just cancelled it`() async throws {
    let cache = try MapCache.stub(server)
    let tile = tile
    for _ in 0..<50 {
      let first = Task { try await cache.loadTile(at: tile, mode: .serverOnly) }
      await Task.yield()
      first.cancel()
      #expect(try await cache.loadTile(at: tile, mode: .serverOnly).tile != nil)
      _ = await first.result
    }
  }

  @Test func `A tile that no server provided leaves no source behind`() async throws {
    let cache = try MapCache.stub(server)
    server.answerOthers(500)
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(try await cache.store.configs().isEmpty)
  }

  @Test func `Simultaneous requests for one tile make one server request`() async throws {
    let cache = try MapCache.stub(server)
    let tile = tile
    try await withThrowingTaskGroup(of: LoadedTile.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.loadTile(at: tile) } }
      for try await loaded in group { #expect(loaded.tile != nil) }
    }
    #expect(server.requests.count == 1)
  }

  @Test func `Beyond the highest level its tile is answered, several levels deep`() async throws {
    let cache = try MapCache.stub(server) { $0.maximumZ = 3 }
    let loaded = try await cache.loadTile(at: TileID(level: 6, row: 20, column: 11))
    #expect(loaded.ancestor == tile)
    #expect(loaded.tile?.data == TileServerStub.picture(path))
    let strict = try MapCache.stub(server) {
      $0.maximumZ = 3
      $0.overZoomMaximumZ = false
    }
    await #expect(throws: TileCacheError.self) {
      try await strict.loadTile(at: TileID(level: 6, row: 20, column: 11))
    }
  }

  @Test func `An answer that must not be kept is shown and not kept`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, TileServerStub.picture("x"), ["Cache-Control": "no-store"])
    #expect(try await cache.loadTile(at: tile).tile != nil)
    #expect(try await cache.store.statistics().tileCount == 0)
  }
}

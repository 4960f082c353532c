import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Sources whose TileJSON lists several addresses of the same tiles.
@Suite(.temporaryDirectory) struct TileAlternativesTests {
  private let server = TileServerStub()

  private func config(_ tiles: String) throws -> MapCacheConfig {
    try MapCacheConfig(
      tileJSON: try JSONValue(parsing: Data(#"{"tiles": [\#(tiles)]}"#.utf8)),
      from: try #require(URL(string: "https://h/t.json")))
  }

  private func cache() throws -> MapCache {
    let config = try config(#""a/{z}/{x}/{y}.png", "https://h/b/{z}/{x}/{y}.png""#)
    return try MapCache.stub(server) { $0 = config }
  }

  private func tile(_ column: Int) -> TileID { TileID(level: 4, row: 0, column: column) }

  @Test func `An address that cannot be used is left out, be it the first`() throws {
    let one = #""https://h/a/{z}/{x}/{y}.png""#
    let other = #""https://h/{bbox-epsg-3857}.png""#
    let config = try config("\(other), \(one)")
    #expect(config.urlTemplate.text == "https://h/a/{z}/{x}/{y}.png")
    #expect(config.alternatives.isEmpty)
    #expect(throws: TileCacheError.self) { try self.config(other) }
  }

  @Test func `Requests are spread over all addresses, of each tile always to the same`()
    async throws
  {
    let cache = try cache()
    for column in 0..<4 { _ = try await cache.loadTile(at: tile(column), mode: .serverOnly) }
    #expect(server.paths == ["/a/4/0/0.png", "/b/4/1/0.png", "/a/4/2/0.png", "/b/4/3/0.png"])
    #expect(try cache.url(forTilePath: tile(3)).path() == "/b/4/3/0.png")
    #expect(try MapCacheConfig(json: cache.config.json) == cache.config)
  }

  @Test func `Where the server of one address fails the next is asked, and for a while first`()
    async throws
  {
    let cache = try cache()
    for column in 0..<16 { server.answer("/b/4/\(column)/0.png", 503) }
    for column in [1, 3] { #expect(try await cache.loadTile(at: tile(column)).path == .fetched) }
    #expect(server.paths == ["/b/4/1/0.png", "/a/4/1/0.png", "/a/4/3/0.png"])
    server.move(by: 61)
    // One request finds out whether it works again.
    for column in [5, 7] { _ = try await cache.loadTile(at: tile(column)) }
    #expect(server.paths.suffix(3) == ["/b/4/5/0.png", "/a/4/5/0.png", "/a/4/7/0.png"])
    server.move(by: 61)
    for column in [9, 11] {
      server.answer("/b/4/\(column)/0.png", 200)
      _ = try await cache.loadTile(at: tile(column))
    }
    #expect(server.paths.suffix(2) == ["/b/4/9/0.png", "/b/4/11/0.png"])
  }

  @Test func `What is absent at one address is asked of no other`() async throws {
    let cache = try cache()
    server.answer("/a/4/0/0.png", 404)
    #expect(try await cache.loadTile(at: tile(0)).tile == nil)
    #expect(server.paths == ["/a/4/0/0.png"])
  }

  @Test func `An address that cannot be used, or gives up encryption, is left out`() throws {
    let config = try config(
      """
      "https://h/{z}/{x}/{y}.png", "https://h/{z}/{x}/{y}.png", "http://i/{z}/{x}/{y}.png",
      "https://h/{what}.png"
      """)
    #expect(config.alternatives.isEmpty)
  }

  @Test func `Keys in any of the addresses are kept apart from the cache`() async throws {
    let config = try config(
      #""https://h/a/{z}/{x}/{y}.png?key=s3cret1", "https://h/b/{z}/{x}/{y}.png?key=s3cret2""#)
    let store = try MapCache.stub(server).store
    _ = try await store.source(config)
    let definitions = try await store.configs()
    #expect(definitions == [config])
    let keys = try Data(contentsOf: temporaryDirectory.appending(path: "MapCache.sqlite.keys"))
    #expect(String(decoding: keys, as: UTF8.self).contains("s3cret2"))
  }

  @Test func `Keys in headers go to no other server than that of the address that was given`()
    async throws
  {
    var config = try config(
      #""a/{z}/{x}/{y}.png", "https://i/b/{z}/{x}/{y}.png", "https://H:443/c/{z}/{x}/{y}.png""#)
    config.address = "https://h/t.json"
    config.headers = ["X-Key": "k", "Referer": "https://me"]
    let source = config
    let cache = try MapCache.stub(server) { $0 = source }
    for column in 0..<3 { _ = try await cache.loadTile(at: tile(column), mode: .serverOnly) }
    #expect(server.requests.map { $0.headers["X-Key"] } == ["k", nil, "k"])
    #expect(server.requests.allSatisfy { $0.headers["Referer"] == "https://me" })
  }

  @Test func `Keys in headers go to all servers of a template that was given itself`()
    async throws
  {
    var source = try MapCacheConfig(withUrlTemplate: "https://{s}.h/{z}/{x}/{y}.png")
    source.headers = ["X-Key": "k"]
    let known = source
    let cache = try MapCache.stub(server) { $0 = known }
    for column in 0..<2 { _ = try await cache.loadTile(at: tile(column), mode: .serverOnly) }
    #expect(server.requests.map { $0.url.host() } == ["a.h", "b.h"])
    #expect(server.requests.allSatisfy { $0.headers["X-Key"] == "k" })
  }

  @Test func `Sub-domains of a further address stand for something though the first has none`()
    throws
  {
    let config = try config(#""a/{z}/{x}/{y}.png", "https://{s}.h/{z}/{x}/{y}.png""#)
    #expect(try config.url(forTilePath: tile(1)).host() == "b.h")
  }
}

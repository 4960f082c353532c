import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import Testing

/// The layers of vector tiles of a source that tells none.
@Suite(.temporaryDirectory) struct FoundLayersTests {
  private let server = TileServerStub()

  /// A vector tile with one empty layer.
  private static func tile(_ layer: String) -> Data {
    let message = [0x78, 2, 0x0A, UInt8(layer.utf8.count)] + Array(layer.utf8)
    return Data([0x1A, UInt8(message.count)] + message)
  }

  private func cache() throws -> MapCache {
    try MapCache.stub(server) { $0.format = .vectorTile }
  }

  private func put(_ layer: String, at id: TileID, in cache: MapCache) async throws {
    try await cache.store.put(
      StoredTile(data: Self.tile(layer), fetched: server.now()), at: id, of: cache.config,
      capacity: nil)
  }

  private func names(_ source: some TileSource) async throws -> [String] {
    try await source.metadata()?["vector_layers"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  @Test func `Layers that arrive while tiles are served are listed together with earlier ones`()
    async throws
  {
    let cache = try cache()
    try await put("roads", at: TileID(level: 3, row: 1, column: 1), in: cache)
    #expect(try await names(cache) == ["roads"])
    try await put("water", at: TileID(level: 5, row: 1, column: 1), in: cache)
    #expect(try await names(cache) == ["roads", "water"])
    #expect(try await names(cache.stored) == ["roads", "water"])
  }

  @Test func `With many tiles each request reads some of every level, and the next continues`()
    async throws
  {
    let cache = try cache()
    for row in 0..<599 {
      try await put("roads", at: TileID(level: 10, row: row, column: 0), in: cache)
    }
    try await put("last", at: TileID(level: 10, row: 599, column: 0), in: cache)
    try await put("deep", at: TileID(level: 12, row: 0, column: 0), in: cache)
    #expect(try await names(cache) == ["deep", "roads"])
    #expect(try await !names(cache).contains("last"))
    var questions = 2
    while try await !names(cache).contains("last"), questions < 100 { questions += 1 }
    #expect(questions < 100)
    #expect(try await cache.store.statistics().sources.first?.hits == 0)
  }

  @Test
  func `An exported file names the layers of all its tiles and those that only the source lists`()
    async throws
  {
    let cache = try MapCache.stub(server) {
      $0.format = .vectorTile
      $0.policy.allowsBulk = true
      $0.vectorMetadata = ["vector_layers": [["id": "told", "fields": [:]]]]
    }
    let plan = RegionPlan(.box(west: 10, south: 10, east: 11, north: 11), levels: 3...3)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, plan, now: server.now())
    server.answer("/3/4/3.png", 200, Self.tile("roads"))
    try await RegionDownloader(cache, region, clock: CountingClock()).run()
    let url = temporaryDirectory.appending(path: "a.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let source = try #require(try TileFile.open(url).sources.first)
    #expect(try await names(source) == ["roads", "told"])
    #expect(try await names(cache) == ["told"])
  }
}

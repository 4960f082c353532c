import Foundation
import PortolanGeometry
import PortolanHTTPServer
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import PortolanTransport
import Testing

@Suite(.temporaryDirectory) struct RegionMetadataTests: RegionTesting {
  private let server = TileServerStub()

  /// A vector tile with a layer `roads` whose one feature has a text and a number.
  private static let tile: Data = {
    func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
    let feature = field(2, [0, 0, 1, 1]) + [0x18, 1] + field(4, [9, 2, 2])
    let text = field(4, field(1, Array("High Street".utf8)))
    let number = field(4, [0x20, 7])
    let layer =
      [0x78, 2] + field(1, Array("roads".utf8)) + field(2, feature)
      + field(3, Array("name".utf8)) + field(3, Array("lanes".utf8)) + text + number
    return Data(field(3, layer))
  }()

  private func vectorRegion(
    _ change: (inout MapCacheConfig) -> Void = { _ in }
  ) async throws -> MapCache {
    let cache = try MapCache.stub(
      server,
      {
        $0.policy.allowsBulk = true
        $0.format = .vectorTile
        $0.attribution = "Us"
        $0.summary = "Streets."
        change(&$0)
      })
    let plan = RegionPlan(.box(west: 10, south: 10, east: 11, north: 11), levels: 3...4)
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config, plan, now: server.now())
    for tile in tiles(region) { server.answer(path(tile), 200, Self.tile) }
    #expect(try await download(cache, region).progress.isComplete)
    return cache
  }

  private func metadata(_ url: URL) async throws -> JSONValue {
    try #require(try await TileFile.open(url).sources.first?.metadata())
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles"])
  func `An exported region names the layers and fields that its vector tiles have`(
    _ name: String
  ) async throws {
    let cache = try await vectorRegion()
    let url = temporaryDirectory.appending(path: name)
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let layer = try #require(try await metadata(url)["vector_layers"]?[0])
    #expect(layer["id"]?.string == "roads")
    #expect(layer["minzoom"]?.int == 3 && layer["maxzoom"]?.int == 4)
    #expect(layer["fields"]?["name"]?.string == "String")
    #expect(layer["fields"]?["lanes"]?.string == "Number")
  }

  @Test func `A damaged tile of a region does not hide the layers of the others from an export`()
    async throws
  {
    let cache = try await vectorRegion()
    let region = try await cache.store.region(named: "Area 1")
    let damaged = try #require(tiles(region).last)
    // Other bytes than those of the rest, with the same layer.
    server.answer(path(damaged), 200, Self.tile + Self.tile)
    _ = try await cache.loadTile(at: damaged, mode: .serverOnly)
    await cache.settle()
    let connection = try Connection(
      at: temporaryDirectory.appending(path: "MapCache.sqlite"), access: .readWrite)
    try connection.execute(
      "UPDATE body SET data = zeroblob(length(data)) WHERE length(data) = ?1",
      .integer(Int64(2 * Self.tile.count)))
    let count = connection.changeCount
    try #require(count == 1)
    let url = temporaryDirectory.appending(path: "a.mbtiles")
    let summary = try await cache.store.exportRegion(named: "Area 1", to: url)
    #expect(summary.damagedCount == 1)
    #expect(try await metadata(url)["vector_layers"]?[0]?["id"]?.string == "roads")
  }

  @Test func `Vector tiles that only they themselves show to be such are served and exported so`()
    async throws
  {
    let cache = try await vectorRegion { $0.format = nil }
    let source = try await cache.store.source(of: cache.store.region(named: "Area 1"))
    #expect(source.info.isVector)
    let url = temporaryDirectory.appending(path: "a.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    #expect(try await metadata(url)["vector_layers"]?[0]?["id"]?.string == "roads")
  }

  @Test func `A source whose tiles alone show that they are vectors is described so`()
    async throws
  {
    let fresh = try MapCache.stub(server, file: "fresh.sqlite")
    server.answer("/2/1/1.png", 200, Self.tile)
    #expect(!fresh.info.isVector)
    _ = try await fresh.tile(at: TileID(level: 2, row: 1, column: 1))
    #expect(fresh.info.isVector && fresh.config.format == nil)
    // After a restart the tiles that are here say so.
    let old = try await vectorRegion { $0.format = nil }
    let cache = MapCache(
      withConfig: old.config, store: old.store, transport: server, now: server.now)
    #expect(!cache.info.isVector)
    try await cache.learnFormat()
    let request = HTTPServerRequest(
      method: "GET", target: "/a/tiles.json", headers: ["Host": "127.0.0.1"])
    let answer = try #require(
      await TileServer([.init(name: "a", source: cache)]).respond(to: request))
    guard case .bytes(let body) = answer.body else {
      Issue.record("It has no body.")
      return
    }
    let json = try JSONValue(parsing: body)
    #expect(json["format"]?.string == "pbf")
    #expect(json["vector_layers"]?[0]?["id"]?.string == "roads")
  }

  // GDAL knows PMTiles since 3.8 only.
  @Test(.needsTool("ogrinfo"))
  func `GDAL opens an exported region with its layers`() async throws {
    let cache = try await vectorRegion()
    let url = temporaryDirectory.appending(path: "a.mbtiles")
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let result = try await Tool.runOnThread("ogrinfo", [url.path()])
    #expect(result.output.contains("roads"), "\(result.output) \(result.errors)")
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles"])
  func `A source's layer descriptions survive export and import`(
    _ name: String
  ) async throws {
    let told: JSONValue = ["vector_layers": [["id": "told", "fields": ["a": "Number"]]]]
    let cache = try await vectorRegion { $0.vectorMetadata = told }
    let url = temporaryDirectory.appending(path: name)
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    #expect(try await metadata(url)["vector_layers"] == told["vector_layers"])
    let imported = try await cache.store.importRegion(
      from: url, named: "Copy", onConflict: .skip, now: server.now())
    let source = try await cache.store.source(of: imported.region)
    #expect(source.info.attribution == "Us" && source.info.summary == "Streets.")
    #expect(try await source.metadata()?["vector_layers"] == told["vector_layers"])
    let tiles = TileServer([.init(name: "a", source: source)])
    let request = HTTPServerRequest(
      method: "GET", target: "/a/tiles.json", headers: ["Host": "127.0.0.1"])
    let response = try #require(await tiles.respond(to: request))
    guard case .bytes(let body) = response.body else { return #expect(Bool(false)) }
    let json = try JSONValue(parsing: body)
    #expect(json["vector_layers"] == told["vector_layers"])
    #expect(json["format"]?.string == "pbf" && json["description"]?.string == "Streets.")
    #expect(json["bounds"] != nil)
  }

  @Test func `A source keeps what its TileJSON says about layers`() throws {
    let json: JSONValue = [
      "tiles": ["https://h/{z}/{x}/{y}.pbf"], "name": "Streets", "description": "All of them.",
      "vector_layers": [["id": "roads", "fields": [:]]],
    ]
    let url = try #require(URL(string: "https://h/tiles.json"))
    let config = try MapCacheConfig(json: MapCacheConfig(tileJSON: json, from: url).json)
    #expect(config.summary == "All of them.")
    #expect(config.vectorMetadata?["vector_layers"] == json["vector_layers"])
  }

  @Test
  func `Ground on both sides of the antimeridian has its own middle and bounds that do not wrap`()
    async throws
  {
    let cache = try MapCache.stub(server, { $0.policy.allowsBulk = true })
    let region = try await cache.store.createRegion(
      named: "Fiji", of: cache.config,
      RegionPlan(.box(west: 176, south: -20, east: -178, north: -15), levels: 3...5),
      now: server.now())
    _ = try await download(cache, region)
    let url = temporaryDirectory.appending(path: "a.mbtiles")
    _ = try await cache.store.exportRegion(named: "Fiji", to: url)
    let info = try await cache.store.source(of: region).info
    let center = try #require(info.center)
    #expect(abs(center.x - 179) < 0.001 && abs(center.y + 17.5) < 0.2)
    let source = try #require(try TileFile.open(url).sources.first)
    let extent = try #require(source.info.fullExtent)
    #expect(extent.xMax <= 20_037_508.4 && extent.xMin >= -20_037_508.4)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.contains("179.0,-17.") || text.contains("178.9999"))
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles"], [0.3, 0.6, 0.9])
  func `A file that is cut off is not imported, or as an incomplete region`(
    _ name: String, _ part: Double
  ) async throws {
    let cache = try MapCache.stub(server, { $0.policy.allowsBulk = true })
    let region = try await cache.store.createRegion(
      named: "Area 1", of: cache.config,
      RegionPlan(.box(west: 10, south: 10, east: 30, north: 30), levels: 5...8), now: server.now())
    _ = try await download(cache, region)
    let url = temporaryDirectory.appending(path: name)
    _ = try await cache.store.exportRegion(named: "Area 1", to: url)
    let bytes = try Data(contentsOf: url)
    try bytes.prefix(Int(Double(bytes.count) * part)).write(to: url)
    do throws(TileCacheError) {
      let imported = try await cache.store.importRegion(
        from: url, named: "Copy", onConflict: .skip, now: server.now())
      #expect(imported.damagedCount > 0)
      #expect(!imported.region.progress.isComplete)
      #expect(imported.region.progress.failed == imported.damagedCount)
      #expect(imported.tileCount + imported.damagedCount == region.plan.count)
    } catch {
      #expect(try await cache.store.regions().map(\.name) == ["Area 1"])
    }
  }

  @Test func `A source is removed with its tiles, but not while a region uses it`() async throws {
    let cache = try await vectorRegion()
    let name = cache.config.cacheName
    await #expect(throws: TileCacheError.sourceInUse(name, regions: ["Area 1"])) {
      try await cache.store.removeSource(named: name)
    }
    _ = try await cache.store.deleteRegion(named: "Area 1")
    try await cache.store.removeSource(named: name)
    #expect(try await cache.store.config(named: name) == nil)
    #expect(try await cache.store.statistics().sources.isEmpty)
    #expect(try await cache.store.statistics().tileCount == 0)
  }

  @Test(arguments: [
    ("https://me:secret@h/{z}/{x}/{y}.png?token=secret", "https://h/{z}/{x}/{y}.png"),
    ("https://h/a@b/tiles.json#secret", "https://h/a@b/tiles.json"), ("nonsense", "nonsense"),
  ])
  func `An address is shown without what may be a secret`(_ address: String, _ shown: String) {
    #expect(TileURLTemplate.withoutSecrets(address) == shown)
  }
}

import Foundation
import PortolanGeometry
import PortolanHTTPServer
import PortolanJSON
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite struct TileServerTests {
  private static let tile = Tile(data: TileServerStub.picture("a"), format: .png)
  private let server: TileServer

  init() {
    let info = TileSourceInfo(
      name: "Hills & <dales>", scheme: .webMercator, levels: 2...4,
      fullExtent: Envelope(xMin: 0, yMin: 0, xMax: 1_000_000, yMax: 1_000_000),
      declaredFormat: "PNG", attribution: "Us")
    let tiles = [TileID(level: 3, row: 2, column: 5): Self.tile]
    server = TileServer([.init(name: "a b", source: InMemoryTileSource(info: info, tiles: tiles))])
  }

  private func ask(
    _ target: String, method: String = "GET", _ headers: HTTPHeaders = ["Host": "127.0.0.1:80"]
  ) async throws -> HTTPServerResponse {
    let request = HTTPServerRequest(method: method, target: target, headers: headers)
    return try #require(await server.respond(to: request))
  }

  private func body(_ response: HTTPServerResponse) -> Data {
    if case .bytes(let data) = response.body { data } else { Data() }
  }

  @Test(arguments: [
    "/a%20b/3/5/2.png", "/a%20b/3/5/2", "/a%20b/wmts/3/2/5",
    "/a%20b/wmts?Service=WMTS&Request=GetTile&TileMatrix=3&TileRow=2&TileCol=5",
  ])
  func `A tile has its bytes, its type and a tag`(_ target: String) async throws {
    let response = try await ask(target)
    #expect(response.status == 200)
    #expect(body(response) == Self.tile.data)
    #expect(response.headers["Content-Type"] == "image/png")
    let tag = try #require(response.headers["ETag"])
    let again = try await ask(target, ["Host": "localhost", "If-None-Match": tag])
    #expect(again.status == 304)
    #expect(body(again).isEmpty)
  }

  @Test(arguments: [
    ("/a%20b/3/5/3.png", 404), ("/other/tiles.json", 404), ("/a%20b/x/y/z.png", 404),
    ("/a%20b/99/0/0.png", 404), ("/a%20b/3/-1/0.png", 404), ("/%ZZ", 400),
    ("/a%20b/wmts?request=GetTile&tilematrix=x", 400), ("/a%20b/3/99999999999999999999/1", 404),
  ])
  func `What is not there is not there`(_ target: String, _ status: Int) async throws {
    #expect(try await ask(target).status == status)
  }

  @Test func `Other hosts and other methods are refused`() async throws {
    #expect(try await ask("/", ["Host": "evil.example"]).status == 403)
    #expect(try await ask("/", [:]).status == 403)
    #expect(try await ask("/", ["Host": "[::1]:80"]).status == 200)
    #expect(try await ask("/", method: "POST").status == 405)
    #expect(body(try await ask("/a%20b/3/5/2.png", method: "HEAD")).isEmpty)
  }

  @Test func `TileJSON says where the tiles are`() async throws {
    let json = try JSONValue(parsing: body(try await ask("/a%20b/tiles.json")))
    #expect(json["tiles"]?[0]?.string == "http://127.0.0.1:80/a%20b/{z}/{x}/{y}.png")
    #expect(json["minzoom"]?.int == 2)
    #expect(json["maxzoom"]?.int == 4)
    #expect(json["attribution"]?.string == "Us")
    #expect(abs((json["bounds"]?[2]?.double ?? 0) - 8.983) < 0.001)
    let index = try JSONValue(parsing: body(try await ask("/")))
    #expect(index[0]?["tilejson"]?.string == "http://127.0.0.1:80/a%20b/tiles.json")
  }

  @Test func `What is served is a source again, by TileJSON and by WMTS`() async throws {
    let server = server
    for path in ["/a%20b/tiles.json", "/a%20b/wmts"] {
      let document = body(try await ask(path))
      let reader = TileSourceReader(
        transport: StubTransport { request in .data(document, to: request) })
      let config = try await reader.source(at: "http://127.0.0.1:80\(path)")
      #expect(config.levels == 2...4)
      let url = try config.url(forTilePath: TileID(level: 3, row: 2, column: 5))
      let request = HTTPServerRequest(
        method: "GET", target: url.path(percentEncoded: true), headers: ["Host": "127.0.0.1"])
      let response = try #require(await server.respond(to: request))
      #expect(body(response) == Self.tile.data)
    }
  }
}

@Suite struct TileSourceReaderTests {
  private func source(_ document: String, at address: String) async throws -> MapCacheConfig {
    let reader = TileSourceReader(
      transport: StubTransport { request in .data(Data(document.utf8), to: request) })
    return try await reader.source(at: address)
  }

  private static let levels = """
    {"level": 0, "resolution": 156543.03392800014, "scale": 591657527.591555},
    {"level": 1, "resolution": 78271.51696399994, "scale": 295828763.795777},
    {"level": 2, "resolution": 39135.75848200009, "scale": 147914381.897889}
    """

  private func service(_ origin: String = "-20037508.342787") -> String {
    """
    {"mapName": "Relief", "copyrightText": "Us", "maxLOD": 2, "exportTilesAllowed": true,
     "tileInfo": {"rows": 256, "cols": 256, "dpi": 96, "origin": {"x": \(origin), "y": 20037508.342787},
       "spatialReference": {"wkid": 102100}, "lods": [\(Self.levels)]}}
    """
  }

  @Test func `A tiled service of ArcGIS is a source`() async throws {
    let config = try await source(service(), at: "https://h/rest/services/Relief/MapServer")
    #expect(config.cacheName == "Relief")
    #expect(config.levels == 0...2)
    #expect(config.policy.allowsBulk)
    let url = try config.url(forTilePath: TileID(level: 2, row: 1, column: 3))
    #expect(
      url.absoluteString
        == "https://h/rest/services/Relief/MapServer/tile/2/1/3?blankTile=false")
  }

  @Test func `A vector tile service of ArcGIS is a source`() async throws {
    let config = try await source(service(), at: "https://h/Roads/VectorTileServer")
    #expect(config.format == .vectorTile)
    #expect(config.tileSize == 256)
    let url = try config.url(forTilePath: TileID(level: 2, row: 1, column: 3))
    #expect(url.absoluteString == "https://h/Roads/VectorTileServer/tile/2/1/3.pbf")
  }

  @Test(arguments: ["<html>Sign in</html>", "{}", "not json", "", "<a/><b/>"])
  func `What does not describe tiles is no source`(_ document: String) async {
    await #expect(throws: TileCacheError.self) {
      try await source(document, at: "https://h/x/MapServer?token=secret")
    }
  }

  @Test func `Levels that are not those of the map of the web are refused`() async {
    await #expect(throws: TileCacheError.self) {
      try await source(service("-400"), at: "https://h/Local/MapServer")
    }
  }

  @Test func `A WMTS that names its levels with a prefix and has dimensions is a source`()
    async throws
  {
    let document = """
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1">
      <Contents><Layer><ows:Title>Topo</ows:Title><ows:Identifier>topo</ows:Identifier>
      <Style><ows:Identifier>default</ows:Identifier></Style><Format>image/png</Format>
      <Dimension><ows:Identifier>Time</ows:Identifier><Default>current</Default></Dimension>
      <TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>
      <ResourceURL format="image/png" resourceType="tile"
       template="https://h/{Style}/{Time}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"/>
      </Layer><TileMatrixSet><ows:Identifier>web</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
      <TileMatrix><ows:Identifier>EPSG:3857:3</ows:Identifier>
      <ScaleDenominator>69885283.0036</ScaleDenominator><TileWidth>256</TileWidth></TileMatrix>
      <TileMatrix><ows:Identifier>EPSG:3857:4</ows:Identifier>
      <ScaleDenominator>34942641.5018</ScaleDenominator><TileWidth>256</TileWidth></TileMatrix>
      </TileMatrixSet></Contents></Capabilities>
      """
    let config = try await source(document, at: "https://h/wmts")
    #expect(config.levels == 3...4)
    let url = try config.url(forTilePath: TileID(level: 4, row: 1, column: 3))
    #expect(url.absoluteString == "https://h/default/current/web/EPSG:3857:4/1/3.png")
    let keyed = document.replacing(/<ResourceURL[^>]*>/, with: "")
    let other = try await source(keyed, at: "https://h/wmts?request=GetCapabilities")
    let address = try other.url(forTilePath: TileID(level: 4, row: 1, column: 3)).absoluteString
    #expect(address.contains("TILEMATRIX=EPSG:3857:4&TILEROW=1&TILECOL=3"))
    #expect(address.contains("LAYER=topo"))
  }
}

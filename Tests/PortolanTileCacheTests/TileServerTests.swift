import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanHTTPServer
import PortolanJSON
import PortolanLocks
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
    "/a%20b/wmts?Request=GetTile&Layer=a%20b&TileMatrix=3&TileRow=2&TileCol=5",
    "/a%20b/wmts?REQUEST=GetTile&LAYER=a+b&TILEMATRIX=3&TILEROW=2&TILECOL=5",
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
    #expect(again.headers["Content-Length"] == "\(Self.tile.data.count)")
  }

  @Test(arguments: [
    ("/a%20b/3/5/3.png", 404), ("/other/tiles.json", 404), ("/a%20b/x/y/z.png", 404),
    ("/a%20b/99/0/0.png", 404), ("/a%20b/3/-1/0.png", 404), ("/%ZZ", 400),
    ("/a%20b/wmts?request=GetTile&tilematrix=x", 400), ("/a%20b/3/99999999999999999999/1", 404),
  ])
  func `What is not there is not there`(_ target: String, _ status: Int) async throws {
    #expect(try await ask(target).status == status)
  }

  @Test(arguments: [
    "request=Nope", "request=GetTile&tilematrix=x",
    "request=GetTile&layer=other&tilematrix=3&tilerow=2&tilecol=5",
  ])
  func `What WMTS cannot answer is an exception of the standard`(_ query: String) async throws {
    let response = try await ask("/a%20b/wmts?service=WMTS&\(query)")
    #expect(response.status == 400)
    let text = String(decoding: body(response), as: UTF8.self)
    #expect(text.contains("<ows:Exception exceptionCode=\"InvalidParameterValue\""))
  }

  @Test func `Other hosts and other methods are refused`() async throws {
    #expect(try await ask("/", ["Host": "evil.example"]).status == 403)
    #expect(try await ask("/", [:]).status == 403)
    #expect(try await ask("/", ["Host": "[::1]:80"]).status == 200)
    #expect(try await ask("/", method: "POST").status == 405)
  }

  @Test(.temporaryDirectory, .needsTool("curl"))
  func `HEAD reports the length of a tile, and sends nothing of it`() async throws {
    let http = try HTTPServer(HTTPServer.Configuration(), handler: server)
    let address = "http://127.0.0.1:\(http.port)/a%20b/3/5/2.png"
    let result = try await Tool.runOnThread(
      "curl", ["--silent", "--show-error", "--head", address])
    await http.stop()
    let lines = result.output.split(whereSeparator: \.isNewline)
    #expect(lines.first?.contains(" 200 ") == true, "\(result.errors)")
    #expect(lines.contains { $0.lowercased() == "content-length: \(Self.tile.data.count)" })
    #expect(lines.last?.contains(": ") == true)
  }

  @Test(arguments: [
    ("http://localhost:8000", true), ("https://127.0.0.1", true), ("http://[::1]:3000", true),
    ("https://evil.example", false), ("http://localhost.evil.example", false), ("null", false),
  ])
  func `Only pages of this machine may read along`(_ origin: String, _ isAllowed: Bool) async throws
  {
    let response = try await ask("/a%20b/3/5/2.png", ["Host": "127.0.0.1:80", "Origin": origin])
    #expect(response.headers["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
  }

  private func answer(
    _ tile: Tile, accepting codings: String?
  ) async throws -> HTTPServerResponse {
    let id = TileID(level: 3, row: 2, column: 5)
    let info = TileSourceInfo(
      name: "v", scheme: .webMercator, declaredFormat: tile.format.rawValue)
    var request = HTTPServerRequest(
      method: "GET", target: "/v/3/5/2", headers: ["Host": "127.0.0.1"])
    request.headers["Accept-Encoding"] = codings
    let server = TileServer([
      .init(name: "v", source: InMemoryTileSource(info: info, tiles: [id: tile]))
    ])
    return try #require(await server.respond(to: request))
  }

  @Test(
    arguments: [
      (TileFormat.gzippedVectorTile, "gzip"), (.vectorTile, nil), (.png, nil),
    ] as [(TileFormat, String?)])
  func `Only a tile that is compressed says so`(
    _ format: TileFormat, _ coding: String?
  ) async throws {
    let response = try await answer(
      Tile(data: Data([1]), format: format), accepting: "gzip, deflate, br")
    #expect(response.status == 200 && response.headers["Content-Encoding"] == coding)
    let type = format == .png ? "image/png" : "application/vnd.mapbox-vector-tile"
    #expect(response.headers["Content-Type"] == type)
  }

  @Test(arguments: [nil, "identity", "br", "gzip;q=0, *"] as [String?])
  func `A compressed tile is decompressed for clients that cannot do so`(
    _ codings: String?
  ) async throws {
    let content = Data("a vector tile".utf8)
    let tile = Tile(data: try Gzip.compress(content), format: .gzippedVectorTile)
    let plain = try await answer(tile, accepting: codings)
    #expect(plain.status == 200 && plain.headers["Content-Encoding"] == nil)
    #expect(plain.headers["Vary"] == "Accept-Encoding" && body(plain) == content)
    let packed = try await answer(tile, accepting: "gzip")
    #expect(body(packed) == tile.data && packed.headers["ETag"] != plain.headers["ETag"])
    let damaged = Tile(data: Data([1]), format: .gzippedVectorTile)
    #expect(try await answer(damaged, accepting: codings).status == 502)
  }

  @Test func `An unreadable tile is not reported as absent`() async throws {
    let id = TileID(level: 3, row: 2, column: 5)
    let tiles = SwitchedTiles(id)
    let server = TileServer([.init(name: "v", source: tiles)])
    let request = HTTPServerRequest(
      method: "GET", target: "/v/3/5/2", headers: ["Host": "127.0.0.1"])
    #expect(await server.respond(to: request)?.status == 200)
    tiles.isThere.withLock { $0 = false }
    let response = try #require(await server.respond(to: request))
    #expect(response.status == 502)
    #expect(String(decoding: body(response), as: UTF8.self).contains("it is gone"))
  }

  @Test func `TileJSON says where the tiles are`() async throws {
    let json = try JSONValue(parsing: body(try await ask("/a%20b/tiles.json")))
    #expect(json["tiles"]?[0]?.string == "http://127.0.0.1:80/a%20b/{z}/{x}/{y}.png")
    #expect(json["minzoom"]?.int == 2)
    #expect(json["maxzoom"]?.int == 4)
    #expect(json["attribution"]?.string == "Us")
    #expect(json["bounds"]?[2]?.double == 8.983_152_8)
    // The finest level at which one tile is as wide as the bounds, as far as there is such a level.
    #expect(json["center"]?[2]?.int == 4)
    let index = try JSONValue(parsing: body(try await ask("/")))
    #expect(index[0]?["tilejson"]?.string == "http://127.0.0.1:80/a%20b/tiles.json")
  }

  @Test func `What stands for itself in an address is not encoded`() async throws {
    let info = TileSourceInfo(
      name: "Set", scheme: .webMercator, levels: 0...1, declaredFormat: "PNG")
    let sets = TileServer(
      ["area-1.b_c~", "é &"].map { name in
        .init(name: name, source: InMemoryTileSource(info: info, tiles: [:]))
      })
    let request = HTTPServerRequest(
      method: "GET", target: "/", headers: ["Host": "127.0.0.1:80"])
    let index = try JSONValue(parsing: body(try #require(await sets.respond(to: request))))
    #expect(index[0]?["tilejson"]?.string == "http://127.0.0.1:80/area-1.b_c~/tiles.json")
    #expect(index[1]?["tilejson"]?.string == "http://127.0.0.1:80/%C3%A9%20%26/tiles.json")
  }

  @Test func `WMTS states which tiles of each level the extent covers`() async throws {
    let text = String(decoding: body(try await ask("/a%20b/wmts")), as: UTF8.self)
    #expect(
      text.contains(
        "<TileMatrixSet>tiles</TileMatrixSet><TileMatrixSetLimits><TileMatrixLimits>"
          + "<TileMatrix>2</TileMatrix><MinTileRow>1</MinTileRow><MaxTileRow>1</MaxTileRow>"
          + "<MinTileCol>2</MinTileCol><MaxTileCol>2</MaxTileCol></TileMatrixLimits>"))
    #expect(text.components(separatedBy: "<TileMatrixLimits>").count == 4)
  }

  @Test func `Where the extent is unknown, WMTS limits no level`() async throws {
    let info = TileSourceInfo(name: "w", scheme: .webMercator, declaredFormat: "PNG")
    let server = TileServer([.init(name: "w", source: InMemoryTileSource(info: info, tiles: [:]))])
    let request = HTTPServerRequest(
      method: "GET", target: "/w/wmts", headers: ["Host": "127.0.0.1"])
    let response = try #require(await server.respond(to: request))
    #expect(!String(decoding: body(response), as: UTF8.self).contains("TileMatrixSetLimits"))
  }

  @Test func `Tiles in degrees are described to WMTS as its standard has them`() async throws {
    let scheme = TileScheme(
      origin: Coordinate(x: -180, y: 90), spatialReference: .wgs84,
      levels: [TileScheme.Level(level: 0, resolution: 0.703125, scale: 295_497_593)])
    let info = TileSourceInfo(name: "d", scheme: scheme, declaredFormat: "PNG")
    let server = TileServer([.init(name: "d", source: InMemoryTileSource(info: info, tiles: [:]))])
    let request = HTTPServerRequest(
      method: "GET", target: "/d/wmts", headers: ["Host": "127.0.0.1"])
    let response = try #require(await server.respond(to: request))
    let text = String(decoding: body(response), as: UTF8.self)
    // The EPSG's own reference would have the latitude first.
    #expect(text.contains("<ows:SupportedCRS>urn:ogc:def:crs:OGC:1.3:CRS84</ows:SupportedCRS>"))
    #expect(text.contains("<TopLeftCorner>-180.0 90.0</TopLeftCorner>"))
    #expect(text.contains("<MatrixWidth>2</MatrixWidth><MatrixHeight>1</MatrixHeight>"))
    let parts = text.components(separatedBy: "ScaleDenominator>")
    let scale = try #require(parts.dropFirst().first.flatMap { Double($0.dropLast(2)) })
    // That of the set GoogleCRS84Quad of the standard, one level finer.
    #expect(abs(scale - 279_541_132.014_358_9) < 1, "\(scale)")
    // No web map has such tiles.
    let asked = HTTPServerRequest(
      method: "GET", target: "/d/tiles.json", headers: ["Host": "127.0.0.1"])
    #expect(await server.respond(to: asked)?.status == 404)
    let list = HTTPServerRequest(method: "GET", target: "/", headers: ["Host": "127.0.0.1"])
    let answer = try #require(await server.respond(to: list))
    #expect(try JSONValue(parsing: body(answer))[0]?["tilejson"] == .null)
    let base = try #require(URL(string: "http://127.0.0.1/"))
    let address = try #require(server.addresses(below: base).first)
    #expect(address.template == nil && address.tileJSON == nil)
    #expect(address.wmts.absoluteString == "http://127.0.0.1/d/wmts")
  }

  @Test func `Served tiles are a source again, by TileJSON and by WMTS`() async throws {
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

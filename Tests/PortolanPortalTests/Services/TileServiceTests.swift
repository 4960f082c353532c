import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

@Suite struct TileServiceTests {
  private let url = URL(string: "https://gis.example.org/rest/services/W/MapServer")!
  private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  private func service(_ transport: StubTransport) -> TileService {
    TileService(
      url: url, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  static let root: JSONValue = [
    "mapName": "World", "singleFusedMapCache": true, "minLOD": 1, "maxLOD": 9,
    "tileInfo": [
      "rows": 256, "cols": 256, "format": "PNG8", "origin": ["x": 0, "y": 0],
      "lods": [
        ["level": 0, "resolution": 4.0], ["level": 1, "resolution": 2.0],
        ["level": 2, "resolution": 1.0],
      ],
    ],
  ]

  @Test func `A tile is asked for by level, row and column`() async throws {
    let png = png
    let transport = StubTransport { .data(png, to: $0) }
    let tile = TileID(level: 7, row: 5, column: 3)
    #expect(try await service(transport).data(of: tile) == png)
    #expect(transport.requests.first?.url.path().hasSuffix("/MapServer/tile/7/5/3") == true)
  }

  @Test(arguments: [
    HTTPAnswer(404, "<html>"), HTTPAnswer(200, #"{"error":{"code":422,"message":"none"}}"#),
    HTTPAnswer(200, #"{"error":{"code":404,"message":"none"}}"#), HTTPAnswer(200, ""),
  ])
  func `A tile that is not there is none`(_ answer: HTTPAnswer) async throws {
    let transport = StubTransport { .json(answer.body, status: answer.status, to: $0) }
    let tile = TileID(level: 0, row: 0, column: 0)
    #expect(try await service(transport).data(of: tile) == nil)
  }

  @Test func `A server that cannot is not taken for one without tiles`() async {
    let transport = StubTransport { .json("", status: 503, to: $0) }
    let tile = TileID(level: 0, row: 0, column: 0)
    await #expect(throws: PortalError.self) { try await service(transport).data(of: tile) }
  }

  @Test func `A tile map lists the tiles that exist`() async throws {
    let body = """
      {"adjusted":true,"location":{"left":10,"top":4,"width":2,"height":2},"valid":true,
      "data":[1,0,0,1]}
      """
    let transport = StubTransport { .json(body, to: $0) }
    let corner = TileID(level: 5, row: 4, column: 10)
    let map = try #require(try await service(transport).tileMap(at: corner, width: 9999))
    #expect(map.tiles == [corner, TileID(level: 5, row: 5, column: 11)])
    #expect(map.contains(TileID(level: 5, row: 4, column: 11)) == false)
    #expect(map.contains(TileID(level: 5, row: 6, column: 11)) == nil)
    #expect(transport.requests.first?.url.path().hasSuffix("/tilemap/5/4/10/1024/32") == true)
  }

  @Test(arguments: [
    #"{"valid":true,"location":{"left":0,"top":0,"width":2,"height":2},"data":[1]}"#,
    #"{"location":{"left":0,"top":0,"width":99999999,"height":2},"data":[1,1]}"#,
    #"{"location":{"left":-1,"top":0,"width":1,"height":1},"data":[1]}"#,
    #"{"location":{"left":9223372036854775807,"top":0,"width":1,"height":1},"data":[1]}"#,
    #"{"data":"x"}"#,
  ])
  func `A tile map whose parts do not fit is refused`(_ body: String) async {
    let transport = StubTransport { .json(body, to: $0) }
    await #expect(throws: PortalError.self) {
      try await service(transport).tileMap(at: TileID(level: 0, row: 0, column: 0))
    }
  }

  @Test(arguments: [#"{"valid":false}"#, #"{"error":{"code":422,"message":"No tiles"}}"#])
  func `Where there are no tiles there is no map`(_ body: String) async throws {
    let transport = StubTransport { .json(body, to: $0) }
    let corner = TileID(level: 0, row: 0, column: 0)
    #expect(try await service(transport).tileMap(at: corner) == nil)
  }

  @Test func `A service is a source of tiles`() async throws {
    let png = png
    let transport = StubTransport { request in
      request.url.path().contains("/tile/2/0/0")
        ? .data(Data("nonsense".utf8), to: request)
        : request.url.path().contains("/tile/")
          ? .data(png, to: request) : .json(Self.root.text(), to: request)
    }
    let service = service(transport)
    let source = try #require(ServiceTileSource(service, info: try await service.info()))
    #expect(source.info.levels == 1...2 && source.info.name == "World")
    #expect(source.info.declaredFormat == "PNG8")
    let tile = try await source.tile(at: TileID(level: 1, row: 0, column: 0))
    #expect(tile == Tile(data: png, format: .png))
    await #expect(throws: TileError.self) {
      try await source.tile(at: TileID(level: 2, row: 0, column: 0))
    }
  }

  @Test func `A redrawn map has no tiles`() async {
    let transport = StubTransport { .json(#"{"mapName":"x","layers":[]}"#, to: $0) }
    await #expect(throws: PortalError.self) { try await service(transport).info() }
  }
}

/// An answer of a server, for tables of tests.
struct HTTPAnswer: Sendable {
  let status: Int
  let body: String

  init(_ status: Int, _ body: String) {
    self.status = status
    self.body = body
  }
}

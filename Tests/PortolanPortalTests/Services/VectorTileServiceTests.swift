import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

@Suite struct VectorTileServiceTests {
  private let url = URL(string: "https://gis.example.org/rest/services/V/VectorTileServer")!

  private func service(_ transport: StubTransport) -> VectorTileService {
    VectorTileService(
      url: url, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  private func index(_ json: String) async throws -> VectorTileIndex {
    let transport = StubTransport { .json(#"{"index":\#(json)}"#, to: $0) }
    return try #require(try await service(transport).tileIndex())
  }

  @Test func `The tree says what there is of a tile`() async throws {
    let index = try await index("[1,0,[0,1,0,0],[1]]")
    func availability(_ level: Int, _ row: Int, _ column: Int) -> VectorTileIndex.Availability {
      index.availability(of: TileID(level: level, row: row, column: column))
    }
    #expect(availability(0, 0, 0) == .present)
    #expect(availability(1, 0, 0) == .present)
    #expect(availability(1, 0, 1) == .absent)
    #expect(availability(2, 2, 1) == .present)
    #expect(availability(2, 3, 1) == .absent)
    #expect(availability(2, 2, 2) == .present)
    #expect(availability(2, 2, 3) == .absent)
    let northWest = TileID(level: 1, row: 0, column: 0)
    #expect(availability(5, 7, 9) == .within(northWest))
    #expect(availability(-1, 0, 0) == .absent && availability(99, 0, 0) == .absent)
  }

  @Test func `A tree deeper than any tile is cut`() async throws {
    let deep = String(repeating: "[", count: 400) + "1" + String(repeating: "]", count: 400)
    let index = try await index(deep)
    #expect(index.availability(of: TileID(level: 32, row: 0, column: 0)) == .present)
  }

  @Test func `An invalid tree is refused, and an empty one is none`() async throws {
    let other = StubTransport { .json("{}", to: $0) }
    await #expect(throws: PortalError.self) { try await service(other).tileIndex() }
    let none = StubTransport { .json("", status: 404, to: $0) }
    #expect(try await service(none).tileIndex() == nil)
  }

  @Test func `The addresses of a style are relative to it`() async throws {
    let style: JSONValue = [
      "version": 8, "sprite": "../sprites/sprite", "glyphs": "../fonts/{fontstack}/{range}.pbf",
      "sources": [
        "esri": ["type": "vector", "url": "../../"], "bad": ["type": "vector", "url": "file:///x"],
        "image": ["type": "raster", "url": "../../"],
      ], "layers": [],
    ]
    let transport = StubTransport { request in
      let path = request.url.path()
      return path.hasSuffix(".png")
        ? .data(Data([9]), to: request)
        : .json(path.hasSuffix("root.json") ? style.text() : #"{"pin":{}}"#, to: request)
    }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let info = try #require(MapServiceInfo(json: TileServiceTests.root))
    let loaded = try await service(transport).defaultStyle(info)
    let base = "https://gis.example.org/rest/services/V/VectorTileServer"
    #expect(loaded.url.absoluteString == "\(base)/resources/styles/root.json")
    #expect(
      loaded.sourceURLs.mapValues(\.absoluteString)
        == ["esri": "\(base)/", "image": "\(base)/"])
    #expect(
      loaded.spriteURLs.map { "\($0.id) \($0.url.absoluteString)" }
        == ["default \(base)/resources/sprites/sprite"])
    #expect(
      loaded.glyphsURL(of: "Arial Bold", from: 512)?.absoluteString
        == "\(base)/resources/fonts/Arial%20Bold/512-767.pbf")
    let sprite = try #require(try await loaded.sprites(isDouble: true, client: client).first)
    #expect(sprite.index["pin"] != nil && sprite.image == Data([9]))
    #expect(transport.requests.last?.url.path().hasSuffix("/sprite@2x.png") == true)
  }

  @Test func `Of several icon sheets those present are used`() async throws {
    let style: JSONValue = [
      "version": 8, "sources": [:], "layers": [],
      "sprite": [
        ["id": "default", "url": "../sprites/a"], ["id": "more", "url": "../sprites/b"],
        ["id": "gone", "url": "../sprites/c"], ["id": "elsewhere", "url": "file:///d"],
      ],
    ]
    let transport = StubTransport { request in
      let path = request.url.path()
      // Only the first sheet has icons for dense screens, and the last is not there.
      if path.contains("/c") || path.contains("/b@2x") {
        return .json("", status: 404, to: request)
      }
      return path.hasSuffix(".png")
        ? .data(Data(path.utf8), to: request)
        : .json(path.hasSuffix("root.json") ? style.text() : #"{"pin":{}}"#, to: request)
    }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let info = try #require(MapServiceInfo(json: TileServiceTests.root))
    let loaded = try await service(transport).defaultStyle(info)
    let sprites = try await loaded.sprites(isDouble: true, client: client)
    #expect(sprites.map(\.id) == ["default", "more"])
    let images = sprites.map { String(decoding: $0.image, as: UTF8.self) }
    #expect(images.map { $0.hasSuffix("@2x.png") } == [true, false])
  }

  @Test func `An invalid style is refused`() async {
    let transport = StubTransport { .json(#"{"layers":[]}"#, to: $0) }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    await #expect(throws: PortalError.self) { try await ServiceStyle.load(url, client: client) }
  }
}

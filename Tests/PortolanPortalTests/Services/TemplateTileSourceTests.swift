import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

/// Tiles of servers that are no ArcGIS servers, as styles describe them.
@Suite struct TemplateTileSourceTests {
  @Test(arguments: [
    (0, 22, 0...22), (24, 24, 23...23), (30, 5, 23...23), (-3, 99, 0...23), (7, 2, 7...7),
  ])
  func `Levels that cannot be are not believed`(
    _ first: Int, _ last: Int, _ levels: ClosedRange<Int>
  ) throws {
    let document: JSONObject = [
      "tiles": ["https://h/{z}/{x}/{y}.pbf"], "minzoom": .integer(Int64(first)),
      "maxzoom": .integer(Int64(last)),
    ]
    let client = RESTClient(
      transport: StubTransport { .json("{}", to: $0) }, authenticator: AnonymousAuthenticator())
    let source = try #require(
      TemplateTileSource(tileJSON: document, name: "roads", isVector: true, client: client))
    #expect(source.info.levels == levels)
  }

  @Test(
    arguments: [
      ([-180, 0, 0, 90], true), ([0, 0, 0, 0], false), ([10, 5, -10, 8], false), ([1, 2], false),
      (["west", 0, 1, 1], false), (.null, false),
    ] as [(JSONValue, Bool)])
  func `Tiles lie within the bounds of their document, if those are any`(
    _ bounds: JSONValue, _ isLimited: Bool
  ) throws {
    let document: JSONObject = ["tiles": ["https://h/{z}/{x}/{y}.pbf"], "bounds": bounds]
    let client = RESTClient(
      transport: StubTransport { .json("{}", to: $0) }, authenticator: AnonymousAuthenticator())
    let source = try #require(
      TemplateTileSource(tileJSON: document, name: "roads", isVector: true, client: client))
    #expect((source.info.fullExtent != nil) == isLimited)
    guard let extent = source.info.fullExtent else { return }
    let edges = [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    for (edge, expected) in zip(edges, [-20_037_508.34, 0, 0, 20_037_508.34]) {
      #expect(abs(edge - expected) < 10)
    }
  }
}

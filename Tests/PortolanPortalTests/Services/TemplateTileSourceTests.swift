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
}

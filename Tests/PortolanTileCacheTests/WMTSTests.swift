import Foundation
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Capabilities of WMTS as servers write them.
@Suite struct WMTSTests {
  /// The scale denominators of level 0 with pixels of 0.28 mm, and of 96 dpi.
  private static let standard = 559_082_264.028_717_8
  private static let of96DPI = 591_657_527.591_555

  /// A level with so many columns and rows.
  private func matrix(
    _ level: Int, scale: Double = standard, side: Int? = nil, tile: Int = 256
  ) -> String {
    let size = side.map {
      "<MatrixWidth>\($0)</MatrixWidth><MatrixHeight>\($0)</MatrixHeight>"
    }
    return """
      <TileMatrix><ows:Identifier>\(level)</ows:Identifier>
      <ScaleDenominator>\(scale / Double(1 << level))</ScaleDenominator>
      <TopLeftCorner>-20037508.3428 20037508.3428</TopLeftCorner>
      <TileWidth>\(tile)</TileWidth><TileHeight>\(tile)</TileHeight>\(size ?? "")</TileMatrix>
      """
  }

  private func capabilities(
    _ matrices: [String], reference: String = "urn:ogc:def:crs:EPSG::3857", dimensions: String = ""
  ) -> String {
    """
    <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:xlink="x" xmlns:ows="o">
    <Contents><Layer><ows:Identifier>topo</ows:Identifier>
    <Style><ows:Identifier>day</ows:Identifier></Style><Format>image/png</Format>\(dimensions)
    <TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>
    </Layer><TileMatrixSet><ows:Identifier>web</ows:Identifier>
    <ows:SupportedCRS>\(reference)</ows:SupportedCRS>
    \(matrices.joined())</TileMatrixSet></Contents></Capabilities>
    """
  }

  private func source(_ document: String) async throws -> MapCacheConfig {
    let reader = TileSourceReader(
      transport: StubTransport { request in .data(Data(document.utf8), to: request) })
    return try await reader.source(at: "https://h/wmts?request=GetCapabilities")
  }

  @Test func `Scales for 96 dpi are read where each level has the tiles of the whole world`()
    async throws
  {
    let world = (0...6).map { matrix($0, scale: Self.of96DPI, side: 1 << $0) }
    let config = try await source(capabilities(world))
    #expect(config.levels == 0...6)
    let url = try config.url(forTilePath: TileID(level: 6, row: 1, column: 3))
    #expect(url.absoluteString.contains("TILEMATRIX=6&TILEROW=1&TILECOL=3"))
  }

  @Test(arguments: [nil, 61])
  func `Scales for 96 dpi are refused with the reason where it is unclear what they mean`(
    _ side: Int?
  ) async throws {
    await #expect(
      throws: TileCacheError.badSource(
        "https://h/wmts",
        reason:
          "its scale denominators are not those of Web Mercator, and its levels are not those of "
          + "the whole world, so that it is unclear which they are")
    ) {
      try await source(capabilities([matrix(6, scale: Self.of96DPI, side: side)]))
    }
  }

  @Test func `Why a WMTS is none of Web Mercator is named`() async throws {
    let matrices = [matrix(3)]
    await #expect(
      throws: TileCacheError.badSource(
        "https://h/wmts",
        reason: "none of its tile matrix sets is in Web Mercator; they are in EPSG:25832")
    ) {
      try await source(capabilities(matrices, reference: "EPSG:25832"))
    }
    let corner = capabilities(matrices).replacing("-20037508.3428 ", with: "420000 ")
    await #expect(
      throws: TileCacheError.badSource(
        "https://h/wmts",
        reason: "its tiles are not counted from the north-western corner of Web Mercator")
    ) {
      try await source(corner)
    }
  }

  /// A document whose layer has tiles in sets, of the others that there are in none.
  private func capabilities(linking names: [String], of sets: [(String, [String])]) -> String {
    let links = names.map {
      "<TileMatrixSetLink><TileMatrixSet>\($0)</TileMatrixSet></TileMatrixSetLink>"
    }
    let written = sets.map { name, matrices in
      """
      <TileMatrixSet><ows:Identifier>\(name)</ows:Identifier><ows:SupportedCRS>
      EPSG:\(name.hasPrefix("web") ? 3_857 : 4_326)</ows:SupportedCRS>\(matrices.joined())</TileMatrixSet>
      """
    }
    return """
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:xlink="x" xmlns:ows="o">
      <Contents><Layer><ows:Identifier>topo</ows:Identifier><Format>image/png</Format>
      \(links.joined())</Layer>\(written.joined())</Contents></Capabilities>
      """
  }

  @Test func `Of several sets in Web Mercator the one with the finest levels is taken`()
    async throws
  {
    let sets = [
      ("web-5", (0...5).map { matrix($0) }), ("web-9", (0...9).map { matrix($0) }),
      ("web-7", (0...7).map { matrix($0) }), ("web-12", (0...12).map { matrix($0) }),
    ]
    let config = try await source(capabilities(linking: ["web-5", "web-9", "web-7"], of: sets))
    #expect(config.levels == 0...9)
    #expect(config.urlTemplate.text.contains("TILEMATRIXSET=web-9&"))
  }

  @Test func `A layer that is not in Web Mercator is refused with the references of its own sets`()
    async throws
  {
    let sets = [("web", [matrix(3)]), ("degrees", [matrix(3)])]
    await #expect(
      throws: TileCacheError.badSource(
        "https://h/wmts",
        reason: "none of its tile matrix sets is in Web Mercator; they are in EPSG:4326")
    ) {
      try await source(capabilities(linking: ["degrees"], of: sets))
    }
  }

  @Test func `Where there is no layer of the name, those that there are are named`() async throws {
    let document = capabilities([matrix(3)])
    let reader = TileSourceReader(
      transport: StubTransport { request in .data(Data(document.utf8), to: request) })
    await #expect(
      throws: TileCacheError.badSource(
        "https://h/wmts", reason: "it has no layer roads; it has topo")
    ) {
      try await reader.source(at: "https://h/wmts", layer: "roads")
    }
  }

  @Test func `Tiles of 512 pixels are of the level whose ground they cover`() async throws {
    let config = try await source(
      capabilities([matrix(3, scale: Self.standard / 2, side: 8, tile: 512)]))
    #expect(config.levels == 3...3 && config.tileSize == 512)
  }

  @Test(
    arguments: [
      ("<Default>now</Default><Value>2020</Value>", nil),
      ("<Value>2019-01-01</Value><Value>2020-01-01/2020-12-31/P1D</Value>", "2020-12-31"),
      ("<Value>2019,2020</Value>", "2020"),
    ] as [(String, String?)])
  func `A dimension is asked for by its last value where the server takes none by default`(
    _ values: String, _ value: String?
  ) async throws {
    let dimension = "<Dimension><ows:Identifier>TIME</ows:Identifier>\(values)</Dimension>"
    let config = try await source(capabilities([matrix(3)], dimensions: dimension))
    let query = value.map { "&TIME=\($0)&" }
    #expect(config.urlTemplate.text.contains(query ?? "&TILEMATRIX={z}&TILEROW"))
  }

  @Test func `A WMTS is known by its address without a query`() async throws {
    let document = Data(capabilities([matrix(3)]).utf8)
    let exception = Data(#"<ows:ExceptionReport xmlns:ows="o" version="1.1.0"/>"#.utf8)
    let transport = StubTransport { request in
      let isAsked = request.url.query()?.contains("REQUEST=GetCapabilities") ?? false
      return .data(isAsked ? document : exception, status: isAsked ? 200 : 400, to: request)
    }
    let config = try await TileSourceReader(transport: transport).source(
      at: "https://h/ows/wmts?map=a")
    #expect(config.urlTemplate.text.hasPrefix("https://h/ows/wmts?map=a&SERVICE=WMTS&VERSION="))
    #expect(config.address == "https://h/ows/wmts?map=a")
    #expect(transport.requests.count == 2)
  }
}

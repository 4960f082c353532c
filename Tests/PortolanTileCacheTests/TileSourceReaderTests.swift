import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite struct TileSourceReaderTests {
  private func source(_ document: String, at address: String) async throws -> MapCacheConfig {
    let reader = TileSourceReader(
      transport: StubTransport { request in .data(Data(document.utf8), to: request) })
    return try await reader.source(at: address)
  }

  /// The source at an address that leads elsewhere.
  private func source(
    _ document: String, at address: String, redirectedTo place: String
  ) async throws -> MapCacheConfig {
    let url = try #require(URL(string: place))
    let reader = TileSourceReader(
      transport: StubTransport { _ in
        HTTPResponse(head: HTTPResponseHead(status: 200, url: url), body: Data(document.utf8))
      })
    return try await reader.source(at: address)
  }

  @Test func `Addresses in a document are relative to where a redirect ends`() async throws {
    let tile = TileID(level: 2, row: 1, column: 3)
    let tileJSON = try await source(
      #"{"tiles": ["{z}/{x}/{y}.png"], "maxzoom": 3}"#, at: "http://short/t",
      redirectedTo: "https://h/maps/v2/tiles.json")
    #expect(try tileJSON.url(forTilePath: tile).absoluteString == "https://h/maps/v2/2/3/1.png")
    // It is asked for, and known, at the address that was given.
    #expect(tileJSON.address == "http://short/t")
    let resource =
      #"<ResourceURL resourceType="tile" template="{TileMatrix}/{TileRow}/{TileCol}.png"/>"#
    let wmts = try await source(
      capabilities(resource: resource), at: "http://short/wmts",
      redirectedTo: "https://h/maps/v2/wmts.xml")
    #expect(
      try wmts.url(forTilePath: TileID(level: 9, row: 1, column: 3)).absoluteString
        == "https://h/maps/v2/9/1/3.png")
    let keyed = try await source(
      capabilities(), at: "http://short/wmts", redirectedTo: "https://h/ogc?map=a")
    #expect(
      try keyed.url(forTilePath: TileID(level: 9, row: 1, column: 3)).absoluteString
        .hasPrefix("https://h/ogc?map=a&"))
  }

  @Test func `A service that has moved is asked for its tiles and its style where it is now`()
    async throws
  {
    let service = Data(service().utf8)
    let style = Data(#"{"layers": [{"id": "b", "source-layer": "roads"}]}"#.utf8)
    let moved = try #require(URL(string: "https://h/b/VectorTileServer?token=t%2Bu&f=json"))
    let transport = StubTransport { request in
      request.url.path().hasSuffix("/root.json")
        ? .data(style, to: request)
        : HTTPResponse(head: HTTPResponseHead(status: 200, url: moved), body: service)
    }
    let config = try await TileSourceReader(transport: transport).source(
      at: "http://h/a/VectorTileServer?token=t%2Bu")
    // A plus that is not encoded is a blank.
    #expect(
      transport.requests.first?.url.absoluteString
        == "http://h/a/VectorTileServer?token=t%2Bu&f=json")
    #expect(
      try config.url(forTilePath: TileID(level: 2, row: 1, column: 3)).absoluteString
        == "https://h/b/VectorTileServer/tile/2/1/3.pbf?token=t%2Bu")
    #expect(
      transport.requests.last?.url.absoluteString
        == "https://h/b/VectorTileServer/resources/styles/root.json?token=t%2Bu")
  }

  @Test func `A service that is answered by another page keeps its address`() async throws {
    let config = try await source(
      service(), at: "https://h/Relief/MapServer", redirectedTo: "https://h/cached.json")
    #expect(
      try config.url(forTilePath: TileID(level: 2, row: 1, column: 3)).absoluteString
        == "https://h/Relief/MapServer/tile/2/1/3?blankTile=false")
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

  @Test func `A token in the address of a service is sent for its tiles, to its server only`()
    async throws
  {
    let tile = TileID(level: 2, row: 1, column: 3)
    let pictures = try await source(service(), at: "https://h/Relief/MapServer?f=json&token=t%2Bu")
    #expect(
      try pictures.url(forTilePath: tile).absoluteString
        == "https://h/Relief/MapServer/tile/2/1/3?blankTile=false&token=t%2Bu")
    #expect(!pictures.urlTemplate.withoutSecrets.contains("token"))
    let vectors = try await source(service(), at: "https://h/Roads/VectorTileServer?token=t")
    #expect(
      try vectors.url(forTilePath: tile).absoluteString
        == "https://h/Roads/VectorTileServer/tile/2/1/3.pbf?token=t")
    let elsewhere = service().replacing(
      #""maxLOD""#, with: #""tiles": ["https://cdn/t/{z}/{y}/{x}.pbf"], "maxLOD""#)
    let others = try await source(elsewhere, at: "https://h/Roads/VectorTileServer?token=t")
    #expect(
      try others.url(forTilePath: tile).absoluteString == "https://cdn/t/2/1/3.pbf")
  }

  @Test func `A template whose braces a browser has written otherwise is one`() async throws {
    let config = try await source("", at: "https://h/%7Bz%7D/%7Bx%7D/%7By%7D.png")
    #expect(config.urlTemplate.text == "https://h/{z}/{x}/{y}.png")
    let told = try await source(
      #"{"tiles": ["https://h/%7Bz%7D/%7Bx%7D/%7By%7D.png"], "scheme": "tms", "maxzoom": 3}"#,
      at: "https://h/tiles.json")
    let url = try told.url(forTilePath: TileID(level: 3, row: 2, column: 5))
    #expect(url.absoluteString == "https://h/3/5/5.png")
  }

  @Test func `A source of one level has no other`() async throws {
    let config = try await source(
      #"{"tiles": ["https://h/{z}/{x}/{y}.png"], "minzoom": 0, "maxzoom": 0}"#,
      at: "https://h/tiles.json")
    #expect(config.levels == 0...0)
    #expect(try MapCacheConfig(json: config.json).levels == 0...0)
  }

  @Test func `A vector tile service of ArcGIS is a source`() async throws {
    let config = try await source(service(), at: "https://h/Roads/VectorTileServer")
    #expect(config.format == .vectorTile)
    #expect(config.tileSize == 256)
    let url = try config.url(forTilePath: TileID(level: 2, row: 1, column: 3))
    #expect(url.absoluteString == "https://h/Roads/VectorTileServer/tile/2/1/3.pbf")
  }

  @Test func `The layers of a vector tile service are those that its style draws`() async throws {
    let service = service()
    let style = """
      {"version": 8, "layers": [{"id": "a", "type": "background"},
       {"id": "b", "source-layer": "roads"}, {"id": "c", "source-layer": "roads"},
       {"id": "d", "source-layer": "water"}]}
      """
    let transport = StubTransport { request in
      .data(
        Data((request.url.path().hasSuffix("/root.json") ? style : service).utf8), to: request)
    }
    let reader = TileSourceReader(transport: transport)
    let config = try await reader.source(at: "https://h/Roads/VectorTileServer?token=t")
    let layers = config.vectorMetadata?["vector_layers"]?.array ?? []
    #expect(layers.map { $0["id"]?.string } == ["roads", "water"])
    #expect(
      transport.requests.last?.url.absoluteString
        == "https://h/Roads/VectorTileServer/resources/styles/root.json?token=t")
  }

  @Test func `A vector tile service without a style is a source all the same`() async throws {
    let service = Data(service().utf8)
    let reader = TileSourceReader(
      transport: StubTransport { request in
        let isStyle = request.url.path().hasSuffix("/root.json")
        return .data(isStyle ? Data() : service, status: isStyle ? 404 : 200, to: request)
      })
    let config = try await reader.source(at: "https://h/Roads/VectorTileServer")
    #expect(config.format == .vectorTile && config.vectorMetadata == nil)
  }

  @Test(arguments: ["<html>Sign in</html>", "{}", "not json", "", "<a/><b/>"])
  func `A document that does not describe tiles is no source`(_ document: String) async {
    await #expect(throws: TileCacheError.self) {
      try await source(document, at: "https://h/x/MapServer?token=secret")
    }
  }

  @Test func `Levels that are not those of the map of the web are refused`() async {
    await #expect(throws: TileCacheError.self) {
      try await source(service("-400"), at: "https://h/Local/MapServer")
    }
  }

  @Test func `A service with larger tiles begins with the level that the world fills`() async throws
  {
    let document = service().replacing(
      #""rows": 256, "cols": 256"#, with: #""rows": 512, "cols": 512"#)
    let config = try await source(document, at: "https://h/Relief/MapServer")
    #expect(config.levels == 0...1 && config.tileSize == 512)
    let url = try config.url(forTilePath: TileID(level: 1, row: 0, column: 1))
    #expect(url.absoluteString == "https://h/Relief/MapServer/tile/2/0/1?blankTile=false")
  }

  @Test(arguments: ["MapServer", "FeatureServer"])
  func `A service without tiles is named as such`(_ kind: String) async {
    let error = TileCacheError.badSource(
      "https://h/x/\(kind)", reason: "it is a service without tiles")
    await #expect(throws: error) {
      try await source(
        #"{"currentVersion": 11.2, "layers": []}"#, at: "https://h/x/\(kind)?token=t")
    }
  }

  @Test func `Levels of a service may be counted from another one`() async throws {
    let levels = (0...2).map { level in
      """
      {"level": \(level), "resolution": \(156_543.03392804097 / Double(1 << (level + 10))),
       "scale": \(591_657_527.591555 / Double(1 << (level + 10)))}
      """
    }
    let document = service().replacing(Self.levels, with: levels.joined(separator: ","))
    let tile = TileID(level: 11, row: 700, column: 900)
    for (kind, address) in [
      ("MapServer", "/tile/1/700/900?blankTile=false"), ("VectorTileServer", "/tile/1/700/900.pbf"),
    ] {
      let config = try await source(document, at: "https://h/Town/\(kind)")
      #expect(config.levels == 10...12)
      let url = try MapCacheConfig(json: config.json).url(forTilePath: tile)
      #expect(url.absoluteString == "https://h/Town/\(kind)\(address)")
    }
    // As of the national capabilities that number their own levels.
    let numbered = capabilities(["EPSG:3857:0", "EPSG:3857:1"])
    #expect(try await address(numbered).contains("TILEMATRIX=EPSG:3857:0&"))
    #expect(try await address(numbered, level: 10).contains("TILEMATRIX=EPSG:3857:1&"))
    await #expect(throws: TileCacheError.self) { try await address(capabilities(["0", "2"])) }
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

  @Test func `What a source is asked for with is sent for its description, too`() async throws {
    let document = Data(service().utf8)
    let transport = StubTransport { .data(document, to: $0) }
    let reader = TileSourceReader(transport: transport, headers: ["X-Key": "k"])
    _ = try await reader.source(at: "https://h/Relief/MapServer/")
    #expect(transport.requests.map(\.url.absoluteString) == ["https://h/Relief/MapServer?f=json"])
    #expect(transport.requests.first?.headers["X-Key"] == "k")
  }

  @Test(arguments: [
    (499, TileCacheError.signInNeeded("https://h/x/MapServer", status: 499)),
    (500, .refused("https://h/x/MapServer", status: 500)),
  ])
  func `A failure that a service reports in a document is named`(
    _ code: Int, _ error: TileCacheError
  ) async {
    await #expect(throws: error) {
      try await source(
        #"{"error": {"code": \#(code), "message": "no", "details": []}}"#,
        at: "https://h/x/MapServer")
    }
  }

  @Test func `Vector tiles are known by the ending of their addresses`() async throws {
    #expect(try await source("", at: "https://h/{z}/{x}/{y}.pbf?key=k").format == .vectorTile)
    #expect(try await source("", at: "https://h/{z}/{x}/{y}.png").format == nil)
    let document = #"{"tiles": ["https://h/{z}/{x}/{y}.mvt"]}"#
    #expect(try await source(document, at: "https://h/tiles.json").format == .vectorTile)
  }

  @Test func `Vector tiles may lie on another host than their service`() async throws {
    let document = service().replacing(
      #""maxLOD""#, with: #""tiles": ["https://cdn/t/{z}/{y}/{x}.pbf"], "maxLOD""#)
    let config = try await source(document, at: "https://h/Roads/VectorTileServer")
    let url = try config.url(forTilePath: TileID(level: 2, row: 1, column: 3))
    #expect(url.absoluteString == "https://cdn/t/2/1/3.pbf")
  }

  /// Capabilities with levels 9 and 10.
  private func capabilities(
    _ names: [String] = ["9", "10"], corner: String = "-20037508.3428 20037508.3428",
    operations: String = "", resource: String = ""
  ) -> String {
    let matrices = zip(names, ["1091957.5469", "545978.7734"]).map { name, scale in
      """
      <TileMatrix><ows:Identifier>\(name)</ows:Identifier>
      <ScaleDenominator>\(scale)</ScaleDenominator><TopLeftCorner>\(corner)</TopLeftCorner>
      <TileWidth>256</TileWidth></TileMatrix>
      """
    }
    return """
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:xlink="x" xmlns:ows="o">
      \(operations)<Contents><Layer><ows:Identifier>topo</ows:Identifier>
      <Style><ows:Identifier>night</ows:Identifier></Style>
      <Style isDefault="true"><ows:Identifier>day</ows:Identifier></Style>
      <Format>image/png</Format>
      <TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>\(resource)
      </Layer><TileMatrixSet><ows:Identifier>web</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
      \(matrices.joined())</TileMatrixSet></Contents></Capabilities>
      """
  }

  private func address(
    _ document: String, at address: String = "https://h/wmts", level: Int = 9
  ) async throws -> String {
    try await source(document, at: address).url(
      forTilePath: TileID(level: level, row: 1, column: 3)
    ).absoluteString
  }

  @Test func `A WMTS is asked in its usual style, with its levels as it writes them`() async throws
  {
    let resource = """
      <ResourceURL format="image/png" resourceType="tile"
       template="https://h/{Style}/{TileMatrix}/{TileRow}/{TileCol}.png"/>
      """
    let plain = capabilities(resource: resource)
    #expect(try await address(plain) == "https://h/day/9/1/3.png")
    // Caches know the source again by that.
    let template = try await source(plain, at: "https://h/wmts").urlTemplate
    #expect(template.text == "https://h/day/{z}/{TileRow}/{TileCol}.png")
    let padded = capabilities(["L09", "L10"], resource: resource)
    #expect(try await address(padded) == "https://h/day/L09/1/3.png")
    #expect(try await address(padded, level: 10) == "https://h/day/L10/1/3.png")
    await #expect(throws: TileCacheError.self) {
      try await address(capabilities(["a", "b"], resource: resource))
    }
  }

  @Test func `A WMTS is asked where it says, with what belongs to its address`() async throws {
    let operations = """
      <ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>
      <ows:Get xlink:href="https://tiles/ows?map=a"/></ows:HTTP></ows:DCP></ows:Operation>
      </ows:OperationsMetadata>
      """
    let told = try await address(capabilities(operations: operations))
    #expect(told.hasPrefix("https://tiles/ows?map=a&SERVICE=WMTS&"))
    #expect(told.contains("STYLE=day&"))
    let own = try await address(
      capabilities(), at: "https://h/ows?MAP=b&service=WMTS&Request=GetCapabilities")
    #expect(own.hasPrefix("https://h/ows?MAP=b&SERVICE=WMTS&"))
  }

  @Test func `A WMTS whose tiles are counted from elsewhere is none of the map of the web`() async {
    for corner in ["420000 350000", "-20037508.34 -20037508.34"] {
      await #expect(throws: TileCacheError.self) {
        try await source(capabilities(corner: corner), at: "https://h/wmts")
      }
    }
  }

  @Test func `Of a WMTS the first layer in Web Mercator is meant, on the levels that it has`()
    async throws
  {
    let document = capabilities().replacing(
      "<Contents>",
      with: """
        <Contents><Layer><ows:Identifier>national</ows:Identifier><Format>image/png</Format>
        <TileMatrixSetLink><TileMatrixSet>own</TileMatrixSet></TileMatrixSetLink></Layer>
        """)
    #expect(try await address(document).contains("LAYER=topo&"))
    func limited(_ name: String) async throws -> ClosedRange<Int> {
      let limits = """
        <TileMatrixSetLimits><TileMatrixLimits><TileMatrix>\(name)</TileMatrix></TileMatrixLimits>
        </TileMatrixSetLimits></TileMatrixSetLink>
        """
      let document = capabilities().replacing("</TileMatrixSetLink>", with: limits)
      return try await source(document, at: "https://h/wmts").levels
    }
    #expect(try await limited("10") == 10...10)
    // A level that the set does not have limits nothing.
    #expect(try await limited("web:10") == 9...10)
  }

  @Test(
    arguments: [
      ("application/json;type=geojson", "image/png", nil),
      ("application/json;type=utfgrid", "application/vnd.mapbox-vector-tile", .vectorTile),
      ("application/vnd.mapbox-vector-tile", "image/jpeg", nil),
    ] as [(String, String, TileFormat?)])
  func `A WMTS is asked for pictures, else for vector tiles, whatever it offers first`(
    _ first: String, _ second: String, _ format: TileFormat?
  ) async throws {
    let keyed = capabilities().replacing(
      "<Format>image/png</Format>",
      with: "<Format>\(first)</Format><Format>\(second)</Format>")
    let config = try await source(keyed, at: "https://h/wmts")
    #expect(config.format == format)
    #expect(config.urlTemplate.text.contains("FORMAT=\(second)&"))
    let resources = [(first, "a"), (second, "b")].map { type, folder in
      """
      <ResourceURL format="\(type)" resourceType="tile"
       template="/\(folder)/{style}/{tilematrixset}/{tilematrix}/{tilerow}/{tilecol}"/>
      """
    }
    let other = capabilities(resource: resources.joined())
      .replacing("<Format>image/png</Format>", with: "")
    #expect(try await address(other) == "https://h/b/day/web/9/1/3")
  }

  @Test func `The style of a WMTS may have no name`() async throws {
    let document = capabilities()
      .replacing("<ows:Identifier>day</ows:Identifier>", with: "<ows:Identifier/>")
    #expect(try await address(document).contains("&STYLE=&FORMAT="))
  }

  @Test func `The key of a WMTS is sent for its tiles, where its document leaves it out`()
    async throws
  {
    let operations = """
      <ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>
      <ows:Get xlink:href="https://h/wmts"/></ows:HTTP></ows:DCP></ows:Operation>
      </ows:OperationsMetadata>
      """
    let own = "https://h/wmts?request=GetCapabilities&apikey=k"
    let told = try await address(capabilities(operations: operations), at: own)
    #expect(told.hasPrefix("https://h/wmts?SERVICE=WMTS&") && told.hasSuffix("&apikey=k"))
    #expect(!told.contains("GetCapabilities"))
    let elsewhere = operations.replacing("https://h/", with: "https://tiles/")
    let other = try await address(capabilities(operations: elsewhere), at: own)
    #expect(!other.contains("apikey"))
    let keyed = operations.replacing("/wmts", with: "/wmts?apikey=j")
    let given = try await address(capabilities(operations: keyed), at: own)
    #expect(given.contains("apikey=j&") && !given.contains("apikey=k"))
  }
}

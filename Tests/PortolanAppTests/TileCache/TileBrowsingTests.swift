import Foundation
import PortolanApp
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

/// The services of a web map, browsed through the cache.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileBrowsingTests {
  /// A service whose tiles all show the same, and that calls itself as most do.
  private struct Service: TileSource {
    let picture: Data
    let info: TileSourceInfo

    init(_ name: String, levels: ClosedRange<Int> = 0...10) {
      picture = TileWorld.picture(of: name)
      info = TileSourceInfo(
        name: "Layers", scheme: .webMercator(tileSide: 256, levels: levels), levels: levels,
        declaredFormat: "png")
    }

    func tile(at id: TileID) async throws(TileError) -> Tile? {
      Tile(data: picture, format: .png)
    }

    func tileCounts() async throws(TileError) -> [Int: Int] { [:] }
    var tileIDs: TileIDs { TileIDs { { nil } } }
    func metadata() async throws(TileError) -> JSONValue? { nil }
  }

  private func model(
    _ transport: any HTTPTransport = TileWorld().transport
  ) -> TileRegionsModel {
    TileRegionsModel(
      TileCacheSurroundings(
        file: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"),
        transport: transport))
  }

  @Test func `The layer that is named is meant, though another of its address is here`()
    async throws
  {
    let layers = ["roads", "rails"].map { name in
      """
      <Layer><ows:Title>\(name)</ows:Title><ows:Identifier>\(name)</ows:Identifier>
      <Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
      <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet>
      </TileMatrixSetLink><ResourceURL format="image/png" resourceType="tile"
      template="https://h/\(name)/{TileMatrix}/{TileRow}/{TileCol}.png"/></Layer>
      """
    }
    let matrices = (0...5).map { level in
      """
      <TileMatrix><ows:Identifier>\(level)</ows:Identifier>
      <ScaleDenominator>\(559082264.0287178 / Double(1 << level))</ScaleDenominator>
      <TopLeftCorner>-20037508.3427892 20037508.3427892</TopLeftCorner>
      <TileWidth>256</TileWidth><TileHeight>256</TileHeight>
      <MatrixWidth>\(1 << level)</MatrixWidth><MatrixHeight>\(1 << level)</MatrixHeight>
      </TileMatrix>
      """
    }
    let document = """
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0"
      xmlns:ows="http://www.opengis.net/ows/1.1" version="1.0.0"><Contents>\(layers.joined())
      <TileMatrixSet><ows:Identifier>web</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>\(matrices.joined())
      </TileMatrixSet></Contents></Capabilities>
      """
    let model = model(StubTransport { .data(Data(document.utf8), to: $0) })
    var options = TileSourceOptions()
    for name in ["roads", "rails", "roads"] {
      options.layer = name
      #expect(try await model.addSource(at: "https://h/wmts", options).name == name)
    }
    #expect(model.state.sources.map(\.name) == ["rails", "roads"])
  }

  @Test(arguments: ["https://h/arcgis/rest/services/roads/MapServer", "Layers"])
  func `What a service allows counts also where a map has shown it before`(
    _ name: String
  ) async throws {
    let levels = (0...10).map { level in
      """
      {"level": \(level), "resolution": \(156543.03392804097 / Double(1 << level)),
       "scale": \(591657527.591555 / Double(1 << level))}
      """
    }
    let document = """
      {"mapName": "Layers", "exportTilesAllowed": true, "maxExportTilesCount": 500,
       "tileInfo": {"rows": 256, "cols": 256, "dpi": 96, "format": "PNG",
        "origin": {"x": -20037508.342787, "y": 20037508.342787},
        "spatialReference": {"wkid": 102100}, "lods": [\(levels.joined(separator: ","))]}}
      """
    let model = model(StubTransport { .data(Data(document.utf8), to: $0) })
    let url = try #require(URL(string: "https://h/arcgis/rest/services/roads/MapServer"))
    _ = await model.keeping(Service("roads"), of: url)
    let source = try await model.addSource(at: name)
    #expect(source.name == "Layers" && source.bulkLevels != nil)
    let again = try await model.addSource(at: "Layers")
    #expect(again.bulkLevels == source.bulkLevels)
    #expect(model.state.sources.count == 1)
  }

  @Test func `A service of one level is kept with that level alone`() async throws {
    let model = model()
    let url = try #require(URL(string: "https://h/arcgis/rest/services/World/MapServer"))
    _ = await model.keeping(Service("world", levels: 0...0), of: url)
    try await model.load()
    #expect(model.state.sources.map(\.levels) == [0...0])
  }

  @Test func `Services of one name that are loaded at a time share nothing`() async throws {
    let model = model()
    let (first, second) = (Service("roads"), Service("parcels"))
    let root = try #require(URL(string: "https://h/arcgis/rest/services"))
    async let one = model.keeping(first, of: root.appending(path: "Roads/MapServer"))
    async let two = model.keeping(second, of: root.appending(path: "Parcels/MapServer"))
    let (roads, parcels) = await (one, two)
    let tile = TileID(level: 3, row: 2, column: 1)
    #expect(try await roads.tile(at: tile)?.data == first.picture)
    #expect(try await parcels.tile(at: tile)?.data == second.picture)
    #expect(try await roads.tile(at: tile)?.data == first.picture)
    try await model.load()
    #expect(Set(model.state.sources.map(\.address)).count == 2)
    #expect(model.state.sources.map(\.tileCount) == [1, 1])
    // Another run of the app knows them again.
    let again = self.model()
    let offline = await again.keeping(first, of: root.appending(path: "Roads/MapServer"))
    #expect(try await offline.tileCounts() == [3: 1])
    try await again.load()
    #expect(again.state.sources.count == 2)
  }
}

import Foundation
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

@testable import PortolanWebMaps

/// The layers that follow from the bodies that services of ArcGIS have answered.
@Suite(.needsSharedFiles) struct RecordedServiceTests {
  private static let usa = "vectortile/maplibre-arcgis__VectorTileLayer_usa_"
  private static let service =
    "https://vectortileservices3.arcgis.com/GVgbJbqm8hXASVYi/arcgis/rest/services/"
    + "USA_States_Population_Vector_Tiles/VectorTileServer"

  /// Answers by the end of the path; what is not listed is absent.
  private func contents(
    _ answers: [String: String], keeper: (any TileKeeping)? = nil
  ) -> (contents: OnlineLayerContents, transport: StubTransport) {
    let transport = StubTransport { request in
      let path = request.url.path()
      let name = answers.first { path.hasSuffix($0.key) }?.value
      guard let name, let body = try? SharedFiles.data("fixtures/\(name)") else {
        return .json(
          #"{"error": {"code": 404, "message": "Not found", "details": []}}"#, to: request)
      }
      return .data(body, headers: ["Content-Type": "application/json"], to: request)
    }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let portal = Portal(url: StubPortal.url("https://www.arcgis.com"), client: client)
    return (
      OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil), keeper: keeper),
      transport
    )
  }

  @Test(arguments: [
    ("LayerWithTiles_mapserver", "ArcGISTiledMapServiceLayer", "tiles"),
    ("LayerWithTiles_mapserver", "ArcGISMapServiceLayer", "pictures"),
    ("Dynamic_National_Map_Hydrography_and_Marine_mapserver", "ArcGISMapServiceLayer", "pictures"),
    ("SingleFusedMapCache_mapserver", "ArcGISMapServiceLayer", "tiles"),
    ("Redlands_Emergency_Vehicles_mapServer", "ArcGISMapServiceLayer", "pictures"),
  ])
  func `Map services are drawn by tiles or by pictures`(
    _ name: String, _ type: String, _ kind: String
  ) async {
    let (contents, _) = contents(["/Any/MapServer": "mapserver/terriajs__\(name).json"])
    let layer = Layer(json: [
      "layerType": .string(type), "url": "https://server.example/services/Any/MapServer",
    ])
    #expect(await Self.kind(of: contents.content(of: layer)) == kind)
  }

  @Test(arguments: [
    ("tile_imageserver", "ArcGISTiledImageServiceLayer", "tiles"),
    ("tile_imageserver", "ArcGISImageServiceLayer", "pictures"),
    ("rasterFns_imageserver", "ArcGISImageServiceLayer", "pictures"),
    ("time_imageserver", "ArcGISTiledImageServiceLayer", "pictures"),
  ])
  func `Image services are drawn by tiles or by pictures`(
    _ name: String, _ type: String, _ kind: String
  ) async {
    let (contents, _) = contents(["/Any/ImageServer": "imageserver/terriajs__\(name).json"])
    let layer = Layer(json: [
      "layerType": .string(type), "url": "https://server.example/services/Any/ImageServer",
    ])
    #expect(await Self.kind(of: contents.content(of: layer)) == kind)
  }

  /// Remembers whose tiles it was asked to keep.
  private actor Keeper: TileKeeping {
    var services: [String] = []

    func keeping(_ tiles: any TileSource, of service: URL) async -> any TileSource {
      services.append(service.absoluteString)
      return tiles
    }
  }

  @Test(arguments: [
    ("mapserver/terriajs__SingleFusedMapCache_mapserver", "ArcGISTiledMapServiceLayer"),
    ("imageserver/terriajs__tile_imageserver", "ArcGISTiledImageServiceLayer"),
  ])
  func `The tiles of map and image services are kept as they are seen`(
    _ name: String, _ type: String
  ) async {
    let keeper = Keeper()
    let server = type.contains("Image") ? "ImageServer" : "MapServer"
    let (contents, _) = contents(["/Any/\(server)": "\(name).json"], keeper: keeper)
    let address = "https://server.example/services/Any/\(server)"
    let layer = Layer(json: ["layerType": .string(type), "url": .string(address)])
    #expect(await Self.kind(of: contents.content(of: layer)) == "tiles")
    #expect(await keeper.services == [address])
  }

  @Test func `A service of vector tiles is drawn with the style that it has`() async throws {
    let (contents, transport) = contents([
      "VectorTileServer": Self.usa + "service-info.json",
      "resources/styles/root.json": Self.usa + "service-resource-style.json",
    ])
    let layer = Layer(json: ["layerType": "VectorTileLayer", "url": .string(Self.service)])
    let tiles = try #require(Self.styled(await contents.content(of: layer)))
    #expect(tiles.sources.keys.sorted() == ["USA_States_Population_Vector_Tiles"])
    _ = try? await tiles.resources.glyphs(fontStack: "Arial Regular", range: 0...255)
    let asked = transport.requests.map { $0.url.absoluteString }
    // Addresses in the style are relative to the style.
    #expect(asked.contains(Self.service + "/resources/fonts/Arial%20Regular/0-255.pbf"))
  }

  @Test func `A file that a style names is asked for where the style lies, once`() async throws {
    let (contents, transport) = contents([
      "VectorTileServer": Self.usa + "service-info.json",
      "resources/styles/root.json": Self.usa + "service-resource-style.json",
      "resources/parks.geojson": Self.usa + "service-info.json",
    ])
    let layer = Layer(json: ["layerType": "VectorTileLayer", "url": .string(Self.service)])
    let tiles = try #require(Self.styled(await contents.content(of: layer)))
    let first = try await tiles.resources.file(at: "../parks.geojson")
    let second = try await tiles.resources.file(at: "../parks.geojson")
    #expect(first == second && !first.isEmpty)
    let asked = transport.requests.map { $0.url.absoluteString }
    #expect(asked.filter { $0 == Self.service + "/resources/parks.geojson" }.count == 1)
    await #expect(throws: TileError.self) {
      try await tiles.resources.file(at: "../absent.geojson")
    }
    await #expect(throws: TileError.self) {
      try await tiles.resources.file(at: "file:///etc/hosts")
    }
    #expect(!transport.requests.contains { $0.url.isFileURL })
  }

  @Test func `An item's own style goes before that of its service`() async throws {
    let id = "31eb749371c441e0b3ac5db4f60ecba9"
    let (contents, _) = contents([
      "items/\(id)": Self.usa + "styled-item-info.json",
      "items/\(id)/resources/styles/root.json": Self.usa + "styled-item-resource-style.json",
      "VectorTileServer": Self.usa + "service-info.json",
      "VectorTileServer/resources/styles/root.json": Self.usa + "service-resource-style.json",
    ])
    let layer = Layer(json: ["layerType": "VectorTileLayer", "itemId": .string(id)])
    let tiles = try #require(Self.styled(await contents.content(of: layer)))
    let style = try JSONValue(
      parsing: try SharedFiles.data("fixtures/\(Self.usa)styled-item-resource-style.json"))
    #expect(tiles.style == style && tiles.problems.isEmpty)
    #expect(tiles.sources.keys.sorted() == ["USA_States_Population_Vector_Tiles"])
  }

  @Test(arguments: ["ArcGISNavigation", "OpenStreets", "CustomArcGisStyle"])
  func `A basemap by the address of its style has its tiles, although its service is silent`(
    _ name: String
  ) async throws {
    let (contents, _) = contents([
      "styles/root.json": "vectortile/maplibre-arcgis__BasemapStyle_\(name).json"
    ])
    let layer = Layer(json: [
      "layerType": "VectorTileLayer",
      "styleUrl": "https://cdn.example/items/1/resources/styles/root.json?f=json&token=secret",
    ])
    let tiles = try #require(Self.styled(await contents.content(of: layer)))
    let info = try #require(tiles.sources.values.first?.info)
    #expect(
      info.levels == 0...16 && info.isVector && info.attribution?.contains("OpenStreetMap") == true)
  }

  private static func styled(_ content: LayerContent) -> StyledVectorTiles? {
    if case .styledTiles(let tiles) = content { tiles } else { nil }
  }

  private static func kind(of content: LayerContent) -> String {
    switch content {
    case .tiles: "tiles"
    case .pictures: "pictures"
    case .unavailable(let reason), .notSupported(let reason): reason
    default: "something else"
    }
  }
}

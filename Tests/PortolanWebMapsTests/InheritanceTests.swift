import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import Testing

@testable import PortolanWebMaps

/// What a layer takes over from its service, and what it sends there.
@Suite struct InheritanceTests {
  private static let service = """
    {"layers": [{"id": 3, "name": "Parcels", "type": "Feature Layer", "minScale": 20000,
      "maxScale": 500, "geometryType": "esriGeometryPolygon", "objectIdField": "FID",
      "fields": [{"name": "FID", "type": "esriFieldTypeOID", "alias": "FID"}]}], "tables": []}
    """
  private let transport = StubTransport { request in
    let isQuery = request.url.lastPathComponent == "query"
    return .json(isQuery ? #"{"objectIds":[],"features":[]}"# : Self.service, to: request)
  }

  private var contents: OnlineLayerContents {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let portal = Portal(url: StubPortal.url("https://portal.example"), client: client)
    return OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
  }

  private let url = "https://server.example/services/Parcels/FeatureServer/3"

  @Test func `A layer without scales of its own has those of its service`() async {
    let layer = Layer(json: ["layerType": "ArcGISFeatureLayer", "url": .string(url)])
    let range = await contents.content(of: layer).serviceScaleRange
    #expect(range == ScaleRange(minScale: 20_000, maxScale: 500))
    #expect(layer.scaleRange(over: range) == ScaleRange(minScale: 20_000, maxScale: 500))
    #expect(!layer.scaleRange(over: range).contains(147_914_381))
  }

  @Test func `What the map says of scales goes before what the service says`() {
    let range = ScaleRange(minScale: 20_000, maxScale: 500)
    let own = Layer(json: ["minScale": 0])
    #expect(own.scaleRange(over: range) == ScaleRange(minScale: 0, maxScale: 500))
    let definition = Layer(json: ["layerDefinition": ["maxScale": 100]])
    #expect(definition.scaleRange(over: range) == ScaleRange(minScale: 20_000, maxScale: 100))
  }

  @Test func `Tiles of a server are as large, and go as far, as the map says`() async throws {
    let template: JSONValue = "https://tiles.example/{level}/{col}/{row}.png"
    let plain = Layer(json: ["layerType": "WebTiledLayer", "templateUrl": template])
    var json = plain.json
    json["tileInfo"] = [
      "rows": 512, "cols": 512, "origin": ["x": -20_037_508.34, "y": 20_037_508.34],
      "lods": [
        ["level": 0, "resolution": 78_271.5, "scale": 295_829_355.45],
        ["level": 1, "resolution": 39_135.75, "scale": 147_914_677.73],
      ],
    ]
    let said = Layer(json: json)
    let expected = [(plain, 0...22, 256), (said, 0...1, 512)]
    for (layer, levels, side) in expected {
      guard case .tiles(let source) = await contents.content(of: layer) else {
        Issue.record("it has no tiles")
        return
      }
      #expect(source.info.levels == levels && source.info.scheme.tileWidth == side)
      #expect(source.info.scheme.spatialReference == .webMercator)
    }
  }

  @Test func `Custom parameters of a layer go with every request to its service`() async throws {
    let contents = contents
    let layer = Layer(
      json: [
        "layerType": "ArcGISFeatureLayer", "url": .string(url),
        "customParameters": ["season": "winter", "level": 2],
      ])
    let features = try #require(await contents.content(of: layer).features.first)
    for try await _ in features.store.features(in: features.schema.name, matching: .init()) {
      break
    }
    #expect(transport.requests.count >= 2)
    for request in transport.requests {
      #expect(request.parameters["season"] == "winter" && request.parameters["level"] == "2")
      #expect(request.parameters["f"] != nil)
    }
  }

  @Test func `Layers with other parameters do not share what a service says`() async throws {
    let contents = contents
    for season in ["winter", "summer", "winter"] {
      let layer = Layer(
        json: [
          "layerType": "ArcGISFeatureLayer", "url": .string(url), "title": .string(season),
          "customParameters": ["season": .string(season)],
        ])
      _ = await contents.content(of: layer)
    }
    #expect(transport.requests.map { $0.parameters["season"] } == ["winter", "summer"])
  }
}

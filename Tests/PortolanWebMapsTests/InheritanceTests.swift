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

/// The values that a layer takes over from its service, and those it sends there.
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

  @Test func `The map's scale range takes precedence over the service's`() {
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

  @Test func `Layers with other parameters do not share a service's response`() async throws {
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

  // MARK: - Items

  private static let itemID = "0123456789abcdef0123456789abcdef"
  /// The data that Map Viewer saves with the item of a service.
  private static let item = """
    {"layers": [{"id": 4, "showLabels": false}, {"id": 3, "showLabels": true, "opacity": 0.5,
      "layerDefinition": {"definitionExpression": "AREA > 5", "minScale": 5000, "drawingInfo": {
        "renderer": {"type": "simple", "symbol": {"type": "esriSFS", "style": "esriSFSSolid",
          "color": [255, 0, 0, 255]}}}},
      "popupInfo": {"title": "Parcel {FID}"}, "disablePopup": true}]}
    """

  /// A portal with such an item, or that answers otherwise.
  private static func portal(answering item: String = item) -> StubTransport {
    StubTransport { request in
      .json(request.url.lastPathComponent == "data" ? item : Self.service, to: request)
    }
  }

  private func online(_ transport: StubTransport) -> OnlineLayerContents {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let portal = Portal(url: StubPortal.url("https://portal.example"), client: client)
    return OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
  }

  private func layer(_ more: JSONObject = [:]) -> Layer {
    var json: JSONObject = [
      "layerType": "ArcGISFeatureLayer", "url": .string(url), "itemId": .string(Self.itemID),
    ]
    for member in more.members { json[member.name] = member.value }
    return Layer(json: json)
  }

  @Test func `A layer of which the map says nothing is shown as its item says`() async throws {
    let features = try #require(
      await online(Self.portal()).content(of: layer()).features.first)
    #expect(features.definitionExpression == "AREA > 5")
    #expect(features.drawingInfo.json["renderer"]?["symbol"]?["color"]?[0]?.int == 255)
    #expect(features.drawingInfo.transparency == 50)
    #expect(layer().showsLabels(over: features.drawingInfo.showsLabels))
    #expect(features.serviceScaleRange == ScaleRange(minScale: 5000, maxScale: 500))
    #expect(features.popup.title == "Parcel {FID}" && !features.isPopupEnabled)
  }

  @Test func `Order, clusters and display filters of an item are those of the layer`() async throws
  {
    let item = """
      {"layers": [{"id": 3, "layerDefinition": {"orderBy": [{"field": "FID", "order": "desc"}],
        "featureReduction": {"type": "cluster"}, "displayFilterInfo": {"filterMode": "manual",
        "activeFilterId": "a", "filters": [{"id": "a", "where": "FID > 1"}]}}}]}
      """
    let features = try #require(
      await online(Self.portal(answering: item)).content(of: layer()).features.first)
    let inherited = features.defining(layer())
    let offline = layer().inheriting(from: try JSONValue(parsing: Data(item.utf8)), ofLayer: 3)
    #expect(inherited.layerDefinition == offline.layerDefinition)
    #expect(inherited.layerDefinition.featureReductionType == "cluster")
    // The map's own definition is no matter of the item.
    let said = layer(["layerDefinition": ["featureReduction": ["type": "binning"]]])
    let own = try #require(
      await online(Self.portal(answering: item)).content(of: said).features.first)
    #expect(own.defining(said).layerDefinition.featureReductionType == "binning")
    #expect(own.defining(said).layerDefinition.orderBy.count == 1)
  }

  @Test func `The map's settings take precedence over the item's`() async throws {
    let said = layer([
      "opacity": 1, "showLabels": false, "popupInfo": ["title": "Mine"], "minScale": 1000,
    ])
    let features = try #require(await online(Self.portal()).content(of: said).features.first)
    #expect(features.drawingInfo.transparency == 0)
    #expect(!said.showsLabels(over: features.drawingInfo.showsLabels))
    #expect(said.scaleRange(over: features.serviceScaleRange).minScale == 1000)
    #expect(features.popup.title == "Mine" && features.isPopupEnabled)
  }

  /// A definition of a map; the filter, the labels and the least scale that hold with it.
  static let definitions: [(JSONObject, String?, String?, Double)] = [
    (["definitionExpression": "AREA > 7"], "AREA > 7", nil, 5000),
    // An empty filter is one; nothing leaves it to the item.
    (["definitionExpression": "", "minScale": 800], nil, nil, 800),
    (["definitionExpression": .null, "drawingInfo": .null], "AREA > 5", nil, 5000),
    (
      ["drawingInfo": ["labelingInfo": [["where": "FID > 2"]], "showLabels": false]], "AREA > 5",
      "FID > 2", 5000
    ),
  ]

  @Test(arguments: InheritanceTests.definitions)
  func `Values missing from a map's definition come from the item, member by member`(
    _ definition: JSONObject, _ filter: String?, _ label: String?, _ minScale: Double
  ) async throws {
    let said = layer(["layerDefinition": .object(definition)])
    let features = try #require(await online(Self.portal()).content(of: said).features.first)
    #expect(features.definitionExpression == filter)
    #expect(features.drawingInfo.json["renderer"]?["symbol"]?["color"]?[0]?.int == 255)
    #expect(features.drawingInfo.labelDefinitions.first?.json["where"]?.string == label)
    #expect(said.showsLabels(over: features.drawingInfo.showsLabels) == (label == nil))
    #expect(said.scaleRange(over: features.serviceScaleRange).minScale == minScale)
  }

  @Test func `A renderer of the map goes before that of the item`() async throws {
    let renderer: JSONValue = [
      "type": "simple",
      "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": [0, 0, 200, 255]],
    ]
    let said = layer(["layerDefinition": ["drawingInfo": ["renderer": renderer]]])
    let features = try #require(await online(Self.portal()).content(of: said).features.first)
    #expect(features.drawingInfo.json["renderer"] == renderer)
    #expect(features.definitionExpression == "AREA > 5")
  }

  @Test func `The item of several layers is requested once`() async throws {
    let transport = Self.portal()
    let contents = online(transport)
    for title in ["a", "b"] { _ = await contents.content(of: layer(["title": .string(title)])) }
    #expect(transport.requests.filter { $0.url.lastPathComponent == "data" }.count == 1)
  }

  @Test(arguments: [
    #"{"error": {"code": 403, "message": "You do not have permissions."}}"#,
    #"{"error": {"code": 400, "message": "Item does not exist."}}"#, "<html>", "[]",
    #"{"layers": [{"id": 7, "layerDefinition": {"definitionExpression": "1=0"}}]}"#,
  ])
  func `An item that cannot be read, or knows no such layer, leaves it as the service shows it`(
    _ answer: String
  ) async throws {
    let contents = online(Self.portal(answering: answer))
    let features = try #require(await contents.content(of: layer()).features.first)
    #expect(features.definitionExpression == nil && features.isPopupEnabled)
    #expect(features.serviceScaleRange == ScaleRange(minScale: 20_000, maxScale: 500))
  }
}

import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanWebMaps

/// The sublayers of a map service that the legend and popups have, and their definitions in the
/// map.
@Suite struct MapSublayerTests {
  private static let service = """
    {"mapName": "Town", "capabilities": "Map,Query", "layers": [
      {"id": 0, "name": "Water", "subLayerIds": [1, 2]},
      {"id": 1, "name": "Mains", "parentLayerId": 0},
      {"id": 2, "name": "Valves", "parentLayerId": 0, "defaultVisibility": false},
      {"id": 3, "name": "Parcels", "parentLayerId": -1}]}
    """

  private static func described(_ member: String, _ text: (Int, String) -> String) -> String {
    let parts = [(1, "Mains"), (2, "Valves"), (3, "Parcels")].map { text($0.0, $0.1) }
    return #"{"\#(member)": [\#(parts.joined(separator: ","))], "tables": []}"#
  }

  private static let layers = described("layers") { id, name in
    """
    {"id": \(id), "name": "\(name)", "type": "Feature Layer", "objectIdField": "FID",
     "geometryType": "esriGeometryPoint",
     "fields": [{"name": "FID", "type": "esriFieldTypeOID", "alias": "FID"}]}
    """
  }

  private static let legend = described("layers") { id, name in
    #"{"layerId": \#(id), "layerName": "\#(name)", "legend": [{"label": "\#(name)"}]}"#
  }

  private let transport = StubTransport { request in
    let answer =
      switch request.url.lastPathComponent {
      case "layers": Self.layers
      case "legend": Self.legend
      default: Self.service
      }
    return .json(answer, to: request)
  }

  private func content(_ members: JSONObject, path: String = "") async -> LayerContent {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let portal = Portal(url: StubPortal.url("https://portal.example"), client: client)
    var json = members
    json["layerType"] = "ArcGISMapServiceLayer"
    json["url"] = .string("https://server.example/services/Town/MapServer\(path)")
    return await OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
      .content(of: Layer(json: json))
  }

  private static func legendNames(_ content: LayerContent) -> [String] {
    guard case .pictures(_, let legend, _) = content else { return [] }
    return legend.map(\.name)
  }

  @Test(
    arguments: [
      ([:], "", ["Mains", "Parcels"], ["Mains", "Parcels"]),
      (["visibleLayers": [2]], "", ["Valves"], ["Valves"]),
      (["visibleLayers": []], "", [], []),
      (["layers": [["id": 0, "defaultVisibility": false]]], "", ["Parcels"], ["Parcels"]),
      (
        ["layers": [["id": 1, "disablePopup": true], ["id": 3, "showLegend": false]]], "",
        ["Parcels"], ["Mains"]
      ),
      ([:], "/2", ["Valves"], ["Valves"]), ([:], "/0", ["Mains"], ["Mains"]),
    ] as [(JSONObject, String, [String], [String])])
  func `Popups and the legend have the sublayers that are drawn`(
    _ members: JSONObject, _ path: String, _ identified: [String], _ legend: [String]
  ) async {
    let content = await content(members, path: path)
    let tables = content.features.filter(\.isPopupEnabled)
    #expect(tables.map(\.schema.name) == identified)
    #expect(Self.legendNames(content) == legend)
  }

  @Test func `Sublayers that are switched off can be searched, those beside the layer cannot`()
    async
  {
    let all = await content([:]).features.map(\.schema.name)
    #expect(all == ["Mains", "Valves", "Parcels"])
    let group = await content([:], path: "/0").features.map(\.schema.name)
    #expect(group == ["Mains", "Valves"])
  }

  @Test func `The condition and the popup of a sublayer are those of the map`() async throws {
    let members: JSONObject = [
      "layers": [
        [
          "id": 3, "layerDefinition": ["definitionExpression": "FID > 7"],
          "popupInfo": ["title": "Parcel {FID}"],
        ]
      ]
    ]
    let parcels = try #require(await content(members).features.last)
    #expect(parcels.definitionExpression == "FID > 7")
    #expect(parcels.popup.title == "Parcel {FID}")
  }

  @Test func `A layer whose loading was cancelled is requested by the next reader`() async {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let portal = Portal(url: StubPortal.url("https://portal.example"), client: client)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    let layer = Layer(json: [
      "layerType": "ArcGISMapServiceLayer",
      "url": "https://server.example/services/Town/MapServer",
    ])
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return await contents.content(of: layer).problem
    }
    cancelled.cancel()
    #expect(await cancelled.value == "Loading was cancelled.")
    #expect(await contents.content(of: layer).features.count == 3)
  }
}

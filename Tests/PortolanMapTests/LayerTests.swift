import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@Suite struct LayerTests {
  struct Inference: Sendable, CustomTestStringConvertible {
    let json: JSONObject
    let type: LayerType?
    var role = Layer.Role.operational

    var testDescription: String { JSONValue.object(json).text() }
  }

  static let inferences = [
    Inference(json: ["layerType": "VectorTileLayer"], type: .vectorTile),
    Inference(json: ["layerType": "vectortilelayer"], type: .vectorTile),
    Inference(json: ["layerType": "LayerOfTheFuture", "url": "x/FeatureServer/0"], type: nil),
    Inference(json: ["type": "BingMapsRoads"], type: .bingRoad),
    Inference(json: ["type": "OpenStreetMap"], type: .openStreetMap),
    Inference(json: ["url": "https://x/FeatureServer/0"], type: .feature),
    Inference(json: ["url": "https://x/MapServer/12?token=a"], type: .feature),
    Inference(json: ["url": "https://x/MapServer"], type: .mapService),
    Inference(json: ["url": "https://x/MapServer/"], type: .tiledMapService, role: .basemap),
    Inference(json: ["url": "https://x/ImageServer"], type: .imageService),
    Inference(json: ["url": "https://x/VectorTileServer"], type: .vectorTile),
    Inference(json: ["url": "https://x/ows?service=WMS&x=1"], type: .wms),
    Inference(json: ["url": "https://x/a.kmz"], type: .kml),
    Inference(json: ["url": "https://x/a.csv?x"], type: .csv),
    Inference(json: ["url": "https://x/a"], type: nil),
    Inference(json: ["url": ""], type: nil),
    Inference(json: ["url": "https://x/a"], type: .feature, role: .table),
    Inference(json: ["path": "file:./a.geodatabase?itemId=0"], type: .feature),
    Inference(json: ["path": "file:./a.tpkx"], type: .tiledMapService),
    Inference(json: ["path": "file:./a.vtpk"], type: .vectorTile),
    Inference(json: ["featureCollection": [:]], type: .feature),
    Inference(json: ["layers": [], "visibilityMode": "exclusive"], type: .group),
    Inference(json: ["templateUrl": "https://x/{level}"], type: .webTiled),
    Inference(json: ["styleUrl": "https://x"], type: .vectorTile),
    Inference(json: ["subtypeCode": 3], type: .feature),
    Inference(json: [:], type: nil),
  ]

  @Test(arguments: inferences)
  func `The type is the one named, else the one that the rest implies`(_ case: Inference) {
    #expect(Layer(json: `case`.json, role: `case`.role).type == `case`.type)
  }

  @Test(arguments: LayerType.allCases)
  func `Every type that documents name has a kind of its own`(_ type: LayerType) {
    let layer = Layer(type, id: "a", title: "A")
    #expect(layer.type == type)
    #expect(layer.typeName == type.rawValue)
    if case .unknown = layer.kind { Issue.record("\(type) has no kind") }
    #expect((layer.kind == .scene(type)) == type.isSceneOnly)
  }

  @Test func `A type that is not known keeps its name`() {
    let layer = Layer(json: ["layerType": "LayerOfTheFuture"])
    #expect(layer.kind == .unknown("LayerOfTheFuture"))
    #expect(layer.typeName == "LayerOfTheFuture")
    #expect(Layer(json: [:]).kind == .unknown(""))
  }

  @Test func `Missing settings of a layer have the defaults of the specification`() {
    let layer = Layer(json: [:])
    #expect(layer.isVisible)
    #expect(layer.opacity == 1)
    #expect(layer.listMode == .show)
    #expect(layer.showsLegend)
    #expect(!layer.showsLabels)
    #expect(layer.refreshInterval == nil)
    #expect(layer.isPopupEnabled)
    #expect(layer.capabilities == nil)
    #expect(layer.title == "Untitled")
  }

  @Test func `Members of another type count as missing, unless their meaning is plain`() {
    let layer = Layer(json: [
      "opacity": "0.5", "visibility": 0, "id": 7, "title": ["x"], "minScale": "many",
      "showLegend": "no", "listMode": 3,
    ])
    #expect(layer.opacity == 0.5)
    #expect(!layer.isVisible)
    #expect(layer.id == "7")
    #expect(layer.title == "7")
    #expect(layer.scaleRange == ScaleRange())
    #expect(layer.showsLegend)
    #expect(layer.listMode == .show)
    #expect(Layer(json: ["opacity": 7]).opacity == 1)
  }

  @Test func `A layer without a title is called after its service`() {
    let layer = Layer(json: ["url": "https://x/rest/services/City_Limits/MapServer/3"])
    #expect(layer.title == "City Limits")
    #expect(Layer(json: ["title": " ", "name": "Roads"]).title == "Roads")
  }

  @Test func `A setting is read back, and the rest stays`() throws {
    var layer = Layer(json: ["title": "Old", "unknown": [1, 2], "opacity": "bad"])
    layer.title = "New"
    layer.opacity = 0.25
    layer.isVisible = false
    layer.path = PackagePath("./a b.geodatabase", itemID: 4)
    layer.scaleRange = ScaleRange(minScale: 1000, maxScale: 10)
    layer.isPopupEnabled = false
    layer.layerDefinition.definitionExpression = "A = 1"
    #expect(layer.json.names.prefix(3) == ["title", "unknown", "opacity"])
    #expect(layer.json["unknown"] == [1, 2])
    #expect(layer.json["path"] == "file:./a%20b.geodatabase?itemId=4")
    let again = Layer(
      json: try #require(JSONValue(parsing: JSONValue.object(layer.json).text()).object))
    #expect(again == layer)
    #expect(again.opacity == 0.25)
    #expect(again.scaleRange.minScale == 1000)
    #expect(again.layerDefinition.definitionExpression == "A = 1")
    #expect(!again.isPopupEnabled)
  }

  @Test(arguments: [
    (0.0, 0.0, 5.0, true), (1000, 0, 1000, true), (1000, 0, 1001, false), (0, 100, 100, true),
    (0, 100, 99, false), (1000, 100, 500, true), (100, 1000, 500, false),
  ])
  func `A scale is in the range if it is no further out and no closer in`(
    _ minScale: Double, _ maxScale: Double, _ scale: Double, _ isVisible: Bool
  ) {
    let layer = Layer(json: ["minScale": .number(minScale), "maxScale": .number(maxScale)])
    #expect(layer.isVisible(atScale: scale) == isVisible)
  }

  @Test func `The scales of the definition count where the layer has none of its own`() {
    let definition: JSONValue = ["minScale": 5000, "maxScale": 100]
    #expect(Layer(json: ["layerDefinition": definition]).scaleRange.minScale == 5000)
    let both = Layer(json: ["layerDefinition": definition, "minScale": 0])
    #expect(both.scaleRange == ScaleRange(minScale: 0, maxScale: 100))
  }

  @Test func `Groups are walked from the top, and changed in place`() {
    let inner: JSONValue = ["id": "c", "layerType": "GroupLayer", "layers": [["id": "d"], 5]]
    var map = WebMap(
      basemap: Basemap(title: "B", layers: [Layer(.openStreetMap, id: "o", title: "O")]))
    map.operationalLayers = [
      Layer(json: ["id": "a"]),
      Layer(json: ["id": "b", "layerType": "GroupLayer", "layers": [inner]]),
    ]
    map.tables = [Layer(json: ["id": "t"], role: .table)]
    #expect(map.allLayers.map(\.id) == ["a", "b", "c", "d", "t"])
    map.updateLayers { $0.title = "T" + ($0.id ?? "") }
    #expect(map.allLayers.map(\.title) == ["Ta", "Tb", "Tc", "Td", "Tt"])
    #expect(map.layer(withID: "o")?.title == "To")
    #expect(map.layer(withID: "d")?.title == "Td")
    #expect(map.operationalLayers[1].layers[0].json["layers"]?[1] == 5)
    #expect(map.operationalLayers[1].visibilityMode == .independent)
  }

  @Test func `Setting the layers of what is no group changes nothing`() {
    var layer = Layer(.kml, id: "a", title: "A")
    layer.layers = [Layer(.kml, id: "b", title: "B")]
    #expect(layer.layers.isEmpty)
    #expect(layer.json["layers"] == nil)
  }
}

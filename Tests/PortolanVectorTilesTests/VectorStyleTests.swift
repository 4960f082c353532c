import Foundation
import PortolanExpressions
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanVectorTiles

@Suite struct VectorStyleTests {
  static func problems(_ layers: JSONValue, sources: JSONValue = [:]) -> [String] {
    VectorStyle(["layers": layers, "sources": sources]).problems
  }

  static func problems(_ paint: JSONObject) -> [String] {
    problems([["id": "a", "type": "line", "paint": .object(paint)]])
  }

  @Test(
    .needsSharedFiles,
    arguments: [
      "VectorTileLayer_usa_service-resource-style",
      "VectorTileLayer_usa_styled-item-resource-style",
      "BasemapStyle_CustomArcGisStyle", "BasemapStyle_OpenStreets", "BasemapStyle_ArcGISNavigation",
    ])
  func `All that the styles of real services ask for is drawn`(_ name: String) throws {
    let json = try JSONValue(
      parsing: SharedFiles.data("fixtures/vectortile/maplibre-arcgis__\(name).json"))
    let style = VectorStyle(json)
    #expect(style.problems == [])
    let shown = (json.object?.objects("layers") ?? []).filter {
      $0.object("layout")?.text("visibility") != "none"
    }
    #expect(style.layers.count == shown.count && !shown.isEmpty)
  }

  @Test(
    arguments: [
      ("terrain", ["source": "heights"], "\"terrain\""), ("terrain", nil, nil),
      ("projection", ["type": "globe"], "\"projection\""),
      ("projection", "globe", "\"projection\""),
      ("projection", ["type": "mercator"], nil),
      ("font-faces", ["Serif": "https://example.org/serif.ttf"], "\"font-faces\""),
      ("font-faces", [:], nil), ("lights", [["id": "a", "type": "flat"]], "\"lights\""),
      ("models", [:], nil), ("snow", ["density": 1], "\"snow\""),
      ("sprite", "https://example.org/sprite", nil), ("sprite", ["url": "a"], "\"sprite\""),
      ("sprite", [["id": "a", "url": "a"], ["id": "b"]], "\"sprite\""),
      ("sprite", [["id": "default", "url": "a"], ["id": "b", "url": "b"]], nil),
      ("sky", ["sky-color": "blue"], nil), ("transition", ["duration": 0], nil),
    ] as [(String, JSONValue?, String?)])
  func `A style reports what it uses as a whole that is not drawn`(
    _ name: String, _ value: JSONValue?, _ problem: String?
  ) {
    var json: JSONObject = ["layers": []]
    json[name] = value
    let problems = VectorStyle(.object(json)).problems
    #expect(problems.count == (problem == nil ? 0 : 1))
    #expect(problem.map { problems[0].contains($0) } ?? true)
  }

  @Test func `A style reports what it uses that is not drawn`() {
    let style = VectorStyle([
      "layers": [
        ["id": "a", "type": "sky"],
        ["id": "b", "type": "fill", "paint": ["fill-color": ["stops": 3]]],
        ["id": "c", "type": "line", "layout": ["visibility": "none"]],
      ]
    ])
    #expect(style.layers.isEmpty)
    #expect(
      style.problems == [
        "layers of the kind \"sky\" of its style are not drawn",
        "the layer \"b\" of its style is left out, for its \"fill-color\" cannot be read: "
          + "A function needs a list of stops.",
      ])
  }

  @Test(
    arguments: [
      (["global-state", "shown"], true), (["global-state", "hidden"], false),
      (["case", ["==", ["global-state", "shown"], "visible"], "none", "visible"], false),
    ] as [(JSONValue, Bool)])
  func `Whether a layer is shown may follow what is set for the whole style`(
    _ visibility: JSONValue, _ isShown: Bool
  ) {
    let style = VectorStyle([
      "state": ["shown": ["default": "visible"], "hidden": ["default": "none"]],
      "layers": [["id": "a", "type": "background", "layout": ["visibility": visibility]]],
    ])
    #expect(style.problems == [])
    #expect(style.layers.count == (isShown ? 1 : 0))
  }

  @Test func `A visibility that has no value is reported`() {
    let problems = Self.problems([
      ["id": "a", "type": "background", "layout": ["visibility": ["global-state", "gone"]]]
    ])
    #expect(
      problems == [
        "the \"visibility\" of the layer \"a\" of its style is neither \"visible\" nor \"none\""
      ])
  }

  @Test(
    arguments: [
      (["line-invented": 1], "\"line-invented\" of its style is not understood"),
      (["fill-color": "red"], "\"fill-color\" of its style is not understood"),
      (
        ["line-width": ["coalesce", ["feature-state", "w"], 1]],
        "\"feature-state\" in \"line-width\" of its style has no value in pictures"
      ),
      (["line-pattern": ["image", "dots"]], nil), (["line-width-transition": ["delay": 1]], nil),
      (["line-round-limit": 1.05], nil),
    ] as [(JSONObject, String?)])
  func `A property that is not applied is reported`(_ paint: JSONObject, _ problem: String?) {
    #expect(Self.problems(paint) == [problem].compactMap(\.self))
  }

  @Test(
    arguments: [
      ["format", "a", ["font-scale": 2, "text-color": "red"], "b", [:]],
      ["format", "a", [:], ["image", "b"]],
      ["format", "a", ["vertical-align": "top"], "b", [:]],
    ] as [JSONValue])
  func `All that sections of a text ask for is drawn`(_ field: JSONValue) {
    #expect(
      Self.problems([["id": "a", "type": "symbol", "layout": ["text-field": field]]]) == [])
  }

  @Test(
    arguments: [
      ("line", ["line-cap": "flat"], "\"line-cap\"", "\"flat\" is none of butt, round, square."),
      (
        "line", ["line-join": ["stops": [[3, "bevel"], [9, "sharp"]]]], "\"line-join\"",
        "\"sharp\" is none of bevel, miter, round."
      ),
      (
        "symbol", ["symbol-placement": "lines"], "\"symbol-placement\"",
        "\"lines\" is none of line, line-center, point."
      ),
      (
        "symbol", ["text-writing-mode": ["vertical", "upwards"]], "\"text-writing-mode\"",
        "\"upwards\" is none of horizontal, vertical."
      ),
      (
        "symbol", ["icon-rotation-alignment": "viewport-glyph"], "\"icon-rotation-alignment\"",
        "\"viewport-glyph\" is none of auto, map, viewport."
      ),
    ] as [(String, JSONObject, String, String)])
  func `A name that a property does not know is reported, and the layer drawn without it`(
    _ type: String, _ layout: JSONObject, _ name: String, _ reason: String
  ) {
    let style = VectorStyle([
      "layers": [["id": "a", "type": .string(type), "layout": .object(layout)]]
    ])
    #expect(style.layers.count == 1)
    #expect(style.problems == ["\(name) of its style cannot be read: \(reason)"])
  }

  @Test(
    arguments: [
      ("symbol-placement", "lines", "point"), ("text-overlap", "sometimes", ""),
      ("text-anchor", "lefty", "center"), ("text-anchor", "top-left", "top-left"),
    ])
  func `A name that a property does not know counts as none, also where features or zooms say it`(
    _ name: String, _ value: String, _ expected: String
  ) throws {
    // Features do not say where symbols are placed and what they cover; zooms do.
    let varied: JSONValue =
      name == "text-anchor"
      ? ["case", ["has", "name"], "other", .string(value)]
      : ["step", ["zoom"], "other", 2, .string(value)]
    for value in [.string(value), varied] {
      let style = VectorStyle(["layers": [["id": "a", "type": "symbol", "layout": [name: value]]]])
      let layer = try #require(style.layers.first)
      let usual = expected == "top-left" ? "center" : expected
      #expect(layer.text(name, EvaluationContext(zoom: 3), or: usual) == expected)
    }
  }

  @Test(
    arguments: [
      ("raster", "raster-opacity"), ("heatmap", "heatmap-intensity"),
      ("fill-extrusion", "fill-extrusion-opacity"), ("hillshade", "hillshade-exaggeration"),
      ("symbol", "text-line-height"), ("symbol", "text-padding"), ("symbol", "text-overlap"),
      ("symbol", "text-optional"), ("fill", "fill-antialias"), ("line", "line-cap"),
    ])
  func `A layer whose features would say what is the same for all of it is left out and reported`(
    _ type: String, _ name: String
  ) {
    let style = VectorStyle([
      "layers": [["id": "a", "type": .string(type), "paint": [name: ["get", "share"]]]]
    ])
    #expect(style.layers.isEmpty)
    #expect(
      style.problems == [
        "the layer \"a\" of its style is left out, for its \"\(name)\" cannot be read: "
          + "This property is the same for all features."
      ])
  }

  @Test func `What is the same for a whole layer may differ by zoom`() throws {
    let style = VectorStyle([
      "layers": [
        ["id": "a", "type": "symbol", "layout": ["text-line-height": ["step", ["zoom"], 1, 2, 3]]]
      ]
    ])
    #expect(style.problems == [])
    let layer = try #require(style.layers.first)
    #expect(layer.number("text-line-height", EvaluationContext(zoom: 3), or: 0) == 3)
  }

  @Test func `A light that cannot be read is reported`() {
    let style = VectorStyle(["layers": [], "light": ["intensity": 1, "color": ["oh"]]])
    #expect(
      style.problems == [
        "\"color\" of the light of its style cannot be read: "
          + "\"oh\" is not an expression that is understood. (at [0])"
      ])
  }

  @Test func `An unknown expression is reported by name`() {
    #expect(
      Self.problems(["line-width": ["invented", 1]]) == [
        "\"line-width\" of its style cannot be read: "
          + "\"invented\" is not an expression that is understood. (at [0])"
      ])
  }

  @Test(
    arguments: [
      ["filter": ["unheard-of", "class", 1]], ["paint": ["line-color": "reddish"]],
      ["paint": ["line-color": ["match", ["get", "x"], 1, "#12", "red"]]],
    ] as [JSONObject])
  func `A layer whose filter or color cannot be read is left out and reported`(
    _ members: JSONObject
  ) {
    var layer: JSONObject = ["id": "roads", "type": "line"]
    for member in members.members { layer[member.name] = member.value }
    let style = VectorStyle(["layers": [.object(layer)]])
    #expect(style.layers.isEmpty)
    #expect(style.problems.count == 1)
    #expect(style.problems[0].hasPrefix("the layer \"roads\" of its style is left out"))
  }

  @Test func `A layer takes what it lacks from the one that it refers to`() {
    let style = VectorStyle([
      "layers": [
        ["id": "a", "type": "line", "source-layer": "roads", "minzoom": 3],
        ["id": "b", "ref": "a", "paint": ["line-color": "red"]],
      ]
    ])
    #expect(style.layers.map(\.sourceLayer) == ["roads", "roads"])
    #expect(style.layers.last?.zooms.lowerBound == 3)
    #expect(style.problems == [])
  }

  @Test func `Layers that refer to each other in a cycle are left out and reported`() {
    let problems = Self.problems([
      ["id": "a", "ref": "b"], ["id": "b", "ref": "a"], ["id": "c", "ref": "c"],
    ])
    #expect(problems.count == 3)
  }

  @Test(arguments: ["raster-dem", "contour", "video"])
  func `Layers of other sources are reported`(_ kind: String) {
    let problems = Self.problems(
      [["id": "a", "type": "line", "source": "relief"]],
      sources: ["relief": ["type": .string(kind)], "esri": ["type": "vector"]])
    #expect(
      problems == [
        "layers of its style that are drawn from a source of the kind \"\(kind)\" are left out"
      ])
  }

  @Test func `Styles that a style imports are reported`() {
    func problems(_ imports: JSONValue) -> [String] {
      VectorStyle(["layers": [], "imports": imports]).problems
    }
    #expect(
      problems([["id": "basemap", "url": "mapbox://styles/mapbox/standard"]])
        == ["the styles that its style imports are left out"])
    #expect(problems([]) == [])
  }

  @Test(
    arguments: [
      (
        ["id": "a", "type": "line", "paint": [1]],
        "the \"paint\" of the layer \"a\" of its style is no object"
      ),
      (
        ["id": "a", "type": "line", "layout": ["visibility": 5]],
        "the \"visibility\" of the layer \"a\" of its style is neither \"visible\" nor \"none\""
      ),
      (5, "its style has layers that are no objects"),
    ] as [(JSONValue, String)])
  func `Unsupported settings of a layer are reported`(_ layer: JSONValue, _ problem: String) {
    #expect(Self.problems([layer]) == [problem])
  }

  @Test(arguments: [(2.7, 10.0), (3, 30)])
  func `Sizes that change in steps change at whole zooms`(_ zoom: Double, _ size: Double) {
    let style = VectorStyle([
      "layers": [
        ["id": "a", "type": "symbol", "layout": ["text-size": ["step", ["zoom"], 10, 2.5, 30]]]
      ]
    ])
    let context = EvaluationContext(zoom: zoom)
    #expect(style.layers[0].number("text-size", context, or: 0) == size)
    #expect(style.layers[0].resolved(context).number("text-size", context, or: 0) == size)
  }

  @Test func `Sources that layers name and the style has not are known`() {
    let style = VectorStyle([
      "sources": ["there": ["type": "vector"]],
      "layers": [
        ["id": "a", "type": "line", "source": "there"],
        ["id": "b", "type": "line", "source": "gone"],
        ["id": "c", "type": "fill"], ["id": "d", "type": "background"],
        ["id": "e", "type": "fill", "source": "off", "layout": ["visibility": "none"]],
      ],
    ])
    #expect(style.missingSources == ["gone", ""])
  }

  @Test(
    arguments: [
      (["type": "Point", "coordinates": ["x", 1]], "1 feature"),
      (["type": "LineString", "coordinates": [[0, 0], [1]]], "1 feature"),
      (["type": "Sphere", "coordinates": [0, 0]], "1 feature"), ([:], "1 feature"),
      (["type": "GeometryCollection", "geometries": [["type": "Point"]]], "1 feature"),
      (.null, nil), (["type": "MultiPoint", "coordinates": []], nil),
      (["type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]], nil),
    ] as [(JSONValue, String?)])
  func `Damaged features of a source are reported`(
    _ geometry: JSONValue, _ count: String?
  ) {
    let feature: JSONValue = ["type": "Feature", "geometry": geometry, "properties": [:]]
    let problems = Self.problems(
      [["id": "a", "type": "line", "source": "s"]],
      sources: [
        "s": ["type": "geojson", "data": ["type": "FeatureCollection", "features": [feature]]]
      ])
    #expect(
      problems
        == [count.map { "\($0) of the source \"s\" of its style cannot be read whole" }]
        .compactMap(\.self))
  }

  @Test(arguments: [[:], 3, ["type": "FeatureCollection"]] as [JSONValue])
  func `Source data that are no GeoJSON are reported`(_ data: JSONValue) {
    let problems = Self.problems(
      [["id": "a", "type": "line", "source": "s"]],
      sources: ["s": ["type": "geojson", "data": data]])
    #expect(problems == ["the data of the source \"s\" of its style are no GeoJSON"])
  }

  @Test(
    arguments: [
      [], ["layers": 3], ["layers": [1, "a", [], ["type": 5]]],
      ["layers": [["type": "fill", "paint": 1, "layout": [], "filter": "x"]]],
      ["layers": [["type": "fill", "minzoom": 1e300, "maxzoom": -1e300]]],
    ] as [JSONValue])
  func `An invalid style is read as far as possible`(_ json: JSONValue) {
    #expect(VectorStyle(json).layers.count <= 1)
  }
}

import Foundation
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

  @Test func `A style tells what it asks for and is not drawn`() {
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
      (["line-invented": 1], "\"line-invented\" of its style is not understood"),
      (["fill-color": "red"], "\"fill-color\" of its style is not understood"),
      (
        ["line-width": ["coalesce", ["feature-state", "w"], 1]],
        "\"feature-state\" in \"line-width\" of its style has no value in pictures"
      ),
      (["line-pattern": ["image", "dots"]], nil), (["line-width-transition": ["delay": 1]], nil),
      (["line-round-limit": 1.05], nil),
    ] as [(JSONObject, String?)])
  func `A property that is not followed is told of`(_ paint: JSONObject, _ problem: String?) {
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

  @Test func `A light that cannot be read is told of`() {
    let style = VectorStyle(["layers": [], "light": ["intensity": 1, "color": ["oh"]]])
    #expect(
      style.problems == [
        "\"color\" of the light of its style cannot be read: "
          + "\"oh\" is not an expression that is understood. (at [0])"
      ])
  }

  @Test func `An expression that is not known is told of by its name`() {
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
  func `A layer whose filter or color cannot be read is left out and told of`(
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

  @Test func `Layers that refer to each other without end are left out and told of`() {
    let problems = Self.problems([
      ["id": "a", "ref": "b"], ["id": "b", "ref": "a"], ["id": "c", "ref": "c"],
    ])
    #expect(problems.count == 3)
  }

  @Test func `Layers of other sources are told of`() {
    let problems = Self.problems(
      [["id": "a", "type": "line", "source": "relief"]],
      sources: ["relief": ["type": "raster-dem"], "esri": ["type": "vector"]])
    #expect(
      problems == [
        "layers of its style that are drawn from a source of the kind \"raster-dem\" are left out"
      ])
  }

  @Test(
    arguments: [
      [], ["layers": 3], ["layers": [1, "a", [], ["type": 5]]],
      ["layers": [["type": "fill", "paint": 1, "layout": [], "filter": "x"]]],
      ["layers": [["type": "fill", "minzoom": 1e300, "maxzoom": -1e300]]],
    ] as [JSONValue])
  func `What is no style is read as far as sense allows`(_ json: JSONValue) {
    #expect(VectorStyle(json).layers.count <= 1)
  }
}

import PortolanApp
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@Suite struct LayerTreeTests {
  @Test func `A layer is shown at the scales of its service where the map names none`() throws {
    var tree = LayerTree(try map(["id": "a", "title": "a", "layerType": "ArcGISFeatureLayer"]))
    #expect(tree.isInScaleRange("a", scale: 1e8))
    tree.setServiceScaleRange(ScaleRange(minScale: 20_000), of: "a")
    #expect(!tree.isInScaleRange("a", scale: 1e8) && tree.isInScaleRange("a", scale: 1e4))
  }

  /// A map with groups of the three modes; documents list layers bottom first.
  func map(_ groups: JSONValue...) throws -> WebMap {
    try WebMap(
      json: ["version": "2.37", "operationalLayers": .array(groups), "baseMap": ["title": "None"]])
  }

  func group(_ id: String, mode: String, _ layers: [JSONValue], isOn: Bool = true) -> JSONValue {
    [
      "id": .string(id), "title": .string(id), "layerType": "GroupLayer",
      "visibilityMode": .string(mode), "visibility": .bool(isOn), "layers": .array(layers),
    ]
  }

  func layer(_ id: String, isOn: Bool = true, minScale: Double = 0) -> JSONValue {
    [
      "id": .string(id), "title": .string(id), "layerType": "ArcGISFeatureLayer",
      "visibility": .bool(isOn), "minScale": .number(minScale),
    ]
  }

  @Test func `Layers are listed from the top, groups before what is in them`() throws {
    let tree = LayerTree(
      try map(layer("bottom"), group("g", mode: "independent", [layer("a"), layer("b")])))
    #expect(tree.ordered.map(\.id) == ["g", "b", "a", "bottom"])
    #expect(tree.node("a")?.parent == "g")
  }

  @Test func `A layer is shown when it and its groups are on`() throws {
    var tree = LayerTree(
      try map(group("outer", mode: "independent", [group("g", mode: "independent", [layer("a")])])))
    #expect(tree.isShown("a"))
    tree.setOn("outer", false)
    #expect(tree.isOn("a"))
    #expect(!tree.isShown("a"))
  }

  @Test func `Switching a layer on in an exclusive group switches the others off`() throws {
    var tree = LayerTree(
      try map(group("g", mode: "exclusive", [layer("a"), layer("b"), layer("c", isOn: false)])))
    #expect(["a", "b", "c"].filter(tree.isOn) == ["b"])
    tree.setOn("c", true)
    #expect(["a", "b", "c"].filter(tree.isOn) == ["c"])
    #expect(tree.isExclusive("a"))
  }

  @Test func `The topmost visible layer of an exclusive group is drawn`() async throws {
    let here = [Coordinate(x: 0, y: 0)]
    let map = try MemoryMap(features: ["a": here, "b": here, "c": here]).map([
      group("g", mode: "exclusive", [layer("a"), layer("b"), layer("c", isOn: false)])
    ])
    #expect(await DrawnMap(of: map).layers.map(\.layer.id) == ["b"])
  }

  @Test func `A layer in an inheriting group is on when the group is`() throws {
    var tree = LayerTree(
      try map(group("g", mode: "inherited", [layer("a", isOn: false)])))
    #expect(tree.isShown("a"))
    tree.setOn("a", false)
    #expect(!tree.isOn("g"))
    #expect(!tree.isShown("a"))
  }

  @Test func `The scale ranges of groups count for what is in them`() throws {
    let tree = LayerTree(
      try map(
        group("g", mode: "independent", [layer("a", minScale: 50_000)]), layer("b")))
    #expect(tree.isInScaleRange("a", scale: 50_000))
    #expect(!tree.isInScaleRange("a", scale: 50_001))
    #expect(tree.isInScaleRange("b", scale: 1e9))
  }

  @Test func `Layers that share an id, or have none, get keys of their own`() throws {
    let nameless: JSONValue = ["title": "X", "layerType": "ArcGISFeatureLayer"]
    let tree = LayerTree(try map(layer("a"), layer("a"), nameless, nameless))
    #expect(Set(tree.ordered.map(\.id)).count == 4)
    #expect(tree.ordered.allSatisfy { tree.node($0.id) == $0 })
  }

  @Test func `Reference layers of the basemap lie on top, the rest of it at the bottom`() throws {
    let map = try WebMap(json: [
      "version": "2.37", "operationalLayers": [layer("a")],
      "baseMap": [
        "title": "B",
        "baseMapLayers": [
          ["id": "base", "layerType": "ArcGISTiledMapServiceLayer"],
          ["id": "names", "layerType": "ArcGISTiledMapServiceLayer", "isReference": true],
        ],
      ],
    ])
    #expect(LayerTree(map).roots == ["names", "a", "base"])
  }
}

import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanRendering

@Suite struct StyleExpressionTests {
  static let feature = VectorTileFeature(
    id: 7, kind: .line,
    properties: ["class": .text("river"), "width": .number(3), "open": .bool(true)], paths: [])

  func value(_ json: JSONValue, zoom: Double = 10) -> StyleValue? {
    StyleExpression(json)?.value(StyleContext(zoom: zoom, feature: Self.feature))
  }

  static let cases: [(JSONValue, StyleValue)] = [
    (["get", "class"], .text("river")),
    (["zoom"], .number(10)),
    (["id"], .number(7)),
    (["+", 1, ["get", "width"], 2], .number(6)),
    (["/", 1, 4], .number(0.25)),
    (["case", ["==", ["get", "class"], "road"], 1, ["has", "open"], 2, 3], .number(2)),
    (["match", ["get", "class"], ["river", "canal"], "blue", "grey"], .text("blue")),
    (["coalesce", ["get", "missing"], "x"], .text("x")),
    (["step", ["zoom"], 0, 5, 1, 10, 2, 15, 3], .number(2)),
    (["interpolate", ["linear"], ["zoom"], 5, 0, 15, 10], .number(5)),
    (["concat", ["upcase", ["get", "class"]], " ", ["to-string", 3]], .text("RIVER 3")),
    (["let", "a", 2, ["*", ["var", "a"], ["var", "a"]]], .number(4)),
    (["in", "ive", ["get", "class"]], .bool(true)),
    (["in", ["get", "class"], ["literal", ["lake", "river"]]], .bool(true)),
    (["rgb", 255, 0, 0], .color(RGBAColor(red: 255, green: 0, blue: 0))),
    ("{class} {width}", .text("river 3")),
    (["stops": [[5, 1], [15, 3]]], .number(2)),
    (["base": 2, "stops": [[9, 0], [11, 3]]], .number(1)),
    (
      ["property": "class", "type": "categorical", "stops": [["river", "#00f"]]],
      .text("#00f")
    ),
    (["interpolate", ["exponential", 2], ["zoom"], 9, 0, 11, 3], .number(1)),
    (["interpolate", ["cubic-bezier", 0, 0, 1, 1], ["zoom"], 5, 0, 15, 10], .number(5)),
    (
      [
        "property": "width", "base": 1,
        "stops": [
          [["zoom": 0, "value": 0], 0], [["zoom": 0, "value": 6], 6],
          [["zoom": 20, "value": 0], 10], [["zoom": 20, "value": 6], 16],
        ],
      ], .number(8)
    ),
    (["property": "class", "type": "identity"], .text("river")),
    (["property": "gone", "type": "identity", "default": "none"], .text("none")),
    (
      ["property": "width", "type": "interval", "stops": [[0, "a"], [2, "b"], [4, "c"]]], .text("b")
    ),
    (["property": "class", "type": "categorical", "default": 5, "stops": [["x", 1]]], .number(5)),
    (["geometry-type"], .text("LineString")),
    (["slice", ["get", "class"], -3], .text("ver")),
    (["slice", ["literal", [1, 2, 3, 4]], 1, 3], .list([.number(2), .number(3)])),
    (["index-of", 3, ["literal", [1, 3]]], .number(1)),
    (["index-of", "r", ["get", "class"], 1], .number(4)),
    (["at", 1, ["split", "a-b-c", "-"]], .text("b")),
    (["join", ["literal", ["a", "b"]], "+"], .text("a+b")),
    (["number-format", 1234.5, ["min-fraction-digits": 2]], .text("1,234.50")),
    (["format", "a", ["font-scale": 2], ["get", "class"], [:]], .text("ariver")),
    (
      ["to-rgba", ["rgba", 255, 0, 0, 1]],
      .list([.number(255), .number(0), .number(0), .number(1)])
    ),
    (["hsl", 120, 100, 50], .color(RGBAColor(red: 0, green: 255, blue: 0))),
    (["typeof", ["get", "open"]], .text("boolean")),
    (["any", false, ["!", ["has", "gone"]]], .bool(true)),
    (["array", ["literal", [1]]], .list([.number(1)])),
    (["feature-state", "hover"], .null),
    (["acos", 1], .number(0)), (["log2", 8], .number(3)), (["-", 3], .number(-3)),
    (["length", ["get", "class"]], .number(5)),
    (["%", 5, 0], .null),
    (["at", 9, ["literal", [1, 2]]], .null),
  ]

  @Test(arguments: cases.indices) func `An expression has its value`(_ index: Int) throws {
    let (json, expected) = Self.cases[index]
    let found = try #require(value(json))
    if expected == .null {
      #expect(found.number == nil)
    } else {
      let isNear = zip([found.number], [expected.number]).allSatisfy { found, expected in
        abs((found ?? .nan) - (expected ?? .nan)) < 1e-9
      }
      #expect(found == expected || isNear)
    }
  }

  @Test func `Colours run into each other`() {
    let json: JSONValue = [
      "interpolate", ["linear"], ["zoom"], 5, "#000000", 15, "rgb(200, 100, 50)",
    ]
    #expect(value(json)?.color == RGBAColor(red: 100, green: 50, blue: 25))
  }

  @Test(arguments: [
    ("#f00", RGBAColor(red: 255, green: 0, blue: 0)),
    ("#11223344", RGBAColor(red: 17, green: 34, blue: 51, alpha: 68)),
    ("rgba(1, 2, 3, 0.5)", RGBAColor(red: 1, green: 2, blue: 3, alpha: 128)),
    ("hsl(120, 100%, 50%)", RGBAColor(red: 0, green: 255, blue: 0)),
    ("White", RGBAColor(red: 255, green: 255, blue: 255)),
  ])
  func `A colour is read as CSS writes it`(_ text: String, _ color: RGBAColor) {
    #expect(StyleColor.color(text) == color)
  }

  @Test(arguments: ["#12", "rgb(1,2)", "hsl(a,b,c)", "nonsense", "", "#gggggg"])
  func `What is no colour is none`(_ text: String) {
    #expect(StyleColor.color(text) == nil)
  }

  static let filters: [(JSONValue, Bool)] = [
    (["==", "class", "river"], true), (["==", ["get", "class"], "road"], false),
    (["in", "class", "road", "river"], true), (["!in", "class", "road"], true),
    (["all", ["==", "$type", "LineString"], [">=", "width", 3]], true),
    (["none", ["has", "open"]], false), (["!has", "gone"], true),
    (["any", ["<", "width", 1], ["has", "class"]], true),
  ]

  @Test(arguments: filters.indices) func `A filter takes features in both forms`(_ index: Int) {
    let (json, isTaken) = Self.filters[index]
    let context = StyleContext(zoom: 3, feature: Self.feature)
    var problems: [String] = []
    #expect(StyleFilter(json, problems: &problems)?.accepts(context) == isTaken)
    #expect(problems.isEmpty)
  }

  @Test func `An expression in expressions without end is refused`() {
    var json: JSONValue = 1
    for _ in 0..<200 { json = ["abs", json] }
    #expect(StyleExpression(json) == nil)
  }

  @Test(
    arguments: [
      ["within", ["type": "Polygon"]], ["distance", [:]], ["unheard-of", 1],
      ["interpolate", ["wavy"], ["zoom"], 1, 2], ["+", 1, ["accumulated"]],
      ["stops": []], ["stops": [[1]]], ["stops": 3], ["let", 1, 2], ["match", 1],
      ["case", ["oh"], 1],
    ] as [JSONValue])
  func `What is no expression is not understood`(_ json: JSONValue) {
    #expect(StyleExpression(json) == nil)
  }

  @Test func `A text that doubles itself without end stays short`() {
    var json: JSONValue = ["var", "t40"]
    for number in (1...40).reversed() {
      let before: JSONValue = number == 1 ? "abcdefgh" : ["var", .string("t\(number - 1)")]
      json = ["let", .string("t\(number)"), ["concat", before, before], json]
    }
    #expect((value(json)?.text.count ?? 0) <= 10_000)
  }

  @Test func `A name that means itself has no value`() {
    #expect(value(["let", "x", ["var", "x"], ["var", "x"]]) == .null)
    #expect(value(["let", "x", ["var", "y"], "y", ["var", "x"], ["var", "y"]]) == .null)
  }
}

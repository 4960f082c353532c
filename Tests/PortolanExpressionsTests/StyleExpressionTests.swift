import PortolanJSON
import Testing

@testable import PortolanExpressions

@Suite struct StyleExpressionTests {
  private struct River: StyleFeature {
    let identifier = StyleValue.number(7)
    let geometryType: String? = "LineString"
    let geometry: FeatureGeometry? = nil
    let allProperties: JSONObject = ["class": "river", "width": 3, "open": true]

    func property(_ name: String) -> StyleValue? { allProperties[name].map(StyleValue.init) }
  }

  private static let context = EvaluationContext(zoom: 10, feature: River())

  private static let square: JSONValue = [
    "type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]],
  ]

  /// The value for the river; null where there is none.
  func value(_ json: JSONValue) throws -> StyleValue {
    let specification = PropertySpecification(.resolvedImage, hasTokens: true)
    let expression =
      json.string?.contains("{") == true
      ? try StyleExpression(value: json, for: specification) : try StyleExpression(json)
    // An expression without a value counts as null.
    let value = (try? expression.value(Self.context)) ?? .null
    if case .image(let image) = value { return .text(image.name) }
    if case .formatted(let formatted) = value { return .text(formatted.text) }
    return value
  }

  static let cases: [(JSONValue, StyleValue)] = [
    (["get", "class"], .text("river")),
    (["step", ["zoom"], 1, 10, 2], .number(2)),
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
    (["rgb", 255, 0, 0], .color(StyleColor(1, 0, 0))),
    ("{class} {width}", .text("river 3")), ("{class{width}", .text("{class3")),
    ("{} {class}", .text("{} river")), ("a} {class} {b", .text("a} river {b")),
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
    (
      [
        "property": "width", "base": 2,
        "stops": [
          [["zoom": 0, "value": 0], 0], [["zoom": 0, "value": 6], 63],
          [["zoom": 20, "value": 0], 100], [["zoom": 20, "value": 6], 163],
        ],
      ], .number(57)
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
    (["hsl", 120, 100, 50], .color(StyleColor(0, 1, 0))),
    (["hsl", 360, 100, 50], .color(StyleColor(1, 0, 0))),
    (["typeof", ["get", "open"]], .text("boolean")),
    (["any", false, ["!", ["has", "gone"]]], .bool(true)),
    (["array", ["literal", [1]]], .list([.number(1)])),
    (["feature-state", "hover"], .null),
    (["acos", 1], .number(0)), (["log2", 8], .number(3)), (["-", 3], .number(-3)),
    (["length", ["get", "class"]], .number(5)),
    (["%", 5, 0], .null),
    (["step", ["/", 0, ["-", ["get", "width"], 3]], "a", 1, "b"], .null),
    (["interpolate", ["linear"], ["ln", ["-", 0, ["get", "width"]]], 0, 1, 2, 3], .null),
    (["interpolate", ["linear"], ["ln", ["-", 0, ["get", "width"]]], 0, 1], .number(1)),
    (["in", "a", ["get", "none"]], .bool(false)),
    (["in", "", ["concat", "", ["slice", ["get", "class"], 5]]], .bool(false)),
    (["in", 0, ["at", 0, ["literal", [0]]]], .bool(false)),
    (["typeof", ["literal", [[1], [2]]]], .text("array<value, 2>")),
    (["typeof", ["literal", [[1, 2]]]], .text("array<array<number, 2>, 1>")),
    (["at", ["get", "width"], ["literal", [1, 2]]], .null),
    (["at-interpolated", 0.25, ["literal", [4, 8]]], .number(5)),
    (["at-interpolated", 1, ["literal", [4, 8]]], .number(8)),
    (["at-interpolated", 1, ["literal", ["a", "b"]]], .text("b")),
    (["at-interpolated", ["/", ["get", "width"], 2], ["literal", ["a", "b", "c"]]], .null),
    (["at-interpolated", ["get", "width"], ["literal", [1, 2]]], .null),
    (["to-number", "0x1F"], .number(31)), (["to-number", "0B11"], .number(3)),
    (["to-number", "0o17"], .number(15)), (["to-number", "0xFFFFFFFFFFFFFFFFF"], .number(0x1p68)),
    (["to-string", 1e-7], .text("1e-7")), (["to-string", 9.99e-7], .text("9.99e-7")),
    (["to-string", 1e-6], .text("0.000001")), (["to-string", -1.5e-6], .text("-0.0000015")),
    (["number-format", ["/", 0, 0], [:]], .text("NaN")),
    (["number-format", 5, ["currency": "USD", "max-fraction-digits": 2]], .text("$5.00")),
    (["number-format", 5, ["currency": "USD", "max-fraction-digits": 0]], .text("$5")),
    (["number-format", 5, ["currency": "USD", "min-fraction-digits": 3]], .text("$5.000")),
    (["number-format", 5, ["currency": "USD"]], .text("$5.00")),
    (["number-format", 5, ["currency": "JPY"]], .text("¥5")),
    (["number-format", 5, ["unit": "liter-per-kilometer"]], .text("5 L/km")),
    (["number-format", 5, ["unit": "kilobyte-per-second"]], .text("5 kB/s")),
    (["number-format", 30, ["unit": "mile-per-gallon", "locale": "en-US"]], .text("30 mpg")),
    (["number-format", ["get", "width"], ["unit": "meter", "locale": "de"]], .null),
    (["heatmap-density"], .number(0)), (["line-progress"], .number(0)),
    (["elevation"], .number(0)),
    (["!", ["within", square]], .bool(true)),
    (
      [
        "within",
        [
          "type": "FeatureCollection",
          "features": [
            ["type": "Feature", "geometry": square],
            ["type": "Feature", "geometry": ["type": "Point", "coordinates": [5, 5]]],
          ],
        ],
      ], .bool(false)
    ),
    (["to-string", ["distance", square]], .text("NaN")),
    (["downcase", "ΟΔΟΣ Σ. ΣΑΣ'Σ"], .text("οδος σ. σασ'ς")), (["downcase", "ΣΟΣ"], .text("σος")),
  ]

  @Test(arguments: ["0x", "0b2", "0x+1", "-0x1", "0x1p3"])
  func `A text that is no number makes none`(_ text: String) {
    #expect(throws: (any Error).self) { try value(["to-number", .string(text)]) }
  }

  @Test(arguments: cases.indices) func `An expression has its value`(_ index: Int) throws {
    let (json, expected) = Self.cases[index]
    let found = try value(json)
    if expected == .null {
      #expect(found.number?.isNaN != false)
    } else {
      #expect(found.fixtureJSON.isNear(expected.fixtureJSON))
    }
  }

  static let collations: [(String, String, String, JSONObject, Bool)] = [
    ("==", "Müller", "mueller", ["locale": "de"], true),
    ("==", "Müller", "Mueller", ["locale": "de", "diacritic-sensitive": true], false),
    ("==", "Müller", "Muller", [:], true), ("==", "Müller", "Mueller", [:], false),
    ("==", "Weißes Tal", "weisses tal", [:], true),
    ("==", "weiß", "weiss", ["diacritic-sensitive": true], true),
    ("==", "weiß", "weiss", ["case-sensitive": true], false),
    ("==", "Ærø", "aero", [:], true), ("==", "Ærø", "Aero", ["diacritic-sensitive": true], false),
    ("==", "peña", "pena", ["locale": "es"], false), ("==", "peña", "pena", [:], true),
    ("<", "nz", "ñ", ["locale": "es"], true), ("<", "ñ", "o", ["locale": "es"], true),
    ("<", "zz", "ø", ["locale": "da"], true), ("<", "zz", "ø", [:], false),
    ("<", "ä", "ö", ["locale": "sv"], true), ("<", "ł", "lz", [:], true),
    ("==", "Łódź", "lodz", ["locale": "pl"], true), ("==", "Đurđevac", "durdevac", [:], true),
    ("==", "Łódź", "Lodz", ["locale": "pl", "diacritic-sensitive": true], false),
    ("<", "a:", "a1", [:], true), ("<", "a_", "ab", [:], true), ("<", "a1", "ab", [:], true),
  ]

  @Test(arguments: collations.indices)
  func `Texts are compared by the rules of a language`(_ index: Int) throws {
    let (name, left, right, options, isTrue) = Self.collations[index]
    let json: JSONValue = [
      .string(name), .string(left), .string(right), ["collator", .object(options)],
    ]
    #expect(try value(json) == .bool(isTrue))
  }

  @Test(
    arguments: [
      (["length", "\u{1F600}a"], .number(2)), (["slice", "\u{1F600}ab", 1, 2], .text("a")),
      (["slice", "\u{1F600}a", -1], .text("a")), (["index-of", "a", "\u{1F600}a"], .number(1)),
      (["index-of", "a", "a\u{1F600}a", 1], .number(2)),
      (["split", "\u{1F600}a", ""], .list([.text("\u{1F600}"), .text("a")])),
      (["length", ["split", "a\r\nb", "\n"]], .number(2)),
      (["length", ["split", "ae\u{301}a", "e"]], .number(2)),
      (["split", "aXXb", "XX"], .list([.text("a"), .text("b")])),
      (["split", "", "a"], .list([.text("")])),
    ] as [(JSONValue, StyleValue)])
  func `Places in texts are those of characters of Unicode`(
    _ expression: JSONValue, _ expected: StyleValue
  ) throws {
    #expect(try value(expression) == expected)
  }

  @Test func `A part of a list is of the type of the list`() throws {
    let fonts = PropertySpecification(.array(.string, length: nil), isInterpolated: false)
    let expression = try StyleExpression(["slice", ["literal", ["a", "b", "c"]], 1], for: fonts)
    #expect(try expression.value(Self.context) == .list([.text("b"), .text("c")]))
  }

  @Test func `A list of colours may hold colours and their names`() throws {
    let expression = try StyleExpression(
      ["semiliteral", [["rgb", 255, 0, 0], "blue"]], for: PropertySpecification(.colorArray))
    let colors = [StyleColor(1, 0, 0), StyleColor(0, 0, 1)]
    #expect(try expression.value(Self.context) == .colorArray(colors))
  }

  @Test func `A value without an icon in an older function has none`() throws {
    let expression = try StyleExpression(
      ["property": "class", "type": "categorical", "stops": [["lake", "wave"]]],
      for: PropertySpecification(.resolvedImage, isInterpolated: false, hasTokens: true))
    #expect(try expression.value(Self.context) == .null)
  }

  @Test func `Of several icons that are missing the first is asked for, unless nothing follows`()
    throws
  {
    var context = Self.context
    context.availableImages = ["there"]
    func name(_ arguments: JSONValue...) throws -> String? {
      let expression = try StyleExpression(
        .array(["coalesce"] + arguments), for: PropertySpecification(.resolvedImage))
      guard case .image(let image) = try expression.value(context) else { return nil }
      return image.name
    }
    #expect(try name(["image", "a"], ["image", "there"], ["image", "b"]) == "there")
    #expect(try name(["image", "a"], ["image", "b"]) == "a")
    #expect(try name(["image", "a"], ["get", "gone"]) == nil)
  }

  @Test func `An option of a text that is nothing counts as none`() throws {
    let expression = try StyleExpression([
      "format", ["get", "class"],
      ["font-scale": 0, "text-font": .null, "vertical-align": "", "text-color": .null],
    ])
    guard case .formatted(let text) = try expression.value(Self.context) else {
      Issue.record("this is no formatted text")
      return
    }
    #expect(text == FormattedText("river"))
  }

  @Test func `Colours run into each other`() throws {
    let expression = try StyleExpression(
      ["interpolate", ["linear"], ["zoom"], 5, "#000000", 15, "rgb(200, 100, 50)"],
      for: PropertySpecification(.color))
    let color = StyleValue.color(StyleColor(100.0 / 255, 50.0 / 255, 25.0 / 255))
    #expect(try expression.value(Self.context).fixtureJSON.isNear(color.fixtureJSON))
  }

  @Test(arguments: [
    ("#f00", StyleColor(1, 0, 0)),
    ("#11223344", StyleColor(17.0 / 255, 34.0 / 255, 0.2, 68.0 / 255)),
    ("rgba(1, 2, 3, 0.5)", StyleColor(1.0 / 255, 2.0 / 255, 3.0 / 255, 0.5)),
    ("hsl(120, 100%, 50%)", StyleColor(0, 1, 0)),
    ("White", StyleColor(1, 1, 1)),
  ])
  func `A colour is read as CSS writes it`(_ text: String, _ color: StyleColor) {
    #expect(StyleColor(text) == color)
  }

  @Test(arguments: ["#12", "rgb(1,2)", "hsl(a,b,c)", "nonsense", "", "#gggggg"])
  func `An invalid colour is none`(_ text: String) {
    #expect(StyleColor(text) == nil)
  }

  @Test func `An icon in a text has no look but its place in the line`() throws {
    let options: JSONValue = [
      "font-scale": 2, "text-color": "red", "text-font": ["literal", ["a"]],
      "vertical-align": "top",
    ]
    let expression = try StyleExpression(["format", ["image", "i"], options, "t", options])
    guard case .formatted(let text) = try expression.value(Self.context) else {
      Issue.record("no formatted text")
      return
    }
    #expect(text.sections.map(\.scale) == [nil, 2])
    #expect(text.sections.map(\.fontStack) == [nil, "a"])
    #expect(text.sections.map(\.color) == [nil, StyleColor(1, 0, 0)])
    #expect(text.sections.map(\.verticalAlignment) == ["top", "top"])
  }

  static let filters: [(JSONValue, Bool)] = [
    (["==", "class", "river"], true), (["==", ["get", "class"], "road"], false),
    (["in", "class", "road", "river"], true), (["!in", "class", "road"], true),
    (["all", ["==", "$type", "LineString"], [">=", "width", 3]], true),
    (["none", ["has", "open"]], false), (["!has", "gone"], true),
    (["any", ["<", "width", 1], ["has", "class"]], true),
    (["in", "class", "riverside"], false), (["!in", "class", "riverside"], true),
    (["in", "gone", "a"], false), (["!=", "gone", 1], true), (["==", "width", "3"], false),
    (["all", ["==", "class", "river"], ["any", ["has", "width"], ["none"]]], true),
    (["any", ["==", "class", "road"], ["all"], ["in", "gone"]], true),
    (["all", ["has", "class"], [">", ["get", "width"], 2], true], true),
    (["<=", "open", true], true), ([">", "open", true], false), (["<", "open", 2], false),
    (["<", "class", 5], false), (["==", "$id", 7], true), (true, true), (["all"], true),
    (["==", ["get", "class"], ["get", "gone"]], false), ([">", ["zoom"], 5], true),
    (["all", [">=", ["zoom"], 10], ["==", ["get", "class"], "river"]], true),
    (["case", ["<", ["zoom"], 12], ["==", ["get", "class"], "road"], true], false),
    ([">=", ["get", "width"], ["interpolate", ["linear"], ["zoom"], 0, 0, 20, 8]], false),
  ]

  @Test(arguments: filters.indices)
  func `A filter takes features in both forms`(_ index: Int) throws {
    let (json, isTaken) = Self.filters[index]
    #expect(try StyleFilter(json).accepts(Self.context) == isTaken)
  }

  @Test(
    arguments: [
      ["==", "class"], ["unheard-of", 1], ["all", ["oh", "no"]], 3, "x", ["in"],
      ["<", "width", 1, 2, 3], [">", ["get", "width"], true],
    ] as [JSONValue])
  func `A filter that cannot be read is refused`(_ json: JSONValue) {
    #expect(throws: ExpressionProblems.self) { try StyleFilter(json) }
  }

  /// The rule of the specification makes these filters of the older form; MapLibre Native leaves their layers
  /// out, too.
  @Test(
    arguments: [
      ["all", ["==", "class", "river"], [">", ["get", "width"], 2]],
      ["all", [">", ["get", "width"], 2], ["==", "class", "river"]],
      ["any", ["==", "class", "river"], ["any", ["==", 2, ["get", "width"]]]],
      ["none", ["==", ["get", "width"], 2]], ["none", ["==", "width", ["get", "class"]]],
      ["all", ["==", "class", "river"], ["in", ["get", "width"], ["literal", [2]]]],
      ["all", ["==", "class", "river"], ["case", ["has", "width"], true, false]],
      ["all", ["==", "class", "river"], ["has", ["concat", "wid", "th"]]],
      ["all", ["==", "class", "river"], true], ["!in", "width", ["literal", [2]]],
    ] as [JSONValue])
  func `A filter of the older form that holds an expression is refused`(_ json: JSONValue) {
    #expect(throws: ExpressionProblems.self) { try StyleFilter(json) }
  }

  @Test func `A filter of the older form may ask whether a feature is within an area`() throws {
    let ring: JSONValue = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]
    let filter = try StyleFilter([
      "none", ["==", "class", "road"],
      ["within", ["type": "Polygon", "coordinates": [ring]]],
    ])
    // The feature has no place.
    #expect(filter.accepts(Self.context))
  }

  @Test func `An expression in expressions without end is refused`() {
    var json: JSONValue = 1
    for _ in 0..<200 { json = ["abs", json] }
    #expect(throws: ExpressionProblems.self) { try StyleExpression(json) }
  }

  @Test(
    arguments: [
      ["within", ["type": "Polygon"]], ["distance", [:]], ["unheard-of", 1],
      ["interpolate", ["wavy"], ["zoom"], 1, 2], ["stops": []], ["stops": [[1]]], ["stops": 3],
      ["let", 1, 2], ["match", 1], ["hsl", 361, 50, 50], ["hsla", -1, 50, 50, 1],
      ["case", ["oh"], 1],
    ] as [JSONValue])
  func `An invalid expression is not understood`(_ json: JSONValue) {
    #expect(throws: ExpressionProblems.self) { try StyleExpression(json) }
  }

  @Test func `A text that doubles itself without end is refused`() {
    var json: JSONValue = ["var", "t40"]
    for number in (1...40).reversed() {
      let before: JSONValue = number == 1 ? "abcdefgh" : ["var", .string("t\(number - 1)")]
      json = ["let", .string("t\(number)"), ["concat", before, before], json]
    }
    #expect(throws: ExpressionProblems.self) { try StyleExpression(json) }
  }

  @Test func `A value that doubles itself is worked out once for each name`() throws {
    var json: JSONValue = ["var", "t60"]
    for number in (1...60).reversed() {
      let before: JSONValue = number == 1 ? ["get", "width"] : ["var", .string("t\(number - 1)")]
      json = ["let", .string("t\(number)"), ["+", before, before], json]
    }
    #expect(try value(json).number == 3 * 0x1p60)
  }

  @Test func `A name that is not bound is refused`() {
    #expect(throws: ExpressionProblems.self) {
      try StyleExpression(["let", "x", ["var", "x"], ["var", "x"]])
    }
    #expect(throws: ExpressionProblems.self) {
      try StyleExpression(["let", "x", ["var", "y"], "y", ["var", "x"], ["var", "y"]])
    }
  }
}

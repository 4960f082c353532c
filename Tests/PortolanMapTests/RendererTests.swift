import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@Suite struct RendererTests {
  @Test(arguments: ["vectorField", "flowRenderer", "rasterStretch", "rendererOfTheFuture", ""])
  func `Other renderers are kept as they are`(_ type: String) {
    let json: JSONObject = ["type": .string(type), "x": [1]]
    #expect(Renderer(json: json) == .other(type: type, json: json))
    #expect(Renderer(json: json).json == json)
    #expect(Renderer(json: json).legendEntries.isEmpty)
    #expect(Renderer(json: json).entry(for: .of(["A": .null])) == nil)
  }

  @Test func `A predominance renderer is one of unique values`() {
    let renderer = Renderer(json: ["type": "predominance", "uniqueValueInfos": []])
    guard case .uniqueValue = renderer else { return recordWrongKind() }
  }

  @Test(arguments: [
    ("[ANGLE]", "geographic", 30.0), ("ANGLE", "arithmetic", 60), ("$feature.ANGLE", nil, 30),
  ])
  func `Markers are turned by a field`(_ text: String, _ type: String?, _ heading: Double) throws {
    var json: JSONObject = ["rotationExpression": .string(text)]
    json["rotationType"] = type.map { .string($0) }
    let rotation = try #require(SimpleRenderer(json: json).rotation)
    #expect(rotation.heading(for: .of(["ANGLE": .integer(30)])) == heading)
    #expect(rotation.heading(for: .of(["ANGLE": .null])) == nil)
  }

  @Test(arguments: ["", "[A] * 2", "Round($feature.A)"])
  func `Other rotations are not guessed`(_ text: String) {
    #expect(SimpleRenderer(json: ["rotationExpression": .string(text)]).rotation == nil)
  }

  @Test func `Visual variables are read`() {
    let renderer = Renderer(json: [
      "type": "simple",
      "visualVariables": [
        ["type": "sizeInfo", "stops": [["value": 9, "size": 3], ["value": 1, "size": 2], [:]]],
        ["type": "sizeInfo", "minDataValue": 0, "maxDataValue": 5, "minSize": 1, "maxSize": 8],
        ["type": "sizeInfo", "minSize": ["type": "sizeInfo"]],
        ["type": "transparencyInfo", "stops": [["value": 1, "transparency": 500]]],
        ["type": "rotationInfo", "field": "A", "rotationType": "arithmetic"],
        ["type": "somethingElse"],
      ],
    ])
    let kinds = renderer.visualVariables.map(\.kind)
    guard case .size(let stops) = kinds[0], case .size(let ends) = kinds[1] else {
      return recordWrongKind()
    }
    #expect(stops.map(\.value) == [1, 9])
    #expect(ends.map(\.size) == [1, 8])
    #expect(kinds[2] == .size([]))
    guard case .transparency(let transparencies) = kinds[3] else { return recordWrongKind() }
    #expect(transparencies.map(\.transparency) == [100])
    #expect(kinds[4] == .rotation(.arithmetic))
    #expect(kinds[5] == .other("somethingElse"))
  }

  @Test func `Temporal renderers in temporal renderers are passed over`() {
    let renderer = Renderer(json: [
      "type": "temporal", "observationalRenderer": ["type": "temporal"],
      "latestObservationRenderer": ["type": "simple", "label": "Latest"],
    ])
    #expect(renderer.legendEntries.map(\.name) == ["Latest"])
    #expect(renderer.entry(for: .of(["A": .null])) == nil)
  }

  @Test func `Labels are expressions, templates or of the older form`() {
    let expression = LabelDefinition(json: [
      "labelExpression": "[A]",
      "labelExpressionInfo": ["expression": "$feature.A", "value": "{A}"],
    ])
    #expect(expression.text == .expression(ArcadeExpression("$feature.A")))
    let template = LabelDefinition(json: [
      "labelExpression": "[A]", "labelExpressionInfo": ["value": "{A}"],
    ])
    #expect(template.text == .template("{A}"))
    #expect(LabelDefinition(json: ["labelExpression": "[A]"]).text == .legacy("[A]"))
    #expect(LabelDefinition(json: [:]).text == .none)
    let symbol = TextSymbol(color: RGBAColor(red: 0, green: 0, blue: 0), size: 9)
    let made = LabelDefinition(expression: "$feature.A", symbol: symbol, placement: "x")
    #expect(LabelDefinition(json: made.json) == made)
  }
}

import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanSymbols

@Suite struct VisualVariableTests {
  static let scaling = SymbolScaling(pixelsPerPoint: 2, pixelsPerMeter: 0.5, viewScale: 3000)

  static func reader(_ variable: JSONObject, renderer: JSONObject = [:]) -> VisualVariableReader {
    var json = renderer
    json["type"] = "simple"
    json["visualVariables"] = variable.isEmpty ? nil : [.object(variable)]
    return VisualVariableReader(Renderer(json: json), scaling)
  }

  static func attributes(_ value: Double) -> Attributes {
    SmallMap.feature(1, nil, value: value, other: 4).attributes
  }

  static let stops: JSONValue = [["value": 1000, "size": 10], ["value": 5000, "size": 2]]

  static let sizes: [(JSONObject, Double, Double?)] = [
    (["field": "VALUE", "minDataValue": 0, "maxDataValue": 10, "minSize": 1, "maxSize": 3], 5, 4),
    (["field": "VALUE", "stops": stops], 3000, 12),
    (["field": "VALUE", "normalizationField": "OTHER", "stops": stops], 12_000, 12),
    (["valueExpression": "$view.scale", "stops": stops], 0, 12),
    (["expression": "view.scale", "stops": stops], 0, 12),
    (["valueExpression": "$feature.VALUE * 1000", "stops": stops], 3, 12),
    // An expression goes before a field.
    (["field": "OTHER", "valueExpression": "$feature.VALUE * 1000", "stops": stops], 3, 12),
    // A bound of the size may depend on the scale.
    (
      [
        "field": "VALUE", "minDataValue": 0, "maxDataValue": 10, "maxSize": 20,
        "minSize": ["type": "sizeInfo", "expression": "view.scale", "stops": stops],
      ], 0, 12
    ),
    // On the ground: 10 metres across, 10 feet to the side, 314 square metres.
    (["field": "VALUE", "valueUnit": "meters"], 10, 5),
    (["field": "VALUE", "valueUnit": "feet", "valueRepresentation": "radius"], 10, 3.048),
    (["field": "VALUE", "valueUnit": "meters", "valueRepresentation": "area"], 100 * .pi, 10),
    // In proportion to what stands for 100.
    (
      [
        "field": "VALUE", "valueUnit": "unknown", "minDataValue": 100, "minSize": 4,
        "valueRepresentation": "area",
      ], 400, 16
    ),
    (["field": "VALUE", "minDataValue": 100, "minSize": 4, "maxSize": 6], 1000, 12),
    // Between two sizes, whatever unit the values are not in.
    (
      [
        "field": "VALUE", "valueUnit": "unknown", "minDataValue": 0, "maxDataValue": 10,
        "minSize": 1, "maxSize": 3,
      ], 5, 4
    ),
    (["field": "VALUE", "valueUnit": "meters"], 1e300, SymbolReader.maximumLength),
    (["field": "VALUE", "valueUnit": "meters"], -5, 0),
    (["field": "NAME", "stops": stops], 1, nil),
  ]

  @Test(arguments: sizes)
  func `A size follows its value`(_ members: JSONObject, _ value: Double, _ pixels: Double?) {
    var json = members
    json["type"] = "sizeInfo"
    let reader = Self.reader(json)
    #expect(reader.problems == [])
    let size = reader.variation(for: Self.attributes(value)).size
    #expect(size.map { ($0 * 1000).rounded() } == pixels.map { ($0 * 1000).rounded() })
  }

  @Test func `A color follows a date, whose stops are milliseconds since 1970`() {
    let reader = Self.reader([
      "type": "colorInfo", "field": "DAY",
      "stops": [
        ["value": 0, "color": [255, 0, 0, 255]], ["value": 2000, "color": [0, 0, 255, 255]],
      ],
    ])
    let day = AttributeValue.date(Date(timeIntervalSince1970: 2))
    let attributes = Attributes(FieldList([Field("DAY", .date)]), [day])
    #expect(reader.variation(for: attributes).color == RGBAColor(red: 0, green: 0, blue: 255))
  }

  @Test func `The width of outlines may follow the scale`() {
    let reader = Self.reader([
      "type": "sizeInfo", "target": "outline", "valueExpression": "$view.scale",
      "stops": Self.stops,
    ])
    let variation = reader.variation(for: Self.attributes(0))
    #expect(variation == SymbolVariation(outlineWidth: 12))
  }

  static let angles: [(String, String?, Double?)] = [
    ("[VALUE]", nil, 30), ("[VALUE]", "arithmetic", 60), ("$feature.VALUE", "geographic", 30),
    ("$feature[\"VALUE\"]", nil, 30), ("$feature['VALUE']", "arithmetic", 60),
    ("[VALUE] + 90", nil, 120), ("$feature.VALUE * -1", "arithmetic", 120), ("[NAME]", nil, nil),
  ]

  @Test(arguments: angles)
  func `Markers are turned by a field or an expression`(
    _ expression: String, _ convention: String?, _ heading: Double?
  ) {
    var json: JSONObject = ["rotationExpression": .string(expression)]
    json["rotationType"] = convention.map(JSONValue.string)
    let reader = Self.reader([:], renderer: json)
    #expect(reader.problems == [])
    #expect(reader.variation(for: Self.attributes(30)).heading == heading)
  }

  static let troubles: [(JSONObject, String)] = [
    (["type": "sizeInfo", "field": "VALUE"], "\"sizeInfo\" is left out"),
    (
      ["type": "sizeInfo", "field": "VALUE", "valueUnit": "unknown"], "\"sizeInfo\" is left out"
    ),
    (["type": "colorInfo", "field": "VALUE"], "\"colorInfo\" is left out"),
    (["type": "outlineInfo", "field": "VALUE"], "\"outlineInfo\" is left out"),
    (["type": "rotationInfo", "field": "VALUE", "axis": "tilt"], "\"rotationInfo\" is left out"),
    (["type": "sizeInfo", "stops": stops], "names no value"),
    (["type": "sizeInfo", "valueExpression": "Geometry($feature)", "stops": stops], "Arcade"),
  ]

  @Test(arguments: troubles)
  func `A visual variable without effect is reported`(_ json: JSONObject, _ problem: String) {
    let reader = Self.reader(json)
    #expect(reader.problems.contains { $0.contains(problem) }, "\(reader.problems)")
    #expect(reader.isEmpty)
  }

  @Test func `An angle that is not evaluated is reported`() {
    let reader = Self.reader([:], renderer: ["rotationExpression": "Random() * 360"])
    #expect(reader.problems.first?.contains("angle") == true)
  }

  @Test func `Thousands of stops take no long time`() {
    let stops = (0..<100_000).map { index -> JSONValue in
      ["value": .integer(Int64(index)), "size": .integer(Int64(index % 7))]
    }
    let reader = Self.reader(["type": "sizeInfo", "field": "VALUE", "stops": .array(stops)])
    #expect(reader.variation(for: Self.attributes(9)).size == 4)
  }
}

import PortolanJSON
import Testing

@testable import PortolanExpressions

/// The requirements of the specification beyond its cases.
@Suite struct SpecificationTests {
  private struct Road: StyleFeature {
    let identifier = StyleValue.null
    let geometryType: String? = "LineString"
    let geometry: FeatureGeometry? = nil
    let allProperties: JSONObject = ["width": 3]

    func property(_ name: String) -> StyleValue? { allProperties[name].map(StyleValue.init) }
  }

  private static let context = EvaluationContext(zoom: 10, feature: Road())

  static let objects: [(JSONValue, StyleValue)] = [
    (["get", "a", ["semiliteral", ["a": ["+", ["get", "width"], 1]]]], .number(4)),
    (["typeof", ["semiliteral", ["a": ["get", "width"]]]], .text("object")),
    (["has", "b", ["semiliteral", ["a": 1]]], .bool(false)),
    (
      ["to-string", ["semiliteral", ["a": ["get", "width"], "b": "x"]]], .text(#"{"a":3,"b":"x"}"#)
    ),
    (
      ["at", 1, ["array", ["get", "a", ["semiliteral", ["a": ["literal", [1, 2]]]]]]],
      .number(2)
    ),
  ]

  @Test(arguments: objects)
  func `An object may have expressions as members`(
    _ json: JSONValue, _ expected: StyleValue
  ) throws {
    #expect(try StyleExpression(json).value(Self.context) == expected)
  }

  @Test func `An object holds no colors`() throws {
    let expression = try StyleExpression([
      "semiliteral", ["a": ["rgb", ["get", "width"], 0, 0], "b": 1],
    ])
    #expect(throws: EvaluationFault.self) { try expression.value(Self.context) }
  }

  @Test(arguments: [["semiliteral", ["a": [:]]], ["semiliteral", [[:]]]] as [JSONValue])
  func `A member of an object is no bare object`(_ json: JSONValue) {
    #expect(throws: ExpressionProblems.self) { try StyleExpression(json) }
  }

  @Test func `Lists in a list have no type in common`() throws {
    let list: JSONValue = ["array", "number", ["get", "gone"]]
    #expect(try StyleExpression(["semiliteral", [list, list]]).typeName == "array<value, 2>")
    #expect(try StyleExpression(["semiliteral", [list]]).typeName == "array<array<number>, 1>")
    let width: JSONValue = ["number", ["get", "width"]]
    #expect(try StyleExpression(["semiliteral", [width, width]]).typeName == "array<number, 2>")
    #expect(try StyleExpression(["semiliteral", [width, "x"]]).typeName == "array<value, 2>")
  }

  @Test func `What is searched for needs a value even where there is nothing to search in`() throws
  {
    let expression = try StyleExpression(["in", ["number", ["get", "gone"]], ["get", "gone"]])
    #expect(throws: EvaluationFault.self) { try expression.value(Self.context) }
  }

  @Test func `A projection may be an object`() throws {
    var context = Self.context
    let expression = try StyleExpression(
      ["global-state", "projection"], for: PropertySpecification(.projectionDefinition))
    context.globalState = [
      "projection": ["from": "mercator", "to": "vertical-perspective", "transition": 0.5]
    ]
    let projection = StyleValue.projection(
      from: "mercator", to: "vertical-perspective", transition: 0.5)
    #expect(try expression.value(context) == projection)
    context.globalState = ["projection": ["from": "mercator", "to": "vertical-perspective"]]
    #expect(throws: EvaluationFault.self) { try expression.value(context) }
  }

  @Test(arguments: ["<", "<=", ">", ">="])
  func `A filter does not order types of geometries`(_ name: String) {
    #expect(throws: ExpressionProblems.self) {
      try StyleFilter([.string(name), "$type", "Polygon"])
    }
  }

  /// MapLibre Native draws the same.
  @Test func `The space of colors of an older function is that of its zooms`() throws {
    let stops: [JSONValue] = [0, 20].flatMap { (zoom: Int) -> [JSONValue] in
      let place = JSONValue.integer(Int64(zoom))
      return [
        [["zoom": place, "value": 0], "#f00"], [["zoom": place, "value": 10], "#00f"],
      ]
    }
    let expression = try StyleExpression(
      ["property": "width", "colorSpace": "lab", "stops": .array(stops)],
      for: PropertySpecification(.color))
    let color = StyleValue.color(StyleColor(0.7, 0, 0.3))
    #expect(try expression.value(Self.context).fixtureJSON.isNear(color.fixtureJSON))
  }
}

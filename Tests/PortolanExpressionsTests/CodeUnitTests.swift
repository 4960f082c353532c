import PortolanJSON
import Testing

@testable import PortolanExpressions

/// The style specification compares texts as JavaScript does, by their code units: a composed letter is
/// another text than the same letter with a mark behind it, which Swift takes for the same.
@Suite struct CodeUnitTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  private struct Place: StyleFeature {
    let identifier = StyleValue.null
    let geometryType: String? = "Point"
    let geometry: FeatureGeometry? = nil
    let allProperties: JSONObject = ["kind": .string(CodeUnitTests.decomposed)]

    func property(_ name: String) -> StyleValue? { allProperties[name].map(StyleValue.init) }
  }

  private static let context = EvaluationContext(zoom: 10, feature: Place())

  static let cases: [(JSONValue, StyleValue)] = [
    (["match", ["get", "kind"], .string(composed), 1, 0], .number(0)),
    (["match", ["get", "kind"], .string(composed), 1, .string(decomposed), 2, 0], .number(2)),
    (["==", ["get", "kind"], .string(composed)], .bool(false)),
    (["==", ["get", "kind"], .string(decomposed)], .bool(true)),
    (["in", ["get", "kind"], ["literal", [.string(composed)]]], .bool(false)),
    (
      ["index-of", ["get", "kind"], ["literal", [.string(composed), .string(decomposed)]]],
      .number(1)
    ),
    (["get", .string(composed), ["literal", object(decomposed)]], .null),
    (["has", .string(composed), ["literal", object(decomposed)]], .bool(false)),
    (["get", .string(decomposed), ["literal", object(decomposed)]], .number(1)),
    (
      [
        "property": "kind", "type": "categorical", "default": 0,
        "stops": [[.string(composed), 1], [.string(decomposed), 2]],
      ], .number(2)
    ),
  ]

  private static func object(_ name: String) -> JSONValue {
    .object(JSONObject([JSONObject.Member(name: name, value: 1)]))
  }

  @Test(arguments: cases)
  func `Texts are the same only if their code units are`(
    _ json: JSONValue, _ expected: StyleValue
  ) throws {
    let expression =
      json.object == nil
      ? try StyleExpression(json)
      : try StyleExpression(value: json, for: PropertySpecification(.number))
    #expect(try expression.value(Self.context) == expected)
  }

  /// A kelvin sign, a Greek question mark and an angstrom sign are the same as others in Swift.
  @Test(arguments: [
    ("class", "class", true), ("class", "clasp", false), ("", "", true), ("", "a", false),
    ("K", "\u{212A}", false), ("KKK", "\u{212A}", false), (";;", "\u{37E}", false),
    ("\u{212B}", "A\u{30A}", false), ("\u{212B}", "\u{C5}", false), ("\u{212B}", "\u{212B}", true),
    ("Überlingen am Bodensee", "Überlingen am Bodensee", true), ("Ü", "Ö", false),
  ])
  func `Two texts have the same code units whatever they are equivalent to`(
    _ left: String, _ right: String, _ areSame: Bool
  ) {
    #expect(left.hasSameCodeUnits(as: right) == areSame)
    #expect(right.hasSameCodeUnits(as: left) == areSame)
    #expect((StyleValue.text(left) == .text(right)) == areSame)
  }

  static let filters: [(JSONValue, Bool)] = [
    (["==", "kind", .string(composed)], false), (["!=", "kind", .string(composed)], true),
    (["in", "kind", .string(composed)], false), (["in", "kind", .string(decomposed)], true),
    (["<=", "kind", .string(composed)], true), ([">=", "kind", .string(composed)], false),
  ]

  @Test(arguments: filters)
  func `Filters of older styles compare code units too`(
    _ json: JSONValue, _ isAccepted: Bool
  ) throws {
    #expect(try StyleFilter(json).accepts(Self.context) == isAccepted)
  }
}

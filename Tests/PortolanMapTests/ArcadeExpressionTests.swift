import Foundation
import PortolanFeatures
import PortolanMap
import Testing

@Suite struct ArcadeExpressionTests {
  static let attributes = Attributes.of([
    "NAME": .text("Katahdin"), "HEIGHT": .integer(1606), "RATE": .double(2.5), "NOTE": .null,
    "WHEN": .date(Date(timeIntervalSince1970: 0)), "BIG": .integer(.max), "EMPTY": .text(""),
    "A B": .text("spaced"), "RAW": .blob(Data()), "NEGATIVE": .double(-2.5),
  ])

  @Test(arguments: [
    ("$feature.NAME", AttributeValue.text("Katahdin")),
    ("$feature.name", .text("Katahdin")),
    (#"$feature["A B"]"#, .text("spaced")),
    ("$feature['A B']", .text("spaced")),
    ("return $feature.NAME;", .text("Katahdin")),
    ("// a comment\n$feature.NAME /* another */", .text("Katahdin")),
    ("'Mount ' + $feature.NAME", .text("Mount Katahdin")),
    ("$feature.NAME + ' (' + $feature.HEIGHT + ' m)'", .text("Katahdin (1606 m)")),
    ("$feature.NAME + $feature.NOTE", .text("Katahdin")),
    ("'x' + $feature.RATE", .text("x2.5")),
    ("$feature.HEIGHT * 2 + 1", .double(3213)),
    ("1 + 2 * 3 - 4 / 2", .double(5)),
    ("(1 + 2) * 3", .double(9)),
    ("-$feature.RATE", .double(-2.5)),
    ("7 / 2", .double(3.5)),
    ("Upper($feature.NAME)", .text("KATAHDIN")),
    ("lower('ÄB')", .text("äb")),
    ("Trim('  a b ')", .text("a b")),
    ("Text(1606)", .text("1606")),
    ("Text($feature.NOTE)", .text("")),
    ("Round(2.346, 2)", .double(2.35)),
    ("Round($feature.RATE)", .double(3)),
    ("DefaultValue($feature.NOTE, 'none')", .text("none")),
    ("DefaultValue($feature.EMPTY, 'none')", .text("none")),
    ("DefaultValue($feature.NAME, 'none')", .text("Katahdin")),
    ("$feature.WHEN", .date(Date(timeIntervalSince1970: 0))),
    ("null", .null),
    ("\"it's\"", .text("it's")),
  ])
  func `What is understood has a value`(_ text: String, _ value: AttributeValue) {
    #expect(ArcadeExpression(text).evaluate(Self.attributes) == .value(value))
  }

  @Test(arguments: [
    "", "1 +", "$feature", "$feature.", "$map.x", "$feature[NAME]", "When(1, 2)", "a = 1",
    "var x = 1; return x;", "IIf($feature.A == 1, 'a', 'b')", "'unclosed", "(1", "1)", "1 2",
    "`${$feature.NAME}`", "'a\\'b'", "Text(1, '#,###')", "Round(1, 2, 3)", "Upper()",
    "$feature.MISSING", "$feature.NAME * 2", "$feature.NOTE + 1", "$feature.BIG + 1",
    "'x' + $feature.WHEN", "'x' + $feature.RAW", "1 / 0", "Round($feature.NEGATIVE)",
    "Round(1, 99)", "Round(1.005, 2)", "Count($feature)", "1 / 3 * 0.000001 + ''",
    "$feature.NAME == 'x'",
    "1.2.3", "$feature.NAME[0]", "function() {}", "{}", "[1]", "true",
  ])
  func `What is not understood says so, and has no value`(_ text: String) {
    let result = ArcadeExpression(text).evaluate(Self.attributes)
    guard case .notEvaluated(let reason) = result else { return recordWrongKind() }
    #expect(reason.hasSuffix(".") || reason.hasSuffix("\"."))
    #expect(result.value == nil)
  }

  @Test func `Expressions that are nested or chained without end are refused`() {
    for text in [
      String(repeating: "(", count: 100_000), String(repeating: "Upper(", count: 100_000),
      Array(repeating: "1", count: 100_000).joined(separator: "+"),
      Array(repeating: "1", count: 100_000).joined(separator: "*"),
      String(repeating: "-", count: 100_000) + "1",
      (0..<60).reduce("1") { text, _ in "(" + text + String(repeating: "+1", count: 400) + ")" },
    ] {
      #expect(!ArcadeExpression(text).isUnderstood)
    }
  }

  @Test func `Every beginning of an expression is read without harm`() {
    let text = "return Upper($feature['A B']) + (Round(-$feature.RATE * 2.5, 1) / 3); // end"
    #expect(ArcadeExpression(text).isUnderstood)
    for length in 0..<text.count {
      _ = ArcadeExpression(String(text.prefix(length))).evaluate(Self.attributes)
    }
  }

  @Test func `The fields that an expression asks for are known`() {
    #expect(ArcadeExpression("Upper($feature.A) + -$feature['B']").fields == ["A", "B"])
    #expect(ArcadeExpression("When($feature.A)").fields.isEmpty)
  }
}

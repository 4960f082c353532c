import Foundation
import PortolanFeatures
import PortolanMap
import Testing

/// The language itself: values, operators, variables, control flow, and what is refused.
@Suite struct ArcadeExpressionTests {
  static let attributes = Attributes.of([
    "NAME": .text("Katahdin"), "HEIGHT": .integer(1606), "RATE": .double(2.5), "NOTE": .null,
    "WHEN": .date(Date(timeIntervalSince1970: 0)), "BIG": .integer(.max), "EMPTY": .text(""),
    "A B": .text("spaced"), "RAW": .blob(Data()), "NEGATIVE": .double(-2.5),
  ])

  @Test(arguments: [
    ("$feature.NAME", AttributeValue.text("Katahdin")),
    ("$FEATURE.name", .text("Katahdin")),
    (#"$feature["A B"]"#, .text("spaced")),
    ("$feature['A B']", .text("spaced")),
    ("var f = 'NA' + 'ME'; $feature[f]", .text("Katahdin")),
    ("return $feature.NAME;", .text("Katahdin")),
    ("// a comment\n$feature.NAME /* another */", .text("Katahdin")),
    ("$feature.WHEN", .date(Date(timeIntervalSince1970: 0))),
    ("null", .null), ("\"it's\"", .text("it's")), ("'a\\'b\\n\\u0041'", .text("a'b\nA")),
    ("true", .text("true")), ("1e3 + .5", .double(1000.5)),
    ("`${$feature.NAME} (${$feature.HEIGHT + `${1}`})`", .text("Katahdin (16061)")),
    ("`a\\`b` + `{}$`", .text("a`b{}$")),
    ("TextFormatting.NewLine + TextFormatting.DoubleQuote", .text("\n\"")),
    ("textformatting.Tab", .text("\t")), ("PI > 3.14 && Infinity > 1e300", .text("true")),
  ])
  func `Literals, fields and constants have their values`(
    _ text: String, _ value: AttributeValue
  ) {
    #expect(ArcadeExpression(text).evaluate(Self.attributes) == .value(value))
  }

  @Test(arguments: [
    ("'Mount ' + $feature.NAME", AttributeValue.text("Mount Katahdin")),
    ("$feature.NAME + ' (' + $feature.HEIGHT + ' m)'", .text("Katahdin (1606 m)")),
    ("$feature.NAME + $feature.NOTE", .text("Katahdin")),
    ("'x' + $feature.RATE", .text("x2.5")), ("'x' + true + null", .text("xtrue")),
    ("'x' + 0.00001 + 1 / 4", .text("x0.000010.25")),
    ("1 + '2'", .text("12")), ("'3' * '4'", .double(12)), ("'3' - 1", .double(2)),
    ("$feature.HEIGHT * 2 + 1", .double(3213)), ("1 + 2 * 3 - 4 / 2", .double(5)),
    ("(1 + 2) * 3", .double(9)), ("-$feature.RATE", .double(-2.5)), ("7 % 4", .double(3)),
    ("- -2", .double(2)), ("10 - 4 - 3", .double(3)), ("$feature.NOTE + 1", .double(1)),
    ("true + 1", .double(2)), ("+'5'", .double(5)),
  ])
  func `Operators convert their operands as Arcade does`(_ text: String, _ value: AttributeValue) {
    #expect(ArcadeExpression(text).evaluate(Self.attributes) == .value(value))
  }

  @Test(arguments: [
    ("1 == 1.0", true), ("1 == '1'", false), ("'a' == 'A'", false), ("'a' != 'A'", true),
    ("null == null", true), ("null == ''", false), ("$feature.NOTE == null", true),
    ("'a' < 'b'", true), ("'B' < 'a'", true), ("2 < 10", true), ("'10' < 9", false),
    ("1 <= 1 && 1 >= 1 && !(1 < 1)", true), ("'x' > 1 || 'x' <= 1", false),
    ("Date(2020, 0, 1) < Date(2020, 0, 2)", true),
    ("Date(2020, 0, 1) == Date(2020, 0, 1)", true),
    ("false && $feature.MISSING == 1", false), ("true || $feature.MISSING == 1", true),
  ])
  func `Comparisons and logic are those of Arcade`(_ text: String, _ isTrue: Bool) {
    let result = ArcadeExpression(text).evaluate(Self.attributes)
    #expect(result == .value(.text(isTrue ? "true" : "false")))
  }

  @Test(arguments: [
    ("var x = 1; x += 2; x *= 5; x -= 1; x /= 2; x", AttributeValue.double(7)),
    ("var x = 'a'; X += 'b'\nreturn x", .text("ab")), ("var a = 1, b; b", .null),
    ("var i = 1; i++ + ++i", .double(4)), ("var i = 3; i--; --i; i", .double(1)),
    ("if (1 > 2) { 'a' } else if (2 > 1) { 'b' } else { 'c' }", .text("b")),
    ("if (false) return 'a'; return 'b'", .text("b")), ("5; var x = 1", .null),
    ("5; if (false) { 6 }", .null), ("5; for (var i in [1]) { 6 }", .null),
    ("var s = 0; for (var i = 0; i < 5; i++) { if (i == 3) continue; s += i } s", .double(7)),
    ("var s = 0; while (true) { s++; if (s > 9) break; } return s;", .double(10)),
    ("var s = 0; var a = [10, 20, 30]; for (var k in a) { s += a[k] } s", .double(60)),
    ("var s = ''; for (var v of ['a', 'b']) s += v; s", .text("ab")),
    ("var s = ''; var d = { b: 1, 'a c': 2 }; for (var k in d) s += k + d[k]; s", .text("b1a c2")),
    ("for (var i in [1, 2]) { if (i == 1) { return 'found' } }", .text("found")),
    ("function double(x) { return x * 2 } double(double(3))", .double(12)),
    ("twice(2); function twice(x) { x * 2 }", .double(4)),
    ("function f(n) { if (n < 2) { return 1 } return n * f(n - 1) } f(5)", .double(120)),
    ("var x = 1; function f() { var x = 5; return x } f() + x", .double(6)),
    ("var x = 1; function f() { x = 5; } f(); x", .double(5)),
    ("var a = [1, 2]; a[2] = 3; a[0] += 9; a[-1] + a[0]", .double(13)),
    ("var a = [1]; var b = a; b[0] = 7; a[0]", .double(7)),
    ("var d = {}; d.x = 1; d['y'] = [2]; d.X + d.y[0]", .double(3)),
    ("'abc'[1]", .text("b")), ("1;;", .double(1)), (";", .null), ("{ 3 }", .double(3)),
    ("var list = [\n  { name: 'a', n: 2, },\n];\nlist[0].name", .text("a")),
  ])
  func `Statements run in their order, and the last value is the result`(
    _ text: String, _ value: AttributeValue
  ) {
    #expect(ArcadeExpression(text).evaluate(Self.attributes) == .value(value))
  }

  @Test(arguments: [
    ("FeatureSetByName($map, 'x')", "$map"), ("Count($layer)", "$layer"),
    ("Area($feature, 'acres')", "the function Area"), ("Geometry($feature)", "Geometry"),
    ("FeatureSetById('x')", "FeatureSetById"), ("import { f } from 'x'", "import"),
    ("1 === 1", "==="), ("1 ? 2 : 3", "?"), ("a + 1", "uses a"), ("$feature.A = 1", "a field"),
    ("Text(Date(), 'X')", "date format"), ("Text(1, 'E0')", "number format"),
    ("DateAdd(Date(), 1, 'fortnights')", "fortnights"), ("Random()", "Random"),
  ])
  func `Unsupported parts are reported by name`(_ text: String, _ name: String) {
    let result = ArcadeExpression(text).evaluate(Self.attributes)
    guard case .notEvaluated(let reason) = result else { return recordWrongKind() }
    #expect(reason.contains(name) && reason.hasSuffix("."))
  }

  @Test(arguments: [
    "", "1 +", "$feature", "$feature.", "$feature[", "'unclosed", "'a\nb'", "(1", "1)",
    "1 2", "`${1`", "`${}`", "/* open", "1.2.3", "3x", "{", "[1,,2]", "function() {}", "var",
    "if (1", "return return", "a = ", "5 = 6", "x++", "var if = 1", "'\\u00'", "'\\uD800'", "@",
    "$feature.MISSING", "$feature.NAME * 2", "$feature.BIG + 1", "'x' + $feature.RAW",
    "1 / 0", "'x' + 1 / 0", "0 / 0", "[1]", "var d = {}; d", "Round", "if (1) { 2 }", "!'x'",
    "1 && true", "[1][1]", "[1][0.5]", "var a = []; a[1] = 1", "var d = {}; d.x", "null.x",
    "$feature.WHEN + 1", "$feature.WHEN > 5", "break", "function f(x) { x } f()", "f()",
    "Upper()", "Round(1, 2, 3)", "Round(1, 99)", "'x' + [1]", "var x; y = 1", "x; var x = 1",
  ])
  func `An expression that cannot be evaluated has a reason and no value`(_ text: String) {
    let result = ArcadeExpression(text).evaluate(Self.attributes)
    guard case .notEvaluated(let reason) = result else { return recordWrongKind() }
    #expect(reason.hasSuffix("."))
    #expect(result.value == nil)
  }

  @Test func `Expressions that are nested without end are refused`() {
    for text in [
      String(repeating: "(", count: 90_000), String(repeating: "Upper(", count: 15_000),
      String(repeating: "-", count: 90_000) + "1", String(repeating: "{", count: 90_000),
      String(repeating: "[", count: 90_000), String(repeating: "`${", count: 30_000),
      String(repeating: "!", count: 200) + "true", "1" + String(repeating: "[0]", count: 30_000),
      String(repeating: "if (true) ", count: 9000) + "1", String(repeating: "1 + ", count: 90_000),
    ] {
      #expect(!ArcadeExpression(text).isUnderstood)
    }
  }

  @Test func `Long chains are no nesting`() {
    let sum = Array(repeating: "1", count: 3000).joined(separator: " + ")
    #expect(ArcadeExpression(sum).evaluate(Self.attributes) == .value(.double(3000)))
    let branches = (0..<300).map { "if ($feature.HEIGHT == \($0)) { \($0) }" }
      .joined(separator: " else ")
    let choice = ArcadeExpression(branches + " else { 'many' }")
    #expect(choice.evaluate(Self.attributes) == .value(.text("many")))
  }

  @Test(arguments: [
    "while (true) {}", "for (;;) {}", "function f() { return f() } f()",
    "function f(x) { return [f(x), f(x)] } f(1)", "var s = 'x'; while (true) { s += s }",
    "var a = [1]; while (true) { Push(a, 1) }", "var a = [1]; for (;;) { a = Splice(a, a) }",
    "Array(900000000)", "var s = 'ab'; for (;;) { s = Replace(s, 'a', s) }",
    "function g(f) { return g(f) } g(g)", "var a = []; a[0] = a; while (a == a) { a = a[0] }",
  ])
  func `An expression without end is stopped`(_ text: String) {
    let result = ArcadeExpression(text).evaluate(Self.attributes)
    guard case .notEvaluated(let reason) = result else { return recordWrongKind() }
    #expect(
      reason.contains("too many steps") || reason.contains("too deeply")
        || reason.contains("too long"))
  }

  @Test(arguments: [
    "Count(Sort(Array(2000, s)))", "Includes(Array(2000, s), t)", "IndexOf(Array(2000, s), t)",
    "Count(Distinct(Array(60, s)))", "for (var i = 0; i < 60; i++) { s == t } 1",
    "for (var i = 0; i < 60; i++) { s < t } 1",
    "for (var i = 0; i < 30; i++) { Decode(t, s, 1, s, 2, 3) } 1",
  ])
  func `The comparison of long texts counts as many steps`(_ text: String) {
    let long = "var s = 'a'; for (var n = 0; n < 18; n++) { s += s } var t = Left(s, 262143) + 'b';"
    #expect(
      ArcadeExpression("\(long) \(text)").evaluate(Self.attributes)
        == .notEvaluated(reason: "The Arcade expression takes too many steps."))
  }

  @Test func `Every beginning of an expression is read without harm`() {
    let text = """
      var a = [1, `x${$feature['A B']}`]; function f(x) { for (var i in x) { return x[i] } }
      return When(f(a) >= 1 && !IsEmpty($feature.NAME), Round(-$feature.RATE / 3, 1), {b: 'c'}.b);
      """
    #expect(ArcadeExpression(text).evaluate(Self.attributes) == .value(.double(-0.8)))
    for length in 0..<text.count {
      _ = ArcadeExpression(String(text.prefix(length))).evaluate(Self.attributes)
    }
  }

  @Test(arguments: [
    ("Upper($feature.A) + -$feature['B']", ["A", "B"]), ("`${$feature.A}`", ["A"]),
    ("DefaultValue($feature, 'C', $feature.D)", ["D", "C"]), ("$feature['A' + 1]", ["*"]),
    ("var f = $feature; f.A", ["*"]), ("for (var k in $feature) { k }", ["*"]),
    ("Expects($feature, 'A', 'B'); 1", ["A", "B"]), ("Expects($feature, 'A*'); 1", ["*"]),
    ("HasKey($feature, 'A')", ["A"]),
    ("$layer.A", []),
  ])
  func `The fields that an expression asks for are known`(_ text: String, _ fields: [String]) {
    #expect(ArcadeExpression(text).fields == fields)
  }
}

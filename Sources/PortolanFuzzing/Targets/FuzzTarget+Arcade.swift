internal import Foundation
internal import PortolanFeatures
internal import PortolanMap

extension FuzzTarget {
  /// An expression is read and evaluated.
  static let arcade = FuzzTarget(
    "arcade",
    words: [
      "$feature", ".", "[\"", "\"]", "(", ")", "((((((((", "+", "-", "*", "/", "\"", "'", "return ",
      "Round(", "Text(", "DefaultValue(", "Upper(", ",", "null", "1e308", "//", "/*", ";", "\\u",
      "var a = ", "a", "if (", "else ", "for (var i in ", "for (;;) ", "while (true) ", "{", "}",
      "function f(x) { return ", "f(", "[", "]", "`", "${", "&&", "||", "==", "<", "+=", "++",
      "Splice(a, a)", "Replace(", "Sort(", "Map(", "Date(", "DateAdd(", "'#,##0.00'", "Array(1e9)",
    ],
    texts: [
      "$feature.NAME + ' (' + $feature[\"DEPTH\"] + ')'", "return Round($feature.DEPTH * 2.5, 1);",
      "DefaultValue($feature.PHOTO, Upper(Trim(\" a\\n\")))", "-(1 + 2) / (3 - $feature.KIND)",
      "Text($feature.DRILLED) + Lower($feature.NAME) + null",
      "var s = ''; for (var i in [1, 'a', null]) { s += `${i}: ${Text(i, '#,##0.0')}` } return s;",
      "function f(n) { if (n < 2) { return 1 } return n * f(n - 1) } f($feature.KIND)",
      "var a = [3, 1]; a[2] = 5; Push(a, 2); Concatenate(Sort(Distinct(a)), '/', '0.0')",
      "When($feature.DEPTH > 3 && !IsEmpty($feature.NAME), 'x', Decode($feature.KIND, 1, 'a', 'b'))",
      "Text(DateAdd($feature.DRILLED, 1.5, 'days'), 'dddd, MMMM D, Y @ h:mm A') + ISOWeek(Now())",
      "var d = {a: {'b': [1]}}; d.a.b[0]++; DateDiff(Date(2020, 1, 31), Date('2019-02-01'), 'months')",
      "Replace(Proper(Mid($feature.NAME, 1, 3)), 'l', Split('a,b', ',')[1]) + Find('l', 'hello', 1)",
    ]
  ) { data in
    let expression = ArcadeExpression(String(decoding: data, as: UTF8.self))
    _ = (expression.isUnderstood, expression.fields)
    let zone = TimeZone(identifier: "Europe/Zurich") ?? .gmt
    let context = ArcadeContext(timeZone: zone, now: { Date(timeIntervalSince1970: 1_700_000_000) })
    _ = expression.evaluate(WhereSeeds.row, in: context)
  }
}

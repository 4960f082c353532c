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
    ],
    texts: [
      "$feature.NAME + ' (' + $feature[\"DEPTH\"] + ')'", "return Round($feature.DEPTH * 2.5, 1);",
      "DefaultValue($feature.PHOTO, Upper(Trim(\" a\\n\")))", "-(1 + 2) / (3 - $feature.KIND)",
      "Text($feature.DRILLED) + Lower($feature.NAME) + null",
    ]
  ) { data in
    let expression = ArcadeExpression(String(decoding: data, as: UTF8.self))
    _ = (expression.isUnderstood, expression.fields)
    _ = expression.evaluate(WhereSeeds.row)
  }
}

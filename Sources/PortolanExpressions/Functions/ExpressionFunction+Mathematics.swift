internal import Foundation

extension ExpressionFunction {
  static let mathematics: [String: [ExpressionFunction]] = [
    "e": [numeric(0) { _ in M_E }], "pi": [numeric(0) { _ in .pi }],
    "ln2": [numeric(0) { _ in M_LN2 }],
    "+": [numeric { $0.reduce(0, +) }], "*": [numeric { $0.reduce(1, *) }],
    "-": [numeric(2) { $0[0] - $0[1] }, numeric(1) { -$0[0] }],
    "/": [numeric(2) { $0[0] / $0[1] }],
    "%": [numeric(2) { $0[0].truncatingRemainder(dividingBy: $0[1]) }],
    "^": [numeric(2) { pow($0[0], $0[1]) }],
    "min": [numeric { $0.contains { $0.isNaN } ? .nan : $0.min() ?? .infinity }],
    "max": [numeric { $0.contains { $0.isNaN } ? .nan : $0.max() ?? -.infinity }],
    "sqrt": [numeric(1) { $0[0].squareRoot() }], "abs": [numeric(1) { abs($0[0]) }],
    "floor": [numeric(1) { $0[0].rounded(.down) }], "ceil": [numeric(1) { $0[0].rounded(.up) }],
    "round": [numeric(1) { $0[0].rounded(.toNearestOrAwayFromZero) }],
    "ln": [numeric(1) { log($0[0]) }], "log10": [numeric(1) { log10($0[0]) }],
    "log2": [numeric(1) { log2($0[0]) }],
    "sin": [numeric(1) { sin($0[0]) }], "cos": [numeric(1) { cos($0[0]) }],
    "tan": [numeric(1) { tan($0[0]) }], "asin": [numeric(1) { asin($0[0]) }],
    "acos": [numeric(1) { acos($0[0]) }], "atan": [numeric(1) { atan($0[0]) }],
    "!": [
      ExpressionFunction(.boolean, .exactly([.boolean])) { values, _ throws(EvaluationFault) in
        .bool(!values[0].isTrue)
      }
    ],
    "rgb": [color([.number, .number, .number])],
    "rgba": [color([.number, .number, .number, .number])],
    "hsl": [hsl([.number, .number, .number])],
    "hsla": [hsl([.number, .number, .number, .number])],
    "to-rgba": [
      ExpressionFunction(.array(.number, 4), .exactly([.color])) {
        values, _ throws(EvaluationFault) in
        guard case .color(let color) = values[0] else { return .null }
        return .list(
          [color.red * 255, color.green * 255, color.blue * 255, color.alpha].map(StyleValue.number)
        )
      }
    ],
  ]

  private static func color(_ types: [ExpressionType]) -> ExpressionFunction {
    ExpressionFunction(.color, .exactly(types)) { values, _ throws(EvaluationFault) in
      guard let color = StyleColor(bytes: values.compactMap(\.number)) else {
        throw EvaluationFault("Red, green and blue are from 0 to 255, and opacities from 0 to 1.")
      }
      return .color(color)
    }
  }

  /// Of the style specification of Mapbox: hue in degrees up to 360, saturation and lightness in percent.
  private static func hsl(_ types: [ExpressionType]) -> ExpressionFunction {
    ExpressionFunction(.color, .exactly(types)) { values, _ throws(EvaluationFault) in
      let parts = values.compactMap(\.number)
      guard parts.count == types.count, (0...360).contains(parts[0]),
        (0...100).contains(parts[1]), (0...100).contains(parts[2]),
        parts.count == 3 || (0...1).contains(parts[3])
      else {
        throw EvaluationFault(
          "Hues are from 0 to 360, saturation and lightness to 100, and opacities to 1.")
      }
      return .color(
        StyleColor(
          hue: parts[0], saturation: parts[1] / 100, lightness: parts[2] / 100,
          alpha: parts.count == 4 ? parts[3] : 1))
    }
  }
}

/// The functions of styles whose arguments are expressions.
///
/// - SeeAlso: [Expressions](https://maplibre.org/maplibre-style-spec/expressions/)
enum StyleFunction: String, Sendable {
  // Decisions, whose arguments are evaluated only where they count.
  case all, any, none, `case`, coalesce, `var`

  // The feature and the zoom.
  case get, has, zoom, id, properties
  case hasNot = "!has"
  case legacyID = "$id"
  case geometryType = "geometry-type"
  case legacyType = "$type"
  case featureState = "feature-state"

  // Comparisons.
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case not = "!"
  case `in`
  case notIn = "!in"

  // Numbers.
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case remainder = "%"
  case power = "^"
  case min, max, abs, floor, ceil, round, sqrt, ln, log10, log2, sin, cos, tan, asin, acos, atan
  case pi, e, ln2

  // Texts and lists.
  case concat, upcase, downcase, length, at, slice, split, join
  case indexOf = "index-of"
  case isSupportedScript = "is-supported-script"

  // Conversions and colours.
  case string, number, boolean, array, typeof, image, rgb, rgba, hsl, hsla
  case toString = "to-string"
  case toNumber = "to-number"
  case toBoolean = "to-boolean"
  case toColor = "to-color"
  case toRGBA = "to-rgba"

  /// The value for arguments that have been evaluated; null where there is none.
  func value(_ values: [StyleValue], _ context: StyleContext) -> StyleValue {
    feature(values, context) ?? comparison(values) ?? arithmetic(values) ?? text(values)
      ?? conversion(values) ?? .null
  }

  private func feature(_ values: [StyleValue], _ context: StyleContext) -> StyleValue? {
    switch self {
    case .zoom: .number(context.zoom)
    case .get: context.property(values.first?.text ?? "")
    case .has: .bool(context.feature?.properties[values.first?.text ?? ""] != nil)
    case .hasNot: .bool(context.feature?.properties[values.first?.text ?? ""] == nil)
    case .id, .legacyID: context.feature?.id.map(StyleValue.number) ?? .null
    case .geometryType, .legacyType:
      (context.feature?.kind.rawValue).map(StyleValue.text) ?? .null
    case .properties, .featureState: .null
    default: nil
    }
  }

  private func comparison(_ values: [StyleValue]) -> StyleValue? {
    switch self {
    case .not: return .bool(!(values.first?.isTrue ?? false))
    case .in, .notIn: return isIn(values).map { .bool($0 == (self == .in)) } ?? .null
    case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard values.count >= 2 else { return .null }
      return .bool(compare(values[0], values[1]))
    default: return nil
    }
  }

  private func isIn(_ values: [StyleValue]) -> Bool? {
    guard let value = values.first else { return nil }
    switch values.dropFirst().first {
    case .list(let elements): return elements.contains(value)
    // The older form has the values as further arguments.
    case .text(let text) where values.count == 2: return text.contains(value.text)
    default: return values.dropFirst().contains(value)
    }
  }

  /// Numbers are compared with numbers and texts with texts; others are only equal or not.
  private func compare(_ left: StyleValue, _ right: StyleValue) -> Bool {
    if self == .equal { return left == right }
    if self == .unequal { return left != right }
    switch (left, right) {
    case (.number(let left), .number(let right)): return holds(left, right)
    case (.text(let left), .text(let right)): return holds(left, right)
    default: return false
    }
  }

  private func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }
}

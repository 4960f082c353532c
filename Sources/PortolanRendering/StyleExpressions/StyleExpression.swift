internal import PortolanJSON

/// An expression of a Mapbox style, ready to be evaluated for many features.
///
/// Understood are most expressions of version 8 (Docs/PICTURES.md has the list), the functions with
/// stops before them, and texts with `{NAME}`. Whatever cannot be evaluated has no value, and the
/// property its usual one.
///
/// - SeeAlso: [Expressions](https://maplibre.org/maplibre-style-spec/expressions/)
indirect enum StyleExpression: Sendable {
  case literal(StyleValue)
  /// A text with names of properties in braces.
  case template(String)
  case call(StyleFunction, [StyleExpression])
  case match(StyleExpression, [StyleValue: StyleExpression], StyleExpression)
  case curve(StyleCurve)
  case binding([(String, StyleExpression)], StyleExpression)
  /// A number as people write it, with so many digits behind the point.
  case numberFormat(StyleExpression, digits: ClosedRange<Int>)

  /// Reads a value of a property; `nil` if an expression in it is not understood.
  init?(_ json: JSONValue) {
    var reader = StyleExpressionReader(property: "")
    guard let expression = reader.expression(json) else { return nil }
    self = expression
  }
}

internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap

/// The source of the value of a visual variable.
enum VariableValue: Sendable {
  /// A field, divided by another one.
  case field(String, divisor: String?)
  case expression(ArcadeExpression, divisor: String?)
  /// The scale of the picture.
  case viewScale(Double)

  /// `nil` if the variable names no source.
  init?(_ variable: VisualVariable, viewScale: Double) {
    let divisor = variable.normalizationField
    if let field = variable.field {
      self = .field(field, divisor: divisor)
      return
    }
    let text = variable.valueExpression ?? variable.json.text("expression")
    guard let text else { return nil }
    let plain = text.lowercased().filter { !" \n\t;$".contains($0) }
    let isViewScale = ["view.scale", "returnview.scale"].contains(plain)
    self =
      isViewScale
      ? .viewScale(viewScale) : .expression(ArcadeExpression(text), divisor: divisor)
  }

  /// Whether the value can be had.
  var isUnderstood: Bool {
    if case .expression(let expression, _) = self { expression.isUnderstood } else { true }
  }

  /// The fields whose values are requested.
  var fields: [String] {
    switch self {
    case .field(let name, let divisor): [name, divisor].compactMap(\.self)
    case .expression(let expression, let divisor):
      expression.fields + [divisor].compactMap(\.self)
    case .viewScale: []
    }
  }

  /// The number for a feature; `nil` if there is none.
  func number(for attributes: Attributes) -> Double? {
    switch self {
    case .viewScale(let scale): return scale
    case .field(let name, let divisor):
      return Self.divided(attributes[name]?.classifiableNumber, by: divisor, attributes)
    case .expression(let expression, let divisor):
      return Self.divided(
        expression.evaluate(attributes).value?.classifiableNumber, by: divisor, attributes)
    }
  }

  private static func divided(
    _ number: Double?, by divisor: String?, _ attributes: Attributes
  ) -> Double? {
    guard let number, number.isFinite else { return nil }
    guard let divisor else { return number }
    guard let share = attributes[divisor]?.number, share != 0 else { return nil }
    return number / share
  }
}

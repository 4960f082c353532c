internal import PortolanExpressions

extension PropertySpecification {
  /// The zooms at which values that follow the zoom are looked at.
  private static let zooms = 0...24

  /// The names that a property chooses among, or lists; `nil` for other properties.
  var choices: Set<String>? {
    switch kind {
    case .choice(let names), .array(.choice(let names)?, length: _): names
    default: nil
    }
  }

  /// A name that the property has at some zoom and that is none of its choices; `nil` if there is none,
  /// or if it would take a feature to know.
  func unknownChoice(of expression: StyleExpression) -> String? {
    guard let choices, expression.isFeatureConstant else { return nil }
    for zoom in expression.isZoomConstant ? 0...0 : Self.zooms {
      // If an expression has no value, the property has its default.
      let value = (try? expression.value(EvaluationContext(zoom: Double(zoom)))) ?? .null
      let names = value.list?.compactMap(\.string) ?? [value.string].compactMap(\.self)
      if let unknown = names.first(where: { !choices.contains($0) }) { return unknown }
    }
    return nil
  }
}

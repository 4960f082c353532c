extension WhereCondition {
  /// Whether it holds for a feature whose values are in the order of the fields; `nil` if that
  /// cannot be said, since a value is missing.
  func holds(_ values: [AttributeValue]) -> Bool? {
    switch self {
    case .comparison(let operation, let left, let right):
      return left.value(values).order(right.value(values)).map { operation.holds(for: $0) }
    case .isNull(let part): return part.value(values).isNull
    case .like(let part, let pattern):
      guard case .text(let text) = part.value(values) else { return nil }
      return pattern.matches(text)
    case .isIn(let part, let elements): return Self.holds(part, isIn: elements, values)
    case .all(let parts): return Self.holds(parts, until: false, values)
    case .any(let parts): return Self.holds(parts, until: true, values)
    case .not(let part): return part.holds(values).map { !$0 }
    }
  }

  private static func holds(
    _ part: ValueExpression, isIn elements: [ValueExpression], _ values: [AttributeValue]
  ) -> Bool? {
    let value = part.value(values)
    guard !value.isNull else { return nil }
    var isKnown = true
    for element in elements {
      guard let order = value.order(element.value(values)) else {
        isKnown = false
        continue
      }
      if order == 0 { return true }
    }
    return isKnown ? false : nil
  }

  /// The first part that is `deciding` decides; else one that is not known does.
  private static func holds(
    _ parts: [WhereCondition], until deciding: Bool, _ values: [AttributeValue]
  ) -> Bool? {
    var isKnown = true
    for part in parts {
      guard let holds = part.holds(values) else {
        isKnown = false
        continue
      }
      if holds == deciding { return deciding }
    }
    return isKnown ? !deciding : nil
  }
}

extension WhereExpression.ComparisonOperator {
  /// Whether it holds between two values in this order.
  fileprivate func holds(for order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

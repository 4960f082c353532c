internal import PortolanFeatures
internal import PortolanJSON

/// A condition in SQL as a filter of a style.
///
/// What SQL takes for neither true nor false, since a value is missing, is false here, and so is its
/// negation.
struct StyleFilter {
  private let schema: FeatureTableSchema

  init(schema: FeatureTableSchema) { self.schema = schema }

  /// The filter; `nil` if styles cannot say it.
  func filter(_ clause: String) -> JSONValue? {
    // What cannot be read cannot be said either; the caller reports the condition.
    guard let clause = try? WhereClause(clause) else { return nil }
    guard let expression = clause.expression else { return true }
    return filter(expression, isNegated: false)
  }

  private func filter(_ expression: WhereExpression, isNegated: Bool) -> JSONValue? {
    switch expression.kind {
    case .not(let inner): filter(inner, isNegated: !isNegated)
    case .and(let parts): joined(isNegated ? "any" : "all", parts, isNegated)
    case .or(let parts): joined(isNegated ? "all" : "any", parts, isNegated)
    case .comparison(let comparison, let left, let right):
      filter(isNegated ? comparison.opposite : comparison, left, right)
    case .isNull(let value): presence(of: value, isWanted: isNegated)
    case .between(let value, let low, let high):
      joined(
        isNegated ? "any" : "all",
        [
          filter(isNegated ? .less : .greaterOrEqual, value, low),
          filter(isNegated ? .greater : .lessOrEqual, value, high),
        ])
    case .isIn(let value, let list):
      joined(
        isNegated ? "all" : "any", list.map { filter(isNegated ? .notEqual : .equal, value, $0) })
    default: nil
    }
  }

  private func joined(
    _ name: String, _ parts: [WhereExpression], _ isNegated: Bool
  ) -> JSONValue? {
    joined(name, parts.map { filter($0, isNegated: isNegated) })
  }

  private func joined(_ name: String, _ parts: [JSONValue?]) -> JSONValue? {
    let known = parts.compactMap(\.self)
    guard known.count == parts.count else { return nil }
    return .array([.string(name)] + known)
  }

  private func presence(of expression: WhereExpression, isWanted: Bool) -> JSONValue? {
    guard let value = value(expression) else { return nil }
    guard let isPresent = value.isPresent else { return .bool(isWanted) }
    return isWanted ? isPresent : ["!", isPresent]
  }

  private func value(_ expression: WhereExpression) -> StyleValue? {
    guard case .field(let name) = expression.kind else { return nil }
    return StyleValue(of: name, in: schema)
  }

  /// A comparison of a field with a text or a number, in either order.
  private func filter(
    _ comparison: WhereExpression.ComparisonOperator, _ left: WhereExpression,
    _ right: WhereExpression
  ) -> JSONValue? {
    guard let value = value(left) else {
      return value(right) == nil ? nil : filter(comparison.turnedRound, right, left)
    }
    guard let operands = operands(value, right) else { return nil }
    let compared: JSONValue = [.string(comparison.styleName), operands.0, operands.1]
    return value.isPresent.map { ["all", $0, compared] } ?? compared
  }

  /// The two sides as values of one type.
  private func operands(
    _ value: StyleValue, _ literal: WhereExpression
  ) -> (JSONValue, JSONValue)? {
    guard let constant = constant(literal) else { return nil }
    switch (constant, value.field.type) {
    case (.text(let text), .string): return (value.text, .string(text))
    case (_, let type) where type.isNumeric:
      return constant.asNumber.map { (value.number(missing: 0), .number($0)) }
    default: return nil
    }
  }

  private func constant(_ expression: WhereExpression) -> AttributeValue? {
    switch expression.kind {
    case .literal(let value): return value
    case .negation(let inner):
      guard case .literal(let value) = inner.kind else { return nil }
      return value.number.map { .double(-$0) }
    default: return nil
    }
  }
}

extension AttributeValue {
  /// The number, also where it is written as text.
  fileprivate var asNumber: Double? {
    if case .text(let text) = self { Double(text) } else { number }
  }
}

extension WhereExpression.ComparisonOperator {
  fileprivate var styleName: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    default: rawValue
    }
  }

  /// What holds where this does not.
  fileprivate var opposite: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  /// The same with the sides exchanged.
  fileprivate var turnedRound: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// Numbers as SQLite calculates with them: whole ones as long as they fit, else doubles.
enum SQLNumber {
  /// The number that digits write; `nil` if they write none.
  static func parse(_ text: String) -> AttributeValue? {
    if let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { return nil }
    return .double(double)
  }

  /// The number with the other sign; `nil` if this is none.
  static func negated(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer(let integer): integer == .min ? .double(-Double(integer)) : .integer(-integer)
    case .double(let double): .double(-double)
    default: nil
    }
  }

  /// The result of an operator; `null` if an operand is none, or there is no result.
  static func calculate(
    _ operation: WhereExpression.ArithmeticOperator, _ left: AttributeValue,
    _ right: AttributeValue
  ) -> AttributeValue {
    if case .integer(let left) = left, case .integer(let right) = right {
      return whole(operation, left, right)
    }
    guard let left = left.number, let right = right.number else { return .null }
    return double(operation, left, right)
  }

  private static func whole(
    _ operation: WhereExpression.ArithmeticOperator, _ left: Int64, _ right: Int64
  ) -> AttributeValue {
    if operation == .divide, right == 0 { return .null }
    let (result, hasOverflow) =
      switch operation {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      }
    return hasOverflow ? double(operation, Double(left), Double(right)) : .integer(result)
  }

  private static func double(
    _ operation: WhereExpression.ArithmeticOperator, _ left: Double, _ right: Double
  ) -> AttributeValue {
    if operation == .divide, right == 0 { return .null }
    let result =
      switch operation {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    return result.isNaN ? .null : .double(result)
  }

  /// The whole number that remains when the fraction is cut off, within 64 bits.
  static func truncated(_ value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .double(let double): double.isNaN ? nil : truncated(double)
    default: nil
    }
  }

  private static func truncated(_ double: Double) -> Int64 {
    // 2^63 is the first double that does not fit.
    if double >= 9_223_372_036_854_775_808 { return .max }
    return double <= -9_223_372_036_854_775_808 ? .min : Int64(double)
  }

  /// Which of two numbers is the greater, exactly, also where a double cannot hold the whole one.
  static func order(_ left: AttributeValue, _ right: AttributeValue) -> Int? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): sign(left, right)
    case (.double(let left), .double(let right)): sign(left, right)
    case (.integer(let left), .double(let right)): order(left, right)
    case (.double(let left), .integer(let right)): order(right, left).map { -$0 }
    default: nil
    }
  }

  private static func order(_ left: Int64, _ right: Double) -> Int? {
    guard !right.isNaN else { return nil }
    let whole = truncated(right)
    if left != whole { return left < whole ? -1 : 1 }
    // Where 64 bits end, the truncated number may be less than the double.
    if right >= 9_223_372_036_854_775_808 { return -1 }
    return right > Double(whole) ? -1 : right < Double(whole) ? 1 : 0
  }

  private static func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int? {
    left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
  }
}

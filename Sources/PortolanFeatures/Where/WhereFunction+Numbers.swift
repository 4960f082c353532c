internal import Foundation

extension WhereFunction {
  /// The functions of numbers; whole ones stay whole.
  func callOnNumbers(_ arguments: [AttributeValue]) -> AttributeValue {
    switch self {
    case .abs: return magnitude(of: arguments[0])
    case .round: return rounded(arguments[0], to: arguments.count > 1 ? arguments[1] : .integer(0))
    case .floor: return rounded(arguments[0], .down)
    case .ceiling: return rounded(arguments[0], .up)
    case .mod: return remainder(arguments[0], arguments[1])
    default: return .null
    }
  }

  /// What can be turned into another kind; text that writes no number becomes none.
  func cast(_ value: AttributeValue) -> AttributeValue {
    switch self {
    case .castToInteger:
      return SQLNumber.truncated(Self.number(in: value)).map { .integer($0) } ?? .null
    case .castToDouble: return Self.number(in: value).number.map { .double($0) } ?? .null
    case .castToText: return Self.text(of: value)
    default: return .null
    }
  }

  private func magnitude(of value: AttributeValue) -> AttributeValue {
    switch value {
    case .integer(let integer): integer < 0 ? SQLNumber.negated(value) ?? .null : value
    case .double(let double): .double(Swift.abs(double))
    default: .null
    }
  }

  private func rounded(
    _ value: AttributeValue, _ rule: FloatingPointRoundingRule
  ) -> AttributeValue {
    if case .double(let double) = value { return .double(double.rounded(rule)) }
    return value.number == nil ? .null : value
  }

  private func rounded(_ value: AttributeValue, to digits: AttributeValue) -> AttributeValue {
    guard let number = value.number, let digits = SQLNumber.truncated(digits) else { return .null }
    if case .integer = value, digits >= 0 { return value }
    guard digits >= -18 else { return .double(0) }
    let power = pow(10, Double(Swift.min(Swift.abs(digits), 18)))
    let scaled = digits < 0 ? number / power : number * power
    // A double beyond 2^52 has no fraction to round.
    guard scaled.magnitude < 4_503_599_627_370_496 else { return value }
    let whole = scaled.rounded(.toNearestOrAwayFromZero)
    return .double(digits < 0 ? whole * power : whole / power)
  }

  private func remainder(_ left: AttributeValue, _ right: AttributeValue) -> AttributeValue {
    guard let left = SQLNumber.truncated(left), let right = SQLNumber.truncated(right), right != 0
    else { return .null }
    // The least number divided by -1 does not fit, though its remainder does.
    return .integer(right == -1 ? 0 : left % right)
  }

  private static func number(in value: AttributeValue) -> AttributeValue {
    guard case .text(let text) = value else { return value }
    return SQLNumber.parse(text.trimmingCharacters(in: .whitespaces)) ?? .null
  }

  private static func text(of value: AttributeValue) -> AttributeValue {
    switch value {
    case .text: value
    case .integer(let integer): .text(String(integer))
    case .double(let double):
      .text(Int64(exactly: double).map { String($0) } ?? "\(double)")
    default: .null
    }
  }
}

internal import Foundation

extension ArcadeEvaluator {
  mutating func apply(
    _ operation: ArcadeOperator, _ left: ArcadeValue, _ right: ArcadeValue
  ) throws(ArcadeError) -> ArcadeValue {
    switch operation {
    case .add:
      if left.isText || right.isText { return try made(try text(joining: [left, right])) }
      return .number(try left.number() + right.number())
    case .subtract: return .number(try left.number() - right.number())
    case .multiply: return .number(try left.number() * right.number())
    case .divide: return .number(try left.number() / right.number())
    case .remainder:
      return .number(try left.number().truncatingRemainder(dividingBy: right.number()))
    case .equal: return .boolean(try isEqual(left, right))
    case .notEqual: return .boolean(!(try isEqual(left, right)))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try spend(min(left.comparisonCost, right.comparisonCost))
      return .boolean(try Self.isOrdered(operation, left, right))
    }
  }

  /// Whether two values are the same, paid for by how long it takes to see that.
  mutating func isEqual(
    _ left: ArcadeValue, _ right: ArcadeValue
  ) throws(ArcadeError) -> Bool {
    try spend(min(left.comparisonCost, right.comparisonCost))
    return left.isEqual(to: right)
  }

  /// Texts are compared by their characters, dates by their moments, all else as numbers; what
  /// is no number is neither less nor greater.
  private static func isOrdered(
    _ operation: ArcadeOperator, _ left: ArcadeValue, _ right: ArcadeValue
  ) throws(ArcadeError) -> Bool {
    if case .text(let left) = left, case .text(let right) = right {
      let isLess = left.utf16.lexicographicallyPrecedes(right.utf16)
      let isEqual = left.utf8.elementsEqual(right.utf8)
      return isOrdered(operation, isLess: isLess, isEqual: isEqual)
    }
    let first = try comparable(left, with: right)
    let second = try comparable(right, with: left)
    guard !first.isNaN, !second.isNaN else { return false }
    return isOrdered(operation, isLess: first < second, isEqual: first == second)
  }

  private static func isOrdered(
    _ operation: ArcadeOperator, isLess: Bool, isEqual: Bool
  ) -> Bool {
    switch operation {
    case .less: isLess
    case .lessOrEqual: isLess || isEqual
    case .greater: !isLess && !isEqual
    default: !isLess
    }
  }

  private static func comparable(
    _ value: ArcadeValue, with other: ArcadeValue
  ) throws(ArcadeError) -> Double {
    guard case .date(let date) = value else { return try value.number() }
    switch other {
    case .date, .null: return date.milliseconds
    default: throw .wrongValue("compares a date with something that is no date")
    }
  }

  // MARK: Text

  /// The values as text, one after the other.
  func text(joining values: [ArcadeValue]) throws(ArcadeError) -> String {
    var joined = ""
    for value in values {
      joined += try text(of: value)
      guard joined.utf8.count <= Self.maximumLength else { throw .tooLong }
    }
    return joined
  }

  /// A value as Arcade joins it to a text: nothing for `null`, ISO 8601 for dates.
  func text(of value: ArcadeValue) throws(ArcadeError) -> String {
    switch value {
    case .null: return ""
    case .boolean(let isTrue): return isTrue ? "true" : "false"
    case .number(let number): return try ArcadeRounding.text(number)
    case .text(let text): return text
    case .date(let date): return try date.isoText()
    case .array, .dictionary, .function, .feature:
      throw .notSupported("an array, a dictionary or a function as text")
    }
  }
}

extension ArcadeValue {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }
}

internal import PortolanFeatures

/// A part of an expression, as a tree.
indirect enum ArcadeTerm: Hashable, Sendable {
  case literal(AttributeValue)
  case field(String)
  case negation(ArcadeTerm)
  case operation(Character, ArcadeTerm, ArcadeTerm)
  case call(ArcadeExpression.Function, [ArcadeTerm])

  var fields: [String] {
    switch self {
    case .literal: []
    case .field(let name): [name]
    case .negation(let term): term.fields
    case .operation(_, let left, let right): left.fields + right.fields
    case .call(_, let arguments): arguments.flatMap(\.fields)
    }
  }

  func value(for attributes: Attributes) throws(ArcadeFailure) -> AttributeValue {
    switch self {
    case .literal(let value): return value
    case .field(let name):
      guard let value = attributes[name] else {
        throw ArcadeFailure(reason: "There is no field \"\(name)\".")
      }
      return value
    case .negation(let term):
      return .double(-(try Self.number(try term.value(for: attributes))))
    case .operation(let sign, let left, let right):
      return try Self.apply(
        sign, try left.value(for: attributes), try right.value(for: attributes))
    case .call(let function, let arguments):
      var values: [AttributeValue] = []
      for argument in arguments { values.append(try argument.value(for: attributes)) }
      return try Self.call(function, values)
    }
  }

  private static func apply(
    _ sign: Character, _ left: AttributeValue, _ right: AttributeValue
  ) throws(ArcadeFailure) -> AttributeValue {
    if sign == "+", left.isText || right.isText {
      let joined = try text(left) + text(right)
      // A chain may name a long text a thousand times.
      guard joined.utf8.count <= TextTemplate.maximumLength else {
        throw ArcadeFailure(reason: "The text grows too long.")
      }
      return .text(joined)
    }
    let first = try number(left)
    let second = try number(right)
    switch sign {
    case "+": return .double(first + second)
    case "-": return .double(first - second)
    case "*": return .double(first * second)
    default:
      guard second != 0 else { throw ArcadeFailure(reason: "It divides by zero.") }
      return .double(first / second)
    }
  }

  private static func call(
    _ function: ArcadeExpression.Function, _ values: [AttributeValue]
  ) throws(ArcadeFailure) -> AttributeValue {
    switch (function, values.count) {
    case (.text, 1): return .text(try text(values[0]))
    case (.upper, 1): return .text(try text(values[0]).uppercased())
    case (.lower, 1): return .text(try text(values[0]).lowercased())
    case (.trim, 1): return .text(try text(values[0]).trimmingBlanks())
    case (.round, 1): return .double(try rounded(values[0], places: 0))
    case (.round, 2):
      return .double(try rounded(values[0], places: try number(values[1])))
    case (.defaultValue, 2):
      return values[0].isNull || values[0] == .text("") ? values[1] : values[0]
    default:
      throw ArcadeFailure(
        reason: "\(function.rawValue) is not evaluated with \(values.count) arguments.")
    }
  }

  /// A value as Arcade joins it to a text: nothing for `null`, the shortest digits for a number.
  private static func text(_ value: AttributeValue) throws(ArcadeFailure) -> String {
    switch value {
    case .null: return ""
    case .text(let text): return text
    case .integer, .double:
      let number = try number(value)
      let isPlain = number == number.rounded() || (1e-4..<1e15).contains(abs(number))
      guard isPlain else { throw ArcadeFailure(reason: "A number is out of range.") }
      return DecimalText.shortest(number)
    case .date: throw ArcadeFailure(reason: "Dates are not evaluated.")
    case .blob: throw ArcadeFailure(reason: "Binary values are not evaluated.")
    }
  }

  /// A number that a double holds exactly, as Arcade's numbers are doubles.
  private static func number(_ value: AttributeValue) throws(ArcadeFailure) -> Double {
    guard let number = value.number, number.isFinite, abs(number) <= 9_007_199_254_740_992 else {
      throw ArcadeFailure(reason: "It calculates with something that is no number.")
    }
    return number
  }

  private static func rounded(
    _ value: AttributeValue, places: Double
  ) throws(ArcadeFailure) -> Double {
    let number = try number(value)
    guard let places = Int(exactly: places), (0...10).contains(places) else {
      throw ArcadeFailure(reason: "It rounds to an unusual number of digits.")
    }
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let scaled = number * factor
    // Which way halves go is beyond doubt only for positive numbers rounded to whole ones: else
    // it depends on how 1.005 is brought to two digits.
    let distance = abs(abs(scaled - scaled.rounded(.towardZero)) - 0.5)
    guard distance > 1e-9 * max(1, abs(scaled)) || (places == 0 && number >= 0) else {
      throw ArcadeFailure(reason: "It rounds a half, which may go either way.")
    }
    return scaled.rounded() / factor
  }
}

extension AttributeValue {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }
}

extension String {
  /// The text without white space at its ends.
  func trimmingBlanks() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

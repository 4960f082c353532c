/// A function of where clauses.
///
/// All are deterministic. A store that asks a database registers them there with ``call(_:)`` as
/// their body, so that the same code answers in SQL and in memory.
public enum WhereFunction: String, Hashable, Sendable, CaseIterable {
  case upper
  case lower
  case charLength
  case substring
  case trim
  case trimLeading
  case trimTrailing
  case position
  case abs
  case round
  case floor
  case ceiling
  case mod
  case castToInteger
  case castToDouble
  case castToText
  /// Text to milliseconds since 1970.
  case castToTimestamp
  /// Milliseconds since 1970, back to midnight.
  case startOfDay
  case year
  case month
  case day
  case hour
  case minute
  case second

  /// How many arguments it takes.
  public var argumentCounts: ClosedRange<Int> {
    switch self {
    case .substring: 2...3
    case .round, .trim, .trimLeading, .trimTrailing: 1...2
    case .position, .mod: 2...2
    default: 1...1
    }
  }

  /// The value for these arguments.
  ///
  /// `null` if one of them is `null`, if they are too few or too many, or of another kind than
  /// the function takes.
  public func call(_ arguments: [AttributeValue]) -> AttributeValue {
    guard argumentCounts.contains(arguments.count), !arguments.contains(.null) else {
      return .null
    }
    switch self {
    case .upper, .lower, .charLength, .substring, .trim, .trimLeading, .trimTrailing, .position:
      return callOnText(arguments)
    case .abs, .round, .floor, .ceiling, .mod: return callOnNumbers(arguments)
    case .castToInteger, .castToDouble, .castToText: return cast(arguments[0])
    case .castToTimestamp, .startOfDay, .year, .month, .day, .hour, .minute, .second:
      return callOnDate(arguments[0])
    }
  }
}

/// A function of where clauses that a store's SQL must know, so that the same code answers in
/// SQL and in memory.
///
/// A store that runs ``SQLCondition`` registers all of ``allCases`` on its connection, each under
/// its ``sqlName`` with ``call(_:)`` as its body. They are deterministic. SQLite's own functions
/// of these names differ: its `upper` knows ASCII only, its `round` makes every number a double.
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

  /// The name in SQL.
  public var sqlName: String { "portolan_\(rawValue)" }

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

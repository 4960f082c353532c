internal import Foundation

extension WhereFunction {
  /// The functions of moments, which are milliseconds since 1970.
  func callOnDate(_ value: AttributeValue) -> AttributeValue {
    if self == .castToTimestamp {
      guard case .text(let text) = value, let civil = CivilDate(parsing: text) else { return .null }
      return .milliseconds(of: civil.date)
    }
    guard let milliseconds = value.number,
      let civil = CivilDate(Date(timeIntervalSince1970: milliseconds / 1000))
    else { return .null }
    switch self {
    case .startOfDay: return .milliseconds(of: civil.startOfDay.date)
    case .year: return .integer(Int64(civil.year))
    case .month: return .integer(Int64(civil.month))
    case .day: return .integer(Int64(civil.day))
    case .hour: return .integer(Int64(civil.hour))
    case .minute: return .integer(Int64(civil.minute))
    case .second: return .integer(Int64(civil.second))
    default: return .null
    }
  }
}

extension AttributeValue {
  /// The whole milliseconds from 1970; `null` if they do not fit 64 bits.
  static func milliseconds(of date: Date) -> AttributeValue {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map { .integer($0) } ?? .null
  }
}

public import struct Foundation.Date

/// A date in UTC split by the calendar of ISO 8601, extended to before its invention.
///
/// Foundation's calendars switch to the Julian one in 1582 and cost a thousand times as much.
///
/// - SeeAlso: [Date algorithms](https://howardhinnant.github.io/date_algorithms.html)
public struct CivilDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  public var year: Int
  /// The month, from 1.
  public var month: Int
  /// The day, from 1.
  public var day: Int
  /// The hour.
  public var hour: Int
  /// The minute.
  public var minute: Int
  /// The second.
  public var second: Int
  /// The thousandths of a second.
  public var millisecond: Int

  /// The most milliseconds from 1970 that are taken apart, about 270,000 years.
  static let maximumMilliseconds = 8.64e15

  /// Creates a moment from its parts, or `nil` if the calendar has no such day or time.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    millisecond: Int = 0
  ) {
    guard abs(year) < 270_000, (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<60).contains(second), (0..<1000).contains(millisecond)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
    self.millisecond = millisecond
  }

  /// Takes a moment apart, to the millisecond; `nil` if it is further away than the calendar.
  public init?(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard abs(milliseconds) <= Self.maximumMilliseconds else { return nil }
    let total = Int(milliseconds)
    let days = total.floorDivided(by: 86_400_000)
    let rest = total - days * 86_400_000
    (year, month, day) = Self.civil(days)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }

  /// The moment.
  public var date: Date {
    let seconds = ((daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    return Date(timeIntervalSince1970: Double(seconds * 1000 + millisecond) / 1000)
  }

  /// The days from 1970-01-01.
  var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floorDivided(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

extension Int {
  /// The quotient, rounded down.
  fileprivate func floorDivided(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

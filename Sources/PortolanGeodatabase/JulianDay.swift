internal import Foundation

/// Moments as mobile geodatabases store them: days since noon of 24 November 4714 BC, in UTC.
///
/// - SeeAlso: Docs/FORMATS.md, 2.3
enum JulianDay {
  /// The Julian day of 1970-01-01 00:00:00 UTC.
  static let unixEpoch = 2_440_587.5

  /// The day that marks a row as current in a table that keeps its history: 9999-12-31 23:59:59.
  ///
  /// To the last bit what SQLite computes, from whole milliseconds: views compare with it to a
  /// billionth of a day, which is about one step of a double at this size.
  static let endOfTime = 464_269_060_799_000.0 / 86_400_000

  /// The day from which the rows of a new table that keeps its history are valid:
  /// 1970-01-01 00:00:01.
  static let beginningOfTime = 210_866_760_001_000.0 / 86_400_000

  /// The moment of a Julian day, to the millisecond: a double holds no more at this size.
  static func date(_ day: Double) -> Date {
    let milliseconds = ((day - unixEpoch) * 86_400_000).rounded()
    return Date(timeIntervalSince1970: milliseconds / 1000)
  }

  /// The Julian day of a moment.
  static func day(_ date: Date) -> Double {
    unixEpoch + date.timeIntervalSince1970 / 86_400
  }
}

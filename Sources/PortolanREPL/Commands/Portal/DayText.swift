internal import Foundation

/// A date as people read it in lists.
enum DayText {
  /// The day in UTC, as `2026-11-21`.
  static func text(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}

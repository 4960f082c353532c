internal import Foundation
internal import PortolanFeatures

extension PopupDateFormat {
  /// The day as people of a locale write it, in their calendar.
  static func localized(_ moment: CivilDate, _ day: Day, _ locale: Locale) -> String {
    let style = style(locale)
    let full =
      switch day {
      // The order of day and month is for the locale to determine.
      case .shortDate, .shortDateLE: style.year().month(.defaultDigits).day()
      case .longMonthDayYear: style.year().month(.wide).day()
      case .dayShortMonthYear: style.year().month(.abbreviated).day()
      case .longDate: style.weekday(.wide).year().month(.wide).day()
      case .longMonthYear: style.year().month(.wide)
      case .shortMonthYear: style.year().month(.abbreviated)
      case .year: style.year()
      }
    return moment.date.formatted(full)
  }

  /// The time as people of a locale write it; `nil` where there is none, or where the format asks
  /// for 24 hours, whatever people write.
  func localizedTime(_ moment: CivilDate, _ locale: Locale) -> String? {
    let hours = Self.style(locale).hour(.defaultDigits(amPM: .abbreviated)).minute()
    return switch time {
    case .none, .shortTime24, .longTime24: nil
    case .shortTime: moment.date.formatted(hours)
    case .longTime: moment.date.formatted(hours.second())
    }
  }

  /// A style that takes nothing from the process: its own calendar, and unchanged dates.
  private static func style(_ locale: Locale) -> Date.FormatStyle {
    Date.FormatStyle(locale: locale, calendar: locale.calendar, timeZone: .gmt)
  }
}

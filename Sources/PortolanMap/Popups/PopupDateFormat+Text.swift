public import Foundation
internal import PortolanFeatures

extension PopupDateFormat {
  /// A moment as it is written in a time zone; ISO 8601 beyond what the calendar holds.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - timeZone: The time zone.
  ///   - locale: Whose words and order it has; `nil` for those of the specification.
  /// - Returns: The day, the time, or both.
  public func text(of date: Date, in timeZone: TimeZone, locale: Locale? = nil) -> String {
    let offset = Double(timeZone.secondsFromGMT(for: date))
    guard let moment = CivilDate(date.addingTimeInterval(offset)) else {
      return date.ISO8601Format()
    }
    return text(of: moment, locale: locale)
  }

  /// A moment that is already in the time zone.
  func text(of moment: CivilDate, locale: Locale? = nil) -> String {
    let texts =
      if let locale {
        [
          day.map { Self.localized(moment, $0, locale) },
          localizedTime(moment, locale) ?? timeText(of: moment),
        ]
      } else {
        [day.map { Self.text(of: moment, $0) }, timeText(of: moment)]
      }
    return texts.compactMap(\.self).joined(separator: " ")
  }

  private static func text(of moment: CivilDate, _ day: Day) -> String {
    let month = months[moment.month - 1]
    let shortMonth = month.prefix(3)
    return switch day {
    case .shortDate: "\(moment.month)/\(moment.day)/\(moment.year)"
    case .shortDateLE: "\(moment.day)/\(moment.month)/\(moment.year)"
    case .longMonthDayYear: "\(month) \(moment.day), \(moment.year)"
    case .dayShortMonthYear: "\(moment.day) \(shortMonth) \(moment.year)"
    case .longDate: "\(weekday(of: moment)), \(month) \(moment.day), \(moment.year)"
    case .longMonthYear: "\(month) \(moment.year)"
    case .shortMonthYear: "\(shortMonth) \(moment.year)"
    case .year: "\(moment.year)"
    }
  }

  private func timeText(of moment: CivilDate) -> String? {
    let minutes = Self.twoDigits(moment.minute)
    let seconds = Self.twoDigits(moment.second)
    let hour = (moment.hour + 11) % 12 + 1
    let half = moment.hour < 12 ? "AM" : "PM"
    return switch time {
    case .none: nil
    case .shortTime: "\(hour):\(minutes) \(half)"
    case .shortTime24: "\(Self.twoDigits(moment.hour)):\(minutes)"
    case .longTime: "\(hour):\(minutes):\(seconds) \(half)"
    case .longTime24: "\(Self.twoDigits(moment.hour)):\(minutes):\(seconds)"
    }
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func weekday(of moment: CivilDate) -> String {
    let days = Int((moment.date.timeIntervalSince1970 / 86_400).rounded(.down))
    // 1 January 1970 was a Thursday.
    return weekdays[((days + 4) % 7 + 7) % 7]
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}

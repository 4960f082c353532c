internal import Foundation
internal import PortolanFeatures

/// Writes dates by patterns such as `dddd, MMMM D, Y`, with English names everywhere.
enum ArcadeDateFormat {
  /// Longer tokens first, so that `MMMM` is not read as two times `MM`.
  private static let tokens = [
    "MMMM", "MMM", "MM", "M", "DDDD", "DDD", "DD", "D", "dddd", "ddd", "YYYY", "YY", "Y", "HH",
    "H", "hh", "h", "mm", "m", "ss", "s", "SSS", "A", "a",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// The date by a pattern; text in brackets is kept.
  static func text(_ date: ArcadeDate, _ pattern: String) throws(ArcadeError) -> String {
    guard pattern.utf8.count <= 1000 else { throw .tooLong }
    let parts = try date.parts()
    var text = ""
    var rest = pattern[...]
    while let first = rest.first {
      if first == "[", let end = rest.firstIndex(of: "]") {
        text += rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      } else if let token = tokens.first(where: { rest.hasPrefix($0) }) {
        text += Self.text(parts, token)
        rest = rest.dropFirst(token.count)
      } else if first.isLetter {
        throw .notSupported("the date format \"\(pattern)\"")
      } else {
        text.append(first)
        rest.removeFirst()
      }
    }
    return text
  }

  private static func text(_ parts: CivilDate, _ token: String) -> String {
    switch token.first {
    case "Y": year(parts.year, token)
    case "M": month(parts.month, token)
    case "D": day(parts, token)
    case "d": String(weekdays[parts.weekday].prefix(token == "ddd" ? 3 : 10))
    case "H": parts.hour.padded(token.count)
    case "h": ((parts.hour + 11) % 12 + 1).padded(token.count)
    case "m": parts.minute.padded(token.count)
    case "s": parts.second.padded(token.count)
    case "S": parts.millisecond.padded(3)
    case "A": parts.hour < 12 ? "AM" : "PM"
    default: parts.hour < 12 ? "am" : "pm"
    }
  }

  private static func year(_ year: Int, _ token: String) -> String {
    switch token {
    case "YYYY": year.padded(4)
    case "YY": (abs(year) % 100).padded(2)
    default: String(year)
    }
  }

  private static func month(_ month: Int, _ token: String) -> String {
    switch token {
    case "MMMM": months[month - 1]
    case "MMM": String(months[month - 1].prefix(3))
    default: month.padded(token.count)
    }
  }

  private static func day(_ parts: CivilDate, _ token: String) -> String {
    switch token {
    case "DDDD": (parts.dayOfYear + 1).padded(3)
    case "DDD": String(parts.dayOfYear + 1)
    default: parts.day.padded(token.count)
    }
  }
}

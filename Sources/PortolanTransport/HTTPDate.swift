package import Foundation

/// The dates in headers (RFC 9110, 5.6.7).
package enum HTTPDate {
  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and its two older forms; `nil` if it is none of them.
  package static func date(_ text: String) -> Date? {
    if let match = text.wholeMatch(
      of: /\w{3,9}, (\d{2})[ -](\w{3})[ -](\d{2}|\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT/)
    {
      return date(match.1, match.2, match.3, [match.4, match.5, match.6])
    }
    if let match = text.wholeMatch(
      of: /\w{3} (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})/)
    {
      return date(match.2, match.1, match.6, [match.3, match.4, match.5])
    }
    return nil
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func date(
    _ day: Substring, _ month: Substring, _ year: Substring, _ time: [Substring]
  ) -> Date? {
    guard let month = months.firstIndex(of: String(month)), let number = Int(year) else {
      return nil
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    // Two digits are of this century up to 69, of the last from 70 on.
    let fullYear = year.count > 2 ? number : number + (number < 70 ? 2000 : 1900)
    let parts = time.compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return calendar.date(
      from: DateComponents(
        year: fullYear, month: month + 1, day: Int(day.drop { $0 == " " }),
        hour: parts[0], minute: parts[1], second: parts[2]))
  }
}

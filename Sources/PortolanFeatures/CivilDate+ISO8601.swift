internal import Foundation

extension CivilDate {
  /// The day, for example `2017-02-11`.
  public var dayText: String {
    let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
    let digits = year < 0 || year > 9999 ? 6 : 4
    return
      "\(sign)\(Self.padded(abs(year), digits))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// The time of day, for example `20:55:04`; with thousandths where there are any.
  public var timeText: String {
    let time = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
    return millisecond == 0 ? time : time + "." + Self.padded(millisecond, 3)
  }

  /// The moment in ISO 8601, for example `2017-02-11T20:55:04Z`.
  public var iso8601: String { "\(dayText)T\(timeText)Z" }

  /// Reads `YYYY-MM-DD`, alone or with `hh:mm[:ss[.fff]]` after a blank or a `T`.
  ///
  /// Without an offset (`Z`, `+hh:mm`, `-hhmm`) the time is UTC. Digits beyond the millisecond
  /// are dropped. `nil` if the text is anything else, or a day that the calendar does not have.
  public init?(parsing text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 1...2), scanner.skip("-"),
      let day = scanner.number(digits: 1...2)
    else { return nil }
    guard !scanner.isAtEnd else {
      self.init(year: year, month: month, day: day)
      return
    }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let time = scanner.time(), let offset = scanner.offset(), scanner.isAtEnd,
      let local = CivilDate(
        year: year, month: month, day: day, hour: time.hour, minute: time.minute,
        second: time.second, millisecond: time.millisecond)
    else { return nil }
    self.init(local.date.addingTimeInterval(Double(-offset * 60)))
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// Reads numbers of a given length, one after the other.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    let found = rest.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
    guard found.count >= digits.lowerBound else { return nil }
    rest = rest.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func number(digits: Int) -> Int? { number(digits: digits...digits) }

  mutating func time() -> (hour: Int, minute: Int, second: Int, millisecond: Int)? {
    guard let hour = number(digits: 1...2), skip(":"), let minute = number(digits: 2) else {
      return nil
    }
    guard skip(":") else { return (hour, minute, 0, 0) }
    guard let second = number(digits: 2) else { return nil }
    guard skip(".") else { return (hour, minute, second, 0) }
    let fraction = rest.prefix { (0x30...0x39).contains($0) }
    guard !fraction.isEmpty else { return nil }
    rest = rest.dropFirst(fraction.count)
    let thousandths = (Array(fraction.prefix(3)) + [0x30, 0x30]).prefix(3)
    return (hour, minute, second, thousandths.reduce(0) { $0 * 10 + Int($1 - 0x30) })
  }

  /// The minutes east of Greenwich; none written means none.
  mutating func offset() -> Int? {
    if isAtEnd || skip("Z") || skip("z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(digits: 2) else { return nil }
    let hasColon = skip(":")
    guard let minutes = isAtEnd && !hasColon ? 0 : number(digits: 2), hours < 24, minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 60 + minutes)
  }
}

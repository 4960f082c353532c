internal import Foundation
internal import PortolanFeatures

/// A date and time, and the time zone in which it is split.
struct ArcadeDate: Sendable {
  let date: Date
  let zone: TimeZone

  /// The milliseconds since 1970.
  var milliseconds: Double { (date.timeIntervalSince1970 * 1000).rounded() }

  /// The offset of the zone, in seconds ahead of GMT.
  var offset: Int { Self.offset(of: zone, at: date) }

  /// Time zones are asked for no moment that calendars do not hold.
  private static func offset(of zone: TimeZone, at date: Date) -> Int {
    abs(date.timeIntervalSince1970) <= 8.64e12 ? zone.secondsFromGMT(for: date) : 0
  }

  /// The parts that calendars and clocks of the zone show.
  func parts() throws(ArcadeError) -> CivilDate {
    guard let parts = CivilDate(date.addingTimeInterval(Double(offset))) else {
      throw .wrongValue("has a date beyond the calendar")
    }
    return parts
  }

  /// The moment at which the clocks of a zone show `local`, counted as if it were GMT.
  init(local: Date, in zone: TimeZone) {
    let first = local.addingTimeInterval(-Double(Self.offset(of: zone, at: local)))
    date = local.addingTimeInterval(-Double(Self.offset(of: zone, at: first)))
    self.zone = zone
  }

  init(date: Date, zone: TimeZone) {
    self.date = date
    self.zone = zone
  }

  /// The date of a year, a month counted from 0, and days to milliseconds that may run over.
  init(_ numbers: [Double], in zone: TimeZone) throws(ArcadeError) {
    let wholes = numbers.filter { abs($0) <= 10_000_000 }.compactMap { Int(exactly: $0) }
    guard wholes.count == numbers.count, wholes.count >= 3,
      let first = Self.firstDay(year: wholes[0], month: wholes[1])
    else { throw .wrongValue("makes a date of numbers that are none of a calendar") }
    let units = [86_400_000, 3_600_000, 60_000, 1000, 1]
    let rest = [wholes[2] - 1] + wholes.dropFirst(3)
    let milliseconds = zip(units, rest).reduce(0) { $0 + $1.0 * $1.1 }
    self.init(local: first.addingTimeInterval(Double(milliseconds) / 1000), in: zone)
  }

  private static func firstDay(year: Int, month: Int) -> Date? {
    let carried = month >= 0 ? month / 12 : -((11 - month) / 12)
    return CivilDate(year: year + carried, month: month - carried * 12 + 1, day: 1)?.date
  }

  // MARK: Text

  /// Reads ISO 8601: a year, a month or a day, and a time with or without its zone.
  init?(parsing text: String, in zone: TimeZone) {
    let pattern =
      #/(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?/#
    guard text.utf8.count <= 40, let match = text.trimmingBlanks().wholeMatch(of: pattern) else {
      return nil
    }
    let output = match.output
    let fraction = output.7.map { digits in
      Int(digits.prefix(3).padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0
    }
    guard
      let parts = CivilDate(
        year: Int(output.1) ?? 0, month: output.2.map { Int($0) ?? 0 } ?? 1,
        day: output.3.map { Int($0) ?? 0 } ?? 1,
        hour: output.4.flatMap { Int($0) } ?? 0, minute: output.5.flatMap { Int($0) } ?? 0,
        second: output.6.flatMap { Int($0) } ?? 0, millisecond: fraction ?? 0)
    else { return nil }
    if let written = output.8 {
      self.init(date: parts.date.addingTimeInterval(-Self.seconds(written)), zone: zone)
    } else {
      self.init(local: parts.date, in: zone)
    }
  }

  /// Whether a text may be a day by its week or by its number in the year, which are not read.
  static func isCountedDay(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.trimmingBlanks().wholeMatch(of: #/\d{4}-?(?:W\d\d(?:-?\d)?|\d{3})(?:[T ].*)?/#) != nil
  }

  private static func seconds(_ zone: Substring) -> Double {
    let digits = zone.filter(\.isNumber)
    guard let number = Int(digits.count > 2 ? digits : digits + "00") else { return 0 }
    let seconds = Double((number / 100 * 60 + number % 100) * 60)
    return zone.hasPrefix("-") ? -seconds : seconds
  }

  /// ISO 8601 with the offset of the zone.
  func isoText() throws(ArcadeError) -> String {
    let parts = try parts()
    guard (0...9999).contains(parts.year) else {
      throw .wrongValue("writes a date beyond the year 9999")
    }
    let day = [parts.year.padded(4), parts.month.padded(2), parts.day.padded(2)]
    let time = [parts.hour.padded(2), parts.minute.padded(2), parts.second.padded(2)]
    let fraction = parts.millisecond == 0 ? "" : ".\(parts.millisecond.padded(3))"
    return day.joined(separator: "-") + "T" + time.joined(separator: ":") + fraction + offsetText
  }

  private var offsetText: String {
    let minutes = offset / 60
    guard minutes != 0 else { return "Z" }
    let sign = minutes < 0 ? "-" : "+"
    return "\(sign)\((abs(minutes) / 60).padded(2)):\((abs(minutes) % 60).padded(2))"
  }
}

extension CivilDate {
  /// The days since the first of January.
  var dayOfYear: Int {
    guard let first = CivilDate(year: year, month: 1, day: 1) else { return 0 }
    return Int((dayAlone.timeIntervalSince(first.date) / 86_400).rounded())
  }

  /// The day of the week, from 0 for Sunday.
  var weekday: Int {
    let days = Int((dayAlone.timeIntervalSince1970 / 86_400).rounded())
    return ((days + 4) % 7 + 7) % 7
  }

  /// The year and the week that ISO 8601 counts this day to.
  var isoWeek: (year: Int, week: Int) {
    let fromMonday = (weekday + 6) % 7
    // A week belongs to the year of its Thursday.
    let thursday = dayAlone.addingTimeInterval(Double(3 - fromMonday) * 86_400)
    guard let parts = CivilDate(thursday) else { return (year, 1) }
    return (parts.year, parts.dayOfYear / 7 + 1)
  }

  private var dayAlone: Date { CivilDate(year: year, month: month, day: day)?.date ?? date }

  /// The same day and time some months on; the last day of a month that is too short.
  func adding(months: Int) -> CivilDate? {
    let total = year * 12 + month - 1 + months
    let month = (total % 12 + 12) % 12
    let year = (total - month) / 12
    for day in stride(from: day, through: max(day - 3, 1), by: -1) {
      let moved = CivilDate(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second,
        millisecond: millisecond)
      if let moved { return moved }
    }
    return nil
  }
}

extension Int {
  /// The digits, with zeros before them up to a length.
  func padded(_ count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}

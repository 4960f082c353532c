internal import Foundation
internal import PortolanFeatures

extension ArcadeFunction {
  static let dates: [ArcadeFunction] = [
    ArcadeFunction("Now", 0...0) { evaluator, _ in
      .date(ArcadeDate(date: evaluator.context.now(), zone: evaluator.context.timeZone))
    },
    ArcadeFunction("Timestamp", 0...0) { evaluator, _ in
      .date(ArcadeDate(date: evaluator.context.now(), zone: .gmt))
    },
    ArcadeFunction("Today", 0...0) { evaluator, _ throws(ArcadeError) in
      let zone = evaluator.context.timeZone
      let now = try ArcadeDate(date: evaluator.context.now(), zone: zone).parts()
      return .date(try ArcadeDate([now.year, now.month - 1, now.day].map(Double.init), in: zone))
    },
    ArcadeFunction("Date", 0...8, date),
    ArcadeFunction("DateAdd", 2...3, dateAdd),
    ArcadeFunction("DateDiff", 2...3, dateDiff),
    ArcadeFunction("ToLocal", 1...1) { evaluator, values throws(ArcadeError) in
      guard let date = try values[0].date() else { return .null }
      return .date(ArcadeDate(date: date.date, zone: evaluator.context.timeZone))
    },
    ArcadeFunction("ToUTC", 1...1) { _, values throws(ArcadeError) in
      guard let date = try values[0].date() else { return .null }
      return .date(ArcadeDate(date: date.date, zone: .gmt))
    },
    ArcadeFunction("ChangeTimeZone", 2...2) { evaluator, values throws(ArcadeError) in
      guard let date = try values[0].date() else { return .null }
      guard evaluator.context.schema?.hasDatesInUnknownTimeZone != true else {
        throw .notSupported("ChangeTimeZone of dates whose time zone is unknown")
      }
      return .date(ArcadeDate(date: date.date, zone: try evaluator.timeZone(values[1])))
    },
    part("Year") { $0.year }, part("Month") { $0.month - 1 }, part("Day") { $0.day },
    part("Hour") { $0.hour }, part("Minute") { $0.minute }, part("Second") { $0.second },
    part("Millisecond") { $0.millisecond }, part("Weekday") { $0.weekday },
    part("ISOMonth") { $0.month }, part("ISOWeek") { $0.isoWeek.week },
    part("ISOWeekday") { ($0.weekday + 6) % 7 + 1 }, part("ISOYear") { $0.isoWeek.year },
    ArcadeFunction("Week", 1...2, week),
  ]

  /// A part of a date; of none there is none.
  private static func part(
    _ name: String, _ part: @escaping @Sendable (CivilDate) -> Int
  ) -> ArcadeFunction {
    ArcadeFunction(name, 1...1) { _, values throws(ArcadeError) in
      guard let date = try values[0].date() else { return .null }
      return .number(Double(part(try date.parts())))
    }
  }

  /// The week of the year from 0, which may begin with a part of a week.
  private static let week: Body = { _, values throws(ArcadeError) in
    guard let date = try values[0].date()?.parts() else { return .null }
    let start = values.count > 1 ? try values[1].integer() : 0
    guard (0...6).contains(start),
      let first = CivilDate(year: date.year, month: 1, day: 1)?.weekday
    else { throw .wrongValue("begins the week on no day of it") }
    return .number(Double((date.dayOfYear + (first - start + 7) % 7) / 7))
  }

  /// The present moment, another one, a text, or years to milliseconds and the time zone.
  private static let date: Body = { evaluator, values throws(ArcadeError) in
    let zone = evaluator.context.timeZone
    switch (values.count, values.first) {
    case (0, _): return .date(ArcadeDate(date: evaluator.context.now(), zone: zone))
    case (1, .null?): return .null
    case (1, .date(let date)?): return .date(date)
    case (1, .number(let number)?):
      guard number.isFinite else { return .null }
      return .date(ArcadeDate(date: Date(timeIntervalSince1970: number / 1000), zone: zone))
    case (1, .text(let text)?):
      if let date = ArcadeDate(parsing: text, in: zone) { return .date(date) }
      guard !ArcadeDate.isCountedDay(text) else { throw .notSupported("the date \"\(text)\"") }
      return .null
    case (3..., _):
      var numbers: [Double] = []
      for value in values.prefix(7) { numbers.append(try value.number()) }
      let own = try values.count > 7 ? evaluator.timeZone(values[7]) : zone
      return .date(try ArcadeDate(numbers, in: own))
    default: throw .wrongCount(function: "Date", count: values.count)
    }
  }

  private static let dateAdd: Body = { evaluator, values throws(ArcadeError) in
    guard let date = try values[0].date() else { return .null }
    let amount = try values[1].number()
    let unit = try ArcadeTimeUnit(values.count > 2 ? evaluator.text(of: values[2]) : nil)
    guard abs(amount) < 1e13 else { throw .wrongValue("adds too long a time to a date") }
    return .date(try unit.adding(amount, to: date))
  }

  private static let dateDiff: Body = { evaluator, values throws(ArcadeError) in
    guard let first = try values[0].date(), let second = try values[1].date() else { return .null }
    let unit = try ArcadeTimeUnit(values.count > 2 ? evaluator.text(of: values[2]) : nil)
    return .number(try unit.difference(first, second))
  }
}

extension ArcadeEvaluator {
  /// A time zone by its IANA name, by its distance from UTC, or the one that dates are shown in.
  ///
  /// The time zone of the device is not known here.
  fileprivate func timeZone(_ value: ArcadeValue) throws(ArcadeError) -> TimeZone {
    guard case .text(let name) = value else {
      throw .wrongValue("names a time zone by something that is no text")
    }
    switch name.lowercased() {
    case "default": return context.timeZone
    case "utc": return .gmt
    default: break
    }
    let named = name.contains("/") ? TimeZone(identifier: name) : nil
    guard let zone = named ?? Self.zone(apartFromUTC: name) else {
      throw .notSupported("the time zone \"\(name.prefix(60))\"")
    }
    return zone
  }

  /// The time zone that is so many hours and minutes ahead: `+07:00` or `-0330`.
  private static func zone(apartFromUTC text: String) -> TimeZone? {
    guard text.utf8.count <= 6, let match = text.wholeMatch(of: #/([+-])(\d\d):?(\d\d)/#),
      let hours = Int(match.output.2), let minutes = Int(match.output.3), minutes < 60
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return TimeZone(secondsFromGMT: match.output.1 == "-" ? -seconds : seconds)
  }
}

/// A unit in which times are added and subtracted.
enum ArcadeTimeUnit {
  case milliseconds(Double)
  /// Days and weeks keep to the clock where it is put forward or back.
  case days(Int)
  case months(Int)

  init(_ name: String?) throws(ArcadeError) {
    let name = name?.lowercased() ?? "milliseconds"
    switch name.hasSuffix("s") ? String(name.dropLast()) : name {
    case "millisecond": self = .milliseconds(1)
    case "second": self = .milliseconds(1000)
    case "minute": self = .milliseconds(60_000)
    case "hour": self = .milliseconds(3_600_000)
    case "day": self = .days(1)
    case "week": self = .days(7)
    case "month": self = .months(1)
    case "quarter": self = .months(3)
    case "year": self = .months(12)
    default: throw .notSupported("the unit of time \"\(name)\"")
    }
  }

  func adding(_ amount: Double, to date: ArcadeDate) throws(ArcadeError) -> ArcadeDate {
    switch self {
    case .milliseconds(let unit):
      return ArcadeDate(
        date: date.date.addingTimeInterval(amount * unit / 1000), zone: date.zone)
    case .days(let count):
      let seconds = amount * Double(count) * 86_400
      return ArcadeDate(
        local: date.date.addingTimeInterval(Double(date.offset) + seconds), in: date.zone)
    case .months(let count):
      guard let months = Int(exactly: amount), abs(months) < 1_000_000,
        let moved = try date.parts().adding(months: months * count)
      else { throw .wrongValue("adds a part of a month to a date") }
      return ArcadeDate(local: moved.date, in: date.zone)
    }
  }

  /// The duration from the second to the first.
  func difference(_ first: ArcadeDate, _ second: ArcadeDate) throws(ArcadeError) -> Double {
    let milliseconds = first.milliseconds - second.milliseconds
    switch self {
    case .milliseconds(let unit): return milliseconds / unit
    case .days(let count):
      let shift = ArcadeDate(date: first.date, zone: second.zone).offset - second.offset
      return (milliseconds + Double(shift) * 1000) / (Double(count) * 86_400_000)
    case .months(let count):
      return try milliseconds < 0
        ? -Self.months(from: first, to: second) / Double(count)
        : Self.months(from: second, to: first) / Double(count)
    }
  }

  /// The whole months between, and the part of the next one.
  private static func months(
    from start: ArcadeDate, to end: ArcadeDate
  ) throws(ArcadeError) -> Double {
    let first = try start.parts()
    let last = try ArcadeDate(date: end.date, zone: start.zone).parts()
    var months = (last.year - first.year) * 12 + last.month - first.month
    if let reached = first.adding(months: months)?.date, reached > last.date { months -= 1 }
    guard let lower = first.adding(months: months)?.date,
      let upper = first.adding(months: months + 1)?.date, upper > lower
    else { throw .wrongValue("has a date beyond the calendar") }
    return Double(months) + last.date.timeIntervalSince(lower) / upper.timeIntervalSince(lower)
  }
}

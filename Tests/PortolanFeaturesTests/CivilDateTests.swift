import Foundation
import PortolanFeatures
import Testing

@Suite struct CivilDateTests {
  static let moments: [(String, Double)] = [
    ("1970-01-01T00:00:00Z", 0), ("2017-02-11T20:55:04Z", 1_486_846_504),
    ("1969-12-31T23:59:59.999Z", -0.001), ("2000-02-29T12:00:00.5Z", 951_825_600.5),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2020-01-01", 1_577_836_800), ("2020-1-1", 1_577_836_800),
    ("2020-01-01 01:02", 1_577_840_520), ("2020-01-01 1:02:03.1239", 1_577_840_523.123),
    ("2020-01-01T00:00:00+01:30", 1_577_831_400), ("2020-01-01t00:00:00-0100", 1_577_840_400),
    ("2020-01-01T00:00:00+02", 1_577_829_600),
  ]

  @Test(arguments: moments) func `A moment is read`(text: String, seconds: Double) throws {
    let date = try #require(CivilDate(parsing: text)).date
    #expect(date == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2020", "2020-13-01", "2020-02-30", "1900-02-29", "2020-01-01T", "2020-01-01 24:00",
    "2020-01-01 10:60", "2020-01-01 10:00:60", "2020-01-01 10:00:00.", "2020-01-01 10:00:00 Z",
    "2020-01-01x", "20200101", "2020-01-01T00:00:00+", "2020-01-01T00:00:00+1", "-2020-01-01",
    "2020-01-01T00:00:00+25:00", "２０２０-01-01", "999999999999-01-01",
  ])
  func `An invalid date is refused`(text: String) {
    #expect(CivilDate(parsing: text) == nil)
  }

  @Test func `Every day of four hundred years agrees with Foundation`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: 0, to: 146_097, by: 37) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + Double(day % 86_400))
      let civil = try #require(CivilDate(date))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: date)
      #expect([civil.year, civil.month, civil.day] == [parts.year, parts.month, parts.day])
      #expect(
        [civil.hour, civil.minute, civil.second] == [parts.hour, parts.minute, parts.second])
      #expect(civil.date == date)
    }
  }

  @Test(arguments: [-8.64e12, -62_167_219_201, -0.5, 0, 8.64e12])
  func `Taking apart and putting together gives the same moment`(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(CivilDate(date)?.date == date)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 8.7e12, -1e300])
  func `A moment beyond the calendar is none`(seconds: Double) {
    #expect(CivilDate(Date(timeIntervalSince1970: seconds)) == nil)
  }

  @Test func `Years of more or less than four digits are signed`() {
    #expect(CivilDate(year: 12_345, month: 1, day: 2)?.dayText == "+012345-01-02")
    #expect(CivilDate(year: -1, month: 1, day: 2)?.dayText == "-000001-01-02")
    #expect(CivilDate(year: 987, month: 1, day: 2)?.dayText == "0987-01-02")
  }
}

import Foundation
import PortolanJSON
import PortolanMap
import Testing

@Suite struct PopupDateFormatTests {
  /// Sunday, 21 December 1997, 18:00:05 in UTC.
  static let date = Date(timeIntervalSince1970: 882_727_205)

  static let table = [
    ("shortDate", "12/21/1997"),
    ("shortDateShortTime", "12/21/1997 6:00 PM"),
    ("shortDateShortTime24", "12/21/1997 18:00"),
    ("shortDateLongTime", "12/21/1997 6:00:05 PM"),
    ("shortDateLongTime24", "12/21/1997 18:00:05"),
    ("shortDateLE", "21/12/1997"),
    ("shortDateLEShortTime", "21/12/1997 6:00 PM"),
    ("shortDateLEShortTime24", "21/12/1997 18:00"),
    ("shortDateLELongTime", "21/12/1997 6:00:05 PM"),
    ("shortDateLELongTime24", "21/12/1997 18:00:05"),
    ("longMonthDayYear", "December 21, 1997"),
    ("longMonthDayYearShortTime", "December 21, 1997 6:00 PM"),
    ("longMonthDayYearShortTime24", "December 21, 1997 18:00"),
    ("longMonthDayYearLongTime", "December 21, 1997 6:00:05 PM"),
    ("longMonthDayYearLongTime24", "December 21, 1997 18:00:05"),
    ("dayShortMonthYear", "21 Dec 1997"),
    ("dayShortMonthYearShortTime", "21 Dec 1997 6:00 PM"),
    ("dayShortMonthYearShortTime24", "21 Dec 1997 18:00"),
    ("dayShortMonthYearLongTime", "21 Dec 1997 6:00:05 PM"),
    ("dayShortMonthYearLongTime24", "21 Dec 1997 18:00:05"),
    ("longDate", "Sunday, December 21, 1997"),
    ("longDateShortTime", "Sunday, December 21, 1997 6:00 PM"),
    ("longDateShortTime24", "Sunday, December 21, 1997 18:00"),
    ("longDateLongTime", "Sunday, December 21, 1997 6:00:05 PM"),
    ("longDateLongTime24", "Sunday, December 21, 1997 18:00:05"),
    ("longMonthYear", "December 1997"),
    ("shortMonthYear", "Dec 1997"),
    ("year", "1997"),
  ]

  @Test(arguments: table)
  func `A date is written as its format has it`(_ name: String, _ text: String) throws {
    let format = try #require(PopupDateFormat(name: name))
    #expect(format.text(of: Self.date, in: .gmt) == text)
    #expect(format.name == name)
  }

  @Test func `All formats of the specification are known`() {
    #expect(PopupDateFormat.all.count == 28)
    #expect(Set(PopupDateFormat.all.map(\.name)) == Set(Self.table.map(\.0)))
    #expect(PopupDateFormat(name: "SHORTDATE") == PopupDateFormat(.shortDate))
    #expect(PopupDateFormat(name: "yearShortTime") == nil)
    #expect(PopupDateFormat(name: "") == nil)
  }

  @Test func `A date is written in a time zone, summer time included`() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let format = PopupDateFormat(.shortDate, .shortTime)
    #expect(format.text(of: Self.date, in: zone) == "12/21/1997 1:00 PM")
    let summer = Date(timeIntervalSince1970: 867_769_200)
    #expect(format.text(of: summer, in: zone) == "7/1/1997 11:00 AM")
    #expect(
      format.text(of: Date(timeIntervalSince1970: 867_729_600), in: zone) == "7/1/1997 12:00 AM")
  }

  @Test func `Dates before 1970 and beyond the calendar are written`() {
    let format = PopupDateFormat(.longDate)
    #expect(
      format.text(of: Date(timeIntervalSince1970: -1), in: .gmt) == "Wednesday, December 31, 1969")
    for seconds in [1e18, -1e18, .infinity, .nan] {
      #expect(!format.text(of: Date(timeIntervalSince1970: seconds), in: .gmt).isEmpty)
    }
  }

  @Test(
    arguments: [
      (["dateStyle": "full"], "Sunday, December 21, 1997"),
      (["dateStyle": "short", "timeStyle": "short"], "12/21/1997 6:00 PM"),
      (
        ["dateStyle": "long", "timeStyle": "medium", "hour12": "never"],
        "December 21, 1997 18:00:05"
      ),
      (["timeStyle": "short"], "6:00 PM"),
      (["year": "numeric", "month": "long"], "December 1997"),
      (["year": "numeric", "month": "short"], "Dec 1997"),
      (["year": "numeric"], "1997"),
    ] as [(JSONObject, String)])
  func `The newer formats come out as the nearest older ones`(
    _ json: JSONObject, _ text: String
  ) throws {
    var format = json
    format["type"] = "date-time"
    let field = try #require(PopupField(json: ["fieldName": "A", "fieldFormat": .object(format)]))
    #expect(field.format.dateFormat?.text(of: Self.date, in: .gmt) == text)
  }
}

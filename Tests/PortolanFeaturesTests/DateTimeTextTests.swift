import Foundation
import Testing

@testable import PortolanFeatureTables

struct DateTimeTextTests {
  @Test(arguments: [
    ("2017-02-11T20:55:04.125Z", 1_486_846_504.125), ("1969-12-31T00:00:00.000Z", -86_400),
    ("2017-02-11 20:55:04", 1_486_846_504), ("2017-02-11T21:55:04.125+01:00", 1_486_846_504.125),
    ("0000-01-01T00:00:00.000Z", -62_167_219_200),
  ])
  func `Moments are read in any form of ISO 8601`(_ text: String, _ seconds: Double) {
    #expect(DateTimeText.date(of: text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "x", "2017-02-30T20:55:04.125Z", "2017-02-11T20:55:04.12xZ", "2017-02-11T25:55:04.125Z",
    "2017-02-11T20-55-04.125Z",
  ])
  func `An invalid date is none`(_ text: String) {
    #expect(DateTimeText.date(of: text) == nil)
  }

  @Test(arguments: [-62_167_219_200, -0.001, 0, 1_486_846_504.125, 253_402_300_799.999])
  func `A written date is read back`(_ seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(DateTimeText.text(of: date).flatMap(DateTimeText.date(of:)) == date)
  }

  @Test(arguments: [-62_167_219_200.001, 253_402_300_800, .nan, .infinity])
  func `Years beyond four digits cannot be written`(_ seconds: Double) {
    #expect(DateTimeText.text(of: Date(timeIntervalSince1970: seconds)) == nil)
  }
}

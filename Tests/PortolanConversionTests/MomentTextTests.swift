import Foundation
import Testing

@testable import PortolanConversion

/// Moments in files that have them as texts.
@Suite struct MomentTextTests {
  @Test(arguments: [
    (1_780_000_005.678, "2026-05-28T20:26:45.678Z"),
    (1_780_000_005.123, "2026-05-28T20:26:45.123Z"),
    (1_780_000_005.001, "2026-05-28T20:26:45.001Z"),
    (1_780_000_005.999, "2026-05-28T20:26:45.999Z"),
    (1_780_000_005, "2026-05-28T20:26:45Z"),
    (-473_371_554.322, "1955-01-01T03:54:05.678Z"),
  ])
  func `A moment stays what it is, however often it is written and read`(
    _ seconds: Double, _ text: String
  ) throws {
    var date = Date(timeIntervalSince1970: seconds)
    for _ in 1...5 {
      #expect(date.momentText == text)
      date = try #require(FlatGeobufColumn.date(date.momentText))
    }
  }
}

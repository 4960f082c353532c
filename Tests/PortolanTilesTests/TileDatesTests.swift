import Foundation
import PortolanTiles
import Testing

@Suite struct TileDatesTests {
  private func id(_ column: Int) -> TileID { TileID(level: 5, row: 1, column: column) }

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test func `A date counts from its tile on, rounded up to the minute`() {
    var dates = TileDates()
    for (column, seconds) in [(1, 61.0), (2, 119), (4, 600)] {
      dates.append(id(column), date(seconds))
    }
    #expect(dates.text == "5/1/1:2,5/4/1:10")
    #expect(dates.date(of: id(0)) == nil)
    #expect(dates.date(of: id(3)) == date(120))
    #expect(dates.date(of: TileID(level: 6, row: 0, column: 0)) == date(600))
    #expect(dates.oldest == date(120))
    #expect(TileDates(dates.text) == dates)
  }

  @Test(arguments: [60_000, 1_000_000])
  func `Very many dates are rounded further, and make no tile older`(_ count: Int) {
    var dates = TileDates()
    for column in 0..<count { dates.append(id(column), date(Double(column % 70_001) * 60)) }
    #expect(dates.starts.count <= 50_000)
    for column in [0, 1, count / 2, count - 1] {
      let exact = date(Double(column % 70_001) * 60)
      #expect(dates.date(of: id(column)).map { $0 >= exact } == true)
    }
  }

  @Test(arguments: [
    "", "x", "1/1/1", "1/2/1:5,1/1/1:6", "1/1/1:-9223372036854775808", "1/1/1:99999999999",
  ])
  func `A text that is none of dates is refused`(_ text: String) {
    #expect(TileDates(text) == nil)
  }
}

import PortolanGeometry
import Testing

@testable import PortolanDrawing

/// The places that are inside of areas.
struct InsideTestTests {
  @Test func `An area whose edges all go from its top to its bottom is kept in few rows`() {
    let height = 100_000.0
    let ring = (0..<2000).map { number in
      Coordinate(x: Double(number), y: number.isMultiple(of: 2) ? 0 : height)
    }
    let test = InsideTest(PixelPath([ring], isClosed: true))
    #expect(test.rows.reduce(0) { $0 + $1.count } < 1_100_000)
    #expect(test.contains(Coordinate(x: 1, y: 0.9 * height)))
    #expect(!test.contains(Coordinate(x: 1.5, y: 0.9 * height)))
  }
}

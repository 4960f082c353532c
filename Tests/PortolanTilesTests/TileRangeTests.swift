import PortolanTiles
import Testing

@Suite struct TileRangeTests {
  let range = TileRange(level: 5, rows: 3..<5, columns: 7..<10)

  @Test func `Tiles come row by row`() {
    let addresses = range.map { [$0.row, $0.column] }
    #expect(addresses == [[3, 7], [3, 8], [3, 9], [4, 7], [4, 8], [4, 9]])
    #expect(range.count == 6)
    #expect(range.allSatisfy(range.contains))
  }

  @Test(arguments: [
    TileRange(level: 5, rows: 3..<3, columns: 0..<9),
    TileRange(level: 5, rows: 3..<9, columns: 9..<9),
  ])
  func `An empty range gives no tile`(_ range: TileRange) {
    #expect(range.isEmpty)
    #expect(Array(range).isEmpty)
  }

  @Test func `A count too large for a number is cut off`() {
    let range = TileRange(level: 0, rows: 0..<Int.max, columns: 0..<3)
    #expect(range.count == .max)
  }

  @Test func `The intersection is what both have`() {
    let other = TileRange(level: 5, rows: 4..<9, columns: 0..<8)
    #expect(
      range.intersection(other) == TileRange(level: 5, rows: 4..<5, columns: 7..<8))
    #expect(range.intersection(TileRange(level: 6, rows: 3..<5, columns: 7..<10)) == nil)
    #expect(range.intersection(TileRange(level: 5, rows: 5..<6, columns: 7..<10)) == nil)
  }
}

import PortolanTiles
import Testing

@Suite struct TileIDTests {
  let tile = TileID(level: 3, row: 5, column: 2)

  @Test func `A tile is covered by its parent and by coarser tiles`() {
    #expect(tile.parent == TileID(level: 2, row: 2, column: 1))
    #expect(tile.ancestor(atLevel: 0) == TileID(level: 0, row: 0, column: 0))
    #expect(tile.ancestor(atLevel: 3) == tile)
    #expect(tile.ancestor(atLevel: 4) == nil)
    #expect(TileID(level: 0, row: 0, column: 0).parent == nil)
    #expect(TileID(level: -2, row: 0, column: 0).parent == nil)
  }

  @Test func `The children of a tile have it as their parent`() {
    #expect(tile.children.count == 4)
    #expect(tile.children.allSatisfy { $0.parent == tile })
    #expect(tile.children.first == TileID(level: 4, row: 10, column: 4))
  }

  @Test func `Rows can be counted from the bottom`() {
    #expect(tile.tmsRow == 2)
    #expect(TileID(level: 0, row: 0, column: 0).tmsRow == 0)
  }
}

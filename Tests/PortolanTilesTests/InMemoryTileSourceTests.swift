import Foundation
import PortolanTiles
import Testing

@Suite struct InMemoryTileSourceTests {
  @Test func `Tiles are found, absent ones are not, and levels are counted`() {
    let info = TileSourceInfo(name: "test", scheme: .webMercator, declaredFormat: "PNG")
    let tile = Tile(data: Data([1]), format: .png)
    let ids = [
      TileID(level: 0, row: 0, column: 0), TileID(level: 2, row: 1, column: 3),
      TileID(level: 2, row: 2, column: 3),
    ]
    let tiles = Dictionary(uniqueKeysWithValues: ids.map { ($0, tile) })
    let source = InMemoryTileSource(info: info, tiles: tiles)
    #expect(source.tile(at: ids[1]) == tile)
    #expect(source.tile(at: TileID(level: 1, row: 0, column: 0)) == nil)
    #expect(source.tileCounts() == [0: 1, 2: 2])
  }
}

import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTiles
import Testing

@testable import PortolanImages
@testable import PortolanRendering

@Suite struct RenderedTileSourceTests {
  static let renderer = MapRenderer(layers: [
    SmallMap.layer(
      .polyline,
      [SmallMap.feature(1, SmallMap.line([(-2e7, -2e7), (2e7, 2e7)]))],
      symbol: ["type": "esriSLS", "color": [200, 0, 0, 255], "width": 3])
  ])

  @Test func `A map becomes tiles that any widget can show`() async throws {
    let source = RenderedTileSource(Self.renderer, name: "map", levels: 0...3)
    let tile = try #require(try await source.tile(at: TileID(level: 3, row: 3, column: 4)))
    #expect(tile.format == .png)
    let image = try PixelImage(decoding: tile.data)
    #expect((image.width, image.height) == (256, 256))
    // The line comes in from the lower left and goes out at the upper right.
    #expect(image.pixels[255] == 0xFFC8_0000)
    #expect(image.pixels[0] == 0xFFFF_FFFF)
  }

  @Test func `A tile is the same, whichever of its neighbours was asked for first`() async throws {
    let id = TileID(level: 2, row: 1, column: 2)
    let first = RenderedTileSource(Self.renderer, name: "map")
    let second = RenderedTileSource(Self.renderer, name: "map")
    _ = try await second.tile(at: TileID(level: 2, row: 3, column: 3))
    #expect(try await first.tile(at: id) == second.tile(at: id))
  }

  @Test(arguments: [1.0, 3.5, 7, 8, 100])
  func `Tiles of many pixels are drawn, and kept in a bounded memory`(ratio: Double) async throws {
    let source = RenderedTileSource(Self.renderer, name: "map", pixelRatio: ratio)
    let width = 256 * min(ratio, 8)
    for column in 0..<12 {
      let tile = try await source.tile(at: TileID(level: 5, row: 16, column: column * 2))
      let image = try PixelImage(decoding: try #require(tile).data)
      #expect(Double(image.width) == width && Double(image.height) == width)
      #expect(await source.metatiles.byteCount <= 128 << 20)
      guard ratio < 7 || column < 3 else { return }
    }
  }

  @Test func `Many may ask at the same time`() async throws {
    let source = RenderedTileSource(Self.renderer, name: "map")
    let tiles = try await withThrowingTaskGroup(of: Tile?.self) { group in
      for column in 0..<8 {
        group.addTask { try await source.tile(at: TileID(level: 3, row: 0, column: column)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tiles.count == 8 && tiles.allSatisfy { $0 != nil })
  }

  @Test(arguments: [
    TileID(level: 4, row: 0, column: 0), TileID(level: 1, row: 2, column: 0),
    TileID(level: 1, row: 0, column: -1), TileID(level: -1, row: 0, column: 0),
  ])
  func `Where there is no ground there is no tile`(_ id: TileID) async throws {
    let source = RenderedTileSource(Self.renderer, name: "map", levels: 0...3)
    #expect(try await source.tile(at: id) == nil)
  }

  @Test func `The addresses are those that cover the ground`() async throws {
    let extent = Envelope(xMin: 1, yMin: 1, xMax: 1000, yMax: 1000)
    let source = RenderedTileSource(Self.renderer, name: "map", levels: 0...2, extent: extent)
    #expect(source.tileCounts() == [0: 1, 1: 1, 2: 1])
    var ids: [TileID] = []
    for try await id in source.tileIDs { ids.append(id) }
    #expect(ids.map(\.level) == [0, 1, 2])
  }
}

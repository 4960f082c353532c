import Foundation
import PortolanMap
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanImages
@testable import PortolanRendering

@Suite struct OverzoomTests {
  /// One tile of level 1, with a palette, whose pixels are all different columns and rows.
  static func source(
    _ image: PixelImage? = nil, isPalette: Bool = true
  ) throws -> InMemoryTileSource {
    let pixels = (0..<65_536).map { place -> UInt32 in
      let (row, column) = (place / 256, place % 256)
      return isPalette
        ? 0xFF00_0000 | UInt32(column / 16 * 16) << 8 | UInt32(row / 16 * 16)
        : 0xFF00_0000 | UInt32(column) << 8 | UInt32(row)
    }
    let made = try #require(PixelImage(width: 256, height: 256, pixels: pixels))
    let data = try (image ?? made).pngData()
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: "tiles", scheme: .webMercator(tileSide: 256, levels: 0...1), levels: 0...1,
        declaredFormat: "PNG"),
      tiles: [TileID(level: 1, row: 0, column: 1): Tile(data: data, format: .png)])
  }

  @Test func `Nearest pixels are those of the parent, its palette kept`() async throws {
    let source = OverzoomedTileSource(try Self.source(), to: 6, resampling: .nearest)
    for (level, row, column) in [(2, 1, 2), (3, 2, 7), (6, 31, 40)] {
      let id = TileID(level: level, row: row, column: column)
      let tile = try #require(try await source.tile(at: id))
      let raster = try #require(try PNGDecoder.raster(tile.data))
      #expect(raster.palette?.colors.count == 256 * 3)
      let image = try PixelImage(decoding: tile.data)
      #expect(try await source.image(at: id) == image)
      let depth = level - 1
      for (x, y) in [(0, 0), (255, 255), (17, 130), (128, 3)] {
        let parentX = ((column << 8) + x) >> depth & 255
        let parentY = ((row << 8) + y) >> depth & 255
        let expected =
          0xFF00_0000 | UInt32(parentX / 16 * 16) << 8 | UInt32(parentY / 16 * 16)
        #expect(image.pixels[y * 256 + x] == expected)
      }
    }
  }

  @Test func `Smooth pixels lie between those of the parent`() async throws {
    let source = OverzoomedTileSource(try Self.source(isPalette: false), to: 9)
    for (level, row, column) in [(2, 0, 3), (4, 7, 15), (9, 100, 300)] {
      let image = try #require(
        try await source.image(at: TileID(level: level, row: row, column: column)))
      let scale = Double(1 << (level - 1))
      for (x, y) in [(0, 0), (255, 255), (17, 130), (128, 3)] {
        let parentX = (Double(column * 256 + x) + 0.5) / scale - 0.5 - 256
        let parentY = (Double(row * 256 + y) + 0.5) / scale - 0.5
        let pixel = image.pixels[y * 256 + x]
        #expect(abs(Double(pixel >> 8 & 255) - min(max(parentX, 0), 255)) <= 1)
        #expect(abs(Double(pixel & 255) - min(max(parentY, 0), 255)) <= 1)
      }
    }
  }

  @Test func `The four children of a parent decode it once`() async throws {
    let parents = ParentTiles(try Self.source())
    let id = TileID(level: 1, row: 0, column: 1)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { _ = try await parents.picture(for: id) } }
      try await group.waitForAll()
    }
    #expect(await parents.decodedCount == 1)
  }

  @Test func `Decoded tiles are let go of`() async throws {
    let tile = Tile(
      data: try #require(try Self.source().tile(at: .init(level: 1, row: 0, column: 1))).data,
      format: .png)
    var tiles: [TileID: Tile] = [:]
    for column in 0..<256 { tiles[TileID(level: 8, row: 0, column: column)] = tile }
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "tiles", scheme: .webMercator, levels: 0...8, declaredFormat: "PNG"), tiles: tiles)
    let parents = ParentTiles(source)
    for column in 0..<256 {
      _ = try await parents.picture(for: TileID(level: 8, row: 0, column: column))
    }
    _ = try await parents.picture(for: TileID(level: 8, row: 0, column: 255))
    #expect(await parents.decodedCount == 256)
    _ = try await parents.picture(for: TileID(level: 8, row: 0, column: 0))
    #expect(await parents.decodedCount == 257)
  }

  @Test func `Tiles that are there are handed on as they are`() async throws {
    let stored = try Self.source()
    let source = OverzoomedTileSource(stored, to: 5)
    let id = TileID(level: 1, row: 0, column: 1)
    #expect(try await source.tile(at: id) == stored.tile(at: id))
    #expect(source.info.levels == 0...5)
    #expect(source.info.scheme.level(5)?.resolution == TileScheme.webMercator.level(5)?.resolution)
  }

  @Test(arguments: [
    TileID(level: 1, row: 1, column: 1), TileID(level: 2, row: 2, column: 2),
    TileID(level: 7, row: 0, column: 99), TileID(level: 5, row: -1, column: 20),
    TileID(level: -3, row: 0, column: 0),
  ])
  func `Where no tile covers the ground there is none`(_ id: TileID) async throws {
    let source = OverzoomedTileSource(try Self.source(), to: 6)
    #expect(try await source.tile(at: id) == nil)
    #expect(try await source.image(at: id) == nil)
  }

  @Test func `A parent that is damaged says so`() async throws {
    let info = try Self.source().info
    let id = TileID(level: 1, row: 0, column: 1)
    let tiles = [id: Tile(data: Data("no picture".utf8), format: .png)]
    let source = OverzoomedTileSource(InMemoryTileSource(info: info, tiles: tiles), to: 4)
    await #expect(throws: TileError.self) {
      try await source.tile(at: TileID(level: 2, row: 0, column: 2))
    }
  }

  @Test func `A map of one layer of tiles hands its tiles on`() async throws {
    let stored = try Self.source()
    let layer = Layer(.tiledMapService, id: "tiles", title: "Tiles")
    let renderer = MapRenderer(layers: [DrawnLayer(layer: layer, content: .tiles(stored))])
    let source = RenderedTileSource(renderer, name: "map")
    let id = TileID(level: 1, row: 0, column: 1)
    #expect(try await source.tile(at: id) == stored.tile(at: id))
    let child = try #require(try await source.tile(at: TileID(level: 3, row: 2, column: 5)))
    let enlarged = OverzoomedTileSource(stored, to: 3)
    #expect(try await enlarged.tile(at: TileID(level: 3, row: 2, column: 5)) == child)
    // Beside it there is the background.
    let empty = try #require(try await source.tile(at: TileID(level: 1, row: 1, column: 0)))
    #expect(try PixelImage(decoding: empty.data).pixels.allSatisfy { $0 == 0xFFFF_FFFF })
  }
}

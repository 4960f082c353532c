import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// A vector tile package that ArcGIS Pro wrote.
@Suite(.needsSharedFiles) struct VectorTilePackageTests {
  static func open() throws -> VectorTilePackage {
    try VectorTilePackage.open(SharedFiles.url("samples/tile-packages/dodge_city.vtpk"))
  }

  @Test func `The index lists exactly the tiles that the bundles have`() throws {
    let package = try Self.open()
    #expect(package.isIndexed)
    let map = try #require(try package.tileMap())
    let counts = try package.tileCounts()
    #expect(map.tileCounts == counts)
    #expect(
      counts == [
        0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 2,
      ])
    var tiles = [TileID(level: 0, row: 0, column: 0)]
    for _ in 0...11 {
      for id in tiles {
        #expect(try package.tile(at: id)?.format == .gzippedVectorTile)
      }
      tiles = tiles.flatMap(\.children).filter(map.contains)
    }
    #expect(tiles.isEmpty)
  }

  @Test func `Below its leaves, the leaves serve`() throws {
    let package = try Self.open()
    let leaf = TileID(level: 11, row: 0x300 + 23, column: 0x180 + 70)
    let below = TileID(level: 14, row: leaf.row << 3 | 5, column: leaf.column << 3 | 2)
    #expect(try package.tileToOverzoom(for: below) == leaf)
    #expect(try package.tileToOverzoom(for: leaf) == leaf)
    #expect(try package.tileToOverzoom(for: TileID(level: 11, row: 0, column: 0)) == nil)
    #expect(try package.tile(at: below) == nil)
  }

  @Test func `Style, sprites and fonts come out of the package`() throws {
    let package = try Self.open()
    #expect(package.stylePath == "p12/resources/styles/root.json")
    let style = try package.style()
    #expect(style["version"]?.int == 8)
    #expect(style["layers"]?.array?.count == 3)
    let sprite = try #require(try package.sprites().first)
    #expect(sprite.index["Dodge_city_planet_osm_point_points"]?["width"]?.int == 10)
    #expect(sprite.image.count == 248)
    #expect(try package.sprites(scale: .double).first?.image.count == 384)
    #expect(try package.fontStacks() == ["Tahoma Regular"])
    #expect(try package.glyphs(fontStack: "Tahoma Regular", range: 0...255)?.count == 78662)
    #expect(
      try package.glyphs(fontStack: "Nowhere Sans, Tahoma Regular", range: 256...511)?.count
        == 128134)
    #expect(try package.glyphs(fontStack: "Tahoma Regular", range: 99840...100095) == nil)
    #expect(try package.glyphs(fontStack: "../Tahoma Regular", range: 0...255) == nil)
    #expect(try package.metadata()?["vector_layers"]?.array?.count == 3)
  }

  @Test(arguments: ["../../../../secret", "/etc/passwd", "%2e%2e/%2e%2e/%2e%2e/%2e%2e/x"])
  func `A URL that leads out of the package is refused`(_ url: String) throws {
    let package = try Self.open()
    #expect(throws: TileError.self) { try package.resource(at: url) }
  }

  @Test func `A package says what it is`() throws {
    let package = try Self.open()
    #expect(package.info.name == "Map")
    #expect(package.info.levels == 0...11)
    #expect(package.info.declaredFormat == "pbf")
    #expect(package.info.scheme.tileWidth == 512)
    #expect(package.info.scheme.level(0)?.resolution == 78271.516963999995)
    let item = try #require(try package.itemInformation())
    #expect(item.tags == ["Dodge city", "Open street map"])
    #expect(item.type == "Vector Tile Package")
    #expect(try package.thumbnail()?.count == 5270)
  }

  @Test func `Pictures and vector tiles are not taken for one another`() throws {
    let vector = SharedFiles.url("samples/tile-packages/dodge_city.vtpk")
    let raster = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    #expect(throws: TileError.self) { try TilePackage.open(vector) }
    #expect(throws: TileError.self) { try VectorTilePackage.open(raster) }
    guard case .vector = try TilePackageFile.open(vector),
      case .raster = try TilePackageFile.open(raster)
    else {
      Issue.record("the wrong kind")
      return
    }
  }
}

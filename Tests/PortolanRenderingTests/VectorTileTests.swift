import Foundation
import PortolanArchives
import PortolanExpressions
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanRendering
@testable import PortolanVectorTiles

@Suite struct VectorTileTests {
  /// A layer `a` of extent 16 with a square of property `k` = `v`.
  static let tile = Data(
    message(
      3,
      message(1, Array("a".utf8))
        + message(
          2,
          message(2, [0, 0]) + [0x18, 3]
            + message(4, [9, 4, 4, 26, 20, 0, 0, 20, 19, 0, 15]))
        + message(3, Array("k".utf8)) + message(4, message(1, Array("v".utf8))) + [0x28, 16]))

  static func message(_ field: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [field << 3 | 2, UInt8(bytes.count)] + bytes
  }

  @Test func `A tile has its layers, features and properties`() throws {
    let tile = try VectorTileReader.tile(Self.tile)
    let layer = try #require(tile.layers.first)
    #expect((layer.name, layer.extent) == ("a", 16))
    let feature = try #require(layer.features.first)
    #expect(feature.kind == .polygon)
    #expect(feature.properties == ["k": .text("v")])
    #expect(
      feature.paths == [
        [(2.0, 2.0), (12, 2), (12, 12), (2, 12)].map { Coordinate(x: $0.0, y: $0.1) }
      ])
  }

  @Test func `A packed tile is the same`() throws {
    let packed = try Gzip.compress(Self.tile)
    #expect(try VectorTileReader.tile(packed).layers.count == 1)
    #expect(try VectorTileReader.tile(Data()).layers.isEmpty)
  }

  @Test func `A tile that is cut or changed anywhere does no harm`() {
    for index in Self.tile.indices {
      var broken = Self.tile
      broken[index] ^= 0x55
      // Whether it can still be read does not matter here.
      _ = try? VectorTileReader.tile(broken)
      _ = try? VectorTileReader.tile(Self.tile.prefix(index))
    }
  }

  @Test func `Tiles without a style are drawn plainly`() async throws {
    let scheme = TileScheme(
      origin: Coordinate(x: -32, y: 32), tileWidth: 512, tileHeight: 512,
      spatialReference: .webMercator,
      levels: [TileScheme.Level(level: 0, resolution: 64 / 512.0, scale: 1)])
    let source = InMemoryTileSource(
      info: TileSourceInfo(name: "t", scheme: scheme, levels: 0...0, declaredFormat: "pbf"),
      tiles: [TileID(level: 0, row: 0, column: 0): Tile(data: Self.tile, format: .vectorTile)])
    let layer = DrawnLayer(layer: Layer(json: ["title": "Tiles"]), content: .tiles(source))
    let picture = try await SmallMap.picture(
      [layer], frame: SmallMap.frame(width: 80, height: 80, rotation: 15))
    #expect(picture.omissions.isEmpty)
    try expectPicture(picture.data, named: "vector-tile.png")
  }

  @Test(
    .needsSharedFiles, .temporaryDirectory,
    arguments: [
      ("far", 150_000.0), ("middle", 30_000), ("near", 5000),
    ])
  func `Dodge City is drawn in its style`(_ name: String, _ scale: Double) async throws {
    try await SamplePictureTests.expectRecorded(
      "samples/tile-packages/dodge_city.vtpk", scale: scale,
      center: Coordinate(x: -100.02, y: 37.755), named: "dodge-city-\(name).png")
  }
}

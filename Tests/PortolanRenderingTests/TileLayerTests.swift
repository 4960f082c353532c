import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering

@Suite struct TileLayerTests {
  /// Tiles of 16 pixels: level 0 has four with 4 m a pixel, level 1 has eight with 2 m.
  static func source(
    _ tiles: [TileID: Data], reference: SpatialReference = .webMercator, unit: Double = 1
  ) -> InMemoryTileSource {
    let scheme = TileScheme(
      origin: Coordinate(x: -64 * unit, y: 64 * unit), tileWidth: 16, tileHeight: 16,
      spatialReference: reference,
      levels: [
        .init(level: 0, resolution: 4 * unit, scale: 2),
        .init(level: 1, resolution: 2 * unit, scale: 1),
      ])
    return InMemoryTileSource(
      info: TileSourceInfo(name: "tiles", scheme: scheme, levels: 0...1, declaredFormat: "PNG"),
      tiles: tiles.mapValues { Tile(data: $0, format: .png) })
  }

  /// A tile with a cross whose colour tells its place.
  static func tile(_ id: TileID) throws -> Data {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 16, yMax: 16)
    let background = RGBAColor(
      red: UInt8(60 + id.column * 25), green: UInt8(60 + id.row * 25),
      blue: id.level == 0 ? 60 : 180)
    let canvas = try Canvas(of: ground, width: 16, height: 16, background: background)
    canvas.stroke(
      [Path([Coordinate(x: 2, y: 2), Coordinate(x: 14, y: 14)])],
      RGBAColor(red: 255, green: 255, blue: 255), width: 2)
    return try canvas.pngData()
  }

  static func tiles(_ level: Int) throws -> [TileID: Data] {
    let side = 2 << level
    var tiles: [TileID: Data] = [:]
    for row in 0..<side {
      for column in 0..<side {
        let id = TileID(level: level, row: row, column: column)
        tiles[id] = try tile(id)
      }
    }
    return tiles
  }

  static func layer(_ source: any TileSource) -> DrawnLayer {
    DrawnLayer(layer: Layer(json: ["title": "Tiles"]), content: .tiles(source))
  }

  static func frame(resolution: Double, rotation: Double = 0) -> MapFrame {
    var frame = SmallMap.frame(width: 64, height: 48, rotation: rotation)
    frame.scale *= resolution
    return frame
  }

  @Test(arguments: [
    ("exact", 2.0, 0.0), ("shrunk", 3, 0), ("overzoomed", 0.5, 0), ("turned", 2, 40),
  ])
  func `Tiles are drawn at any scale without seams`(
    _ name: String, _ resolution: Double, _ rotation: Double
  ) async throws {
    let source = Self.source(
      try Self.tiles(0).merging(Self.tiles(1), uniquingKeysWith: { first, _ in first }))
    let picture = try await SmallMap.picture(
      [Self.layer(source)], frame: Self.frame(resolution: resolution, rotation: rotation))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "tiles-\(name).png")
  }

  @Test func `Coarser tiles replace those that are missing or damaged`() async throws {
    var tiles = try Self.tiles(0).merging(Self.tiles(1), uniquingKeysWith: { first, _ in first })
    tiles[TileID(level: 1, row: 1, column: 1)] = nil
    tiles[TileID(level: 1, row: 2, column: 2)] = Data("no picture".utf8)
    let picture = try await SmallMap.picture(
      [Self.layer(Self.source(tiles))], frame: Self.frame(resolution: 2))
    #expect(picture.omissions.map(\.count) == [1])
    #expect(picture.omissions.first?.sentence.contains("the bytes are no picture") == true)
    try expectPicture(picture.data, named: "tiles-stand-in.png")
  }

  @Test func `Tiles of another reference are projected`() async throws {
    let degree = 1 / SpatialReferenceProperties.metersPerDegree
    let source = Self.source(try Self.tiles(1), reference: .wgs84, unit: degree)
    let picture = try await SmallMap.picture([Self.layer(source)], frame: Self.frame(resolution: 2))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "tiles-projected.png")
  }

  @Test func `A scale far outside the tiles' range is reported`() async throws {
    var frame = SmallMap.frame(width: 2000, height: 2000)
    frame.scale *= 1000
    let source = Self.source([:])
    var info = source.info
    info.levels = 1...1
    let wide = InMemoryTileSource(info: info, tiles: [:])
    let picture = try await SmallMap.picture([Self.layer(wide)], frame: frame)
    #expect(picture.omissions.first?.reason == "Its tiles are not made for scales so far out.")
  }
}

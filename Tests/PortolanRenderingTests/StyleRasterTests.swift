import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

/// Layers of styles that draw tiles of pictures.
struct StyleRasterTests {
  private struct NoResources: StyleResources {
    func sprites(isDouble: Bool) -> [StyleSprite] { [] }
    func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? { nil }
  }

  /// Four squares, of which one is clear.
  private static let colors: [RGBAColor] = [
    RGBAColor(red: 200, green: 40, blue: 90, alpha: 255),
    RGBAColor(red: 30, green: 140, blue: 60, alpha: 255),
    RGBAColor(red: 20, green: 40, blue: 220, alpha: 255),
    RGBAColor(red: 0, green: 0, blue: 0, alpha: 0),
  ]

  private static func source(levels: ClosedRange<Int> = 0...1) throws -> InMemoryTileSource {
    let pixels = (0..<256).flatMap { row in
      (0..<256).map { colors[row / 128 * 2 + $0 / 128].pixel }
    }
    let image = try #require(PixelImage(width: 256, height: 256, pixels: pixels))
    let tile = Tile(data: try image.pngData(), format: .png)
    var tiles: [TileID: Tile] = [:]
    for level in levels {
      for row in 0..<(1 << level) {
        for column in 0..<(1 << level) {
          tiles[TileID(level: level, row: row, column: column)] = tile
        }
      }
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: "pictures", scheme: .webMercator(tileSide: 256, levels: levels), levels: levels,
        declaredFormat: "PNG"), tiles: tiles)
  }

  /// The world at the zoom 0 of styles, where tiles of 256 pixels are those of level 1; or what is along
  /// the equator, on a map of longitudes and latitudes.
  private static func picture(
    _ paint: JSONObject, source: InMemoryTileSource, layers: [JSONValue] = [], zoom: Double = 0,
    isGeographic: Bool = false, declared: JSONObject = [:]
  ) async throws -> (image: PixelImage, omissions: [String]) {
    let layer: JSONValue = [
      "id": "pictures", "type": "raster", "source": "pictures", "paint": .object(paint),
    ]
    var declaration: JSONObject = ["type": "raster", "tileSize": 256]
    for member in declared.members { declaration[member.name] = member.value }
    let tiles = StyledVectorTiles(
      sources: ["pictures": source],
      style: [
        "sources": ["pictures": .object(declaration)],
        "layers": .array([layer] + layers),
      ], resources: NoResources())
    var frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 1, width: 512, height: isGeographic ? 64 : 512,
      spatialReference: isGeographic ? .wgs84 : .webMercator,
      properties: isGeographic ? .wgs84 : .webMercator)
    let pixel = isGeographic ? 360.0 / 512 : 78_271.516_964_020_48
    frame.scale = frame.properties.scale(forResolution: pixel / exp2(zoom))
    let session = try DrawingSession(
      MapPictureRequest(frame: frame, pixelRatio: 1), referenceScale: 0)
    await session.fill(.white)
    await VectorTileLayerDrawing(tiles, title: "style", in: session).draw()
    return (try await session.image(), session.omissions.entries.map(\.reason))
  }

  /// The color in the middle of a square of the first tile, multiplied by nothing.
  private static func color(_ image: PixelImage, _ square: Int) -> [Int] {
    let pixel = image.pixels[(square / 2 * 128 + 64) * image.width + square % 2 * 128 + 64]
    return [16, 8, 0].map { Int(pixel >> $0 & 255) }
  }

  @Test func `Tiles are drawn as they are, below what lies above them`() async throws {
    let source = try Self.source()
    let over: JSONValue = [
      "id": "veil", "type": "background",
      "paint": ["background-color": "#fff", "background-opacity": 0.5],
    ]
    let plain = try await Self.picture([:], source: source)
    #expect(Self.color(plain.image, 0) == [200, 40, 90])
    #expect(Self.color(plain.image, 3) == [255, 255, 255])
    #expect(plain.omissions == [])
    let veiled = try await Self.picture([:], source: source, layers: [over])
    #expect(Self.color(veiled.image, 0).map { abs($0 - 228) < 3 } == [true, false, false])
  }

  /// The expected colors are worked out by hand after the style specification.
  @Test(
    arguments: [
      ("raster-opacity", 0.5, [228, 148, 173]),
      ("raster-brightness-min", 0.5, [228, 148, 173]),
      ("raster-brightness-max", 0.5, [100, 20, 45]),
      ("raster-contrast", 0.5, [255, 0, 52]), ("raster-contrast", -1, [128, 128, 128]),
      ("raster-saturation", -1, [110, 110, 110]), ("raster-hue-rotate", 120, [90, 200, 40]),
    ] as [(String, Double, [Int])])
  func `A property changes the colors`(
    _ name: String, _ value: Double, _ expected: [Int]
  ) async throws {
    let picture = try await Self.picture([name: .number(value)], source: try Self.source())
    let color = Self.color(picture.image, 0)
    for (part, wanted) in zip(color, expected) { #expect(abs(part - wanted) <= 2, "\(color)") }
    #expect(Self.color(picture.image, 3) == [255, 255, 255])
    #expect(picture.omissions == [])
  }

  @Test(arguments: ["raster-resampling", "resampling"])
  func `Pixels that are enlarged run into each other unless the style forbids it`(
    _ name: String
  ) async throws {
    let source = try Self.source(levels: 0...0)
    let smooth = try await Self.picture([:], source: source, zoom: 2)
    let hard = try await Self.picture(
      [name: "nearest"], source: source, zoom: 2)
    #expect(Set(hard.image.pixels).count < 6)
    #expect(Set(smooth.image.pixels).count > 6)
  }

  @Test(
    arguments: [
      ([:], [20, 40, 220]), (["raster-opacity": 0.5], [138, 148, 238]),
      (["raster-brightness-max": 0.5], [10, 20, 110]),
    ] as [(JSONObject, [Int])])
  func `Tiles are painted as the style says on maps of other references, too`(
    _ paint: JSONObject, _ expected: [Int]
  ) async throws {
    let picture = try await Self.picture(paint, source: try Self.source(), isGeographic: true)
    // The lower squares of the tiles north of the equator.
    let pixel = picture.image.pixels[16 * picture.image.width + 64]
    let color = [16, 8, 0].map { Int(pixel >> $0 & 255) }
    for (part, wanted) in zip(color, expected) { #expect(abs(part - wanted) <= 2, "\(color)") }
    #expect(picture.omissions == [])
  }

  @Test func `Pixels have edges on maps of other references, too, where that is asked for`()
    async throws
  {
    let source = try Self.source(levels: 0...0)
    let smooth = try await Self.picture([:], source: source, zoom: 2, isGeographic: true)
    let hard = try await Self.picture(
      ["raster-resampling": "nearest"], source: source, zoom: 2, isGeographic: true)
    #expect(Set(hard.image.pixels).count < 6)
    #expect(Set(smooth.image.pixels).count > 6)
  }

  @Test func `Tiles are drawn where the style says that a source has any`() async throws {
    let bounds: JSONObject = ["bounds": [-180, 0, 0, 85.0511]]
    let image = try await Self.picture([:], source: try Self.source(), declared: bounds).image
    #expect(Self.color(image, 0) == [200, 40, 90])
    // The same square of the tile in the east, and of that in the south.
    #expect(image.pixels[64 * image.width + 320] == 0xFFFF_FFFF)
    #expect(image.pixels[320 * image.width + 64] == 0xFFFF_FFFF)
  }

  @Test func `Below its first level a source shows nothing`() async throws {
    let source = try Self.source(levels: 3...3)
    #expect(Set(try await Self.picture([:], source: source).image.pixels).count == 1)
    #expect(Set(try await Self.picture([:], source: source, zoom: 2).image.pixels).count > 1)
  }

  @Test func `A source that is not available is reported`() async throws {
    let tiles = StyledVectorTiles(
      sources: [:],
      style: [
        "sources": ["pictures": ["type": "raster"]],
        "layers": [["id": "pictures", "type": "raster", "source": "pictures"]],
      ], resources: NoResources())
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 1e6, width: 64, height: 64,
      spatialReference: .webMercator, properties: .webMercator)
    let session = try DrawingSession(
      MapPictureRequest(frame: frame, pixelRatio: 1), referenceScale: 0)
    await VectorTileLayerDrawing(tiles, title: "style", in: session).draw()
    #expect(
      session.omissions.entries.map(\.reason)
        == ["The source \"pictures\" of its style is not at hand."])
  }
}

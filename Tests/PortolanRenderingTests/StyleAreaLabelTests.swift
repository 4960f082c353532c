import Foundation
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanImages

/// Symbols of areas of which several tiles have a piece.
struct StyleAreaLabelTests {
  private static func area(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double, id: Int? = nil
  ) -> JSONValue {
    let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    var feature: JSONObject = [
      "type": "Feature", "properties": ["name": "I"],
      "geometry": [
        "type": "Polygon",
        "coordinates": [.array(ring.map { [.number($0.0), .number($0.1)] })],
      ],
    ]
    if let id { feature["id"] = .integer(Int64(id)) }
    return .object(feature)
  }

  private static func style(_ areas: [JSONValue], layout: JSONObject = [:]) -> JSONValue {
    var layout = layout
    layout["text-field"] = "{name}"
    layout["text-font"] = ["Strokes"]
    layout["text-size"] = 24
    return [
      "version": 8, "glyphs": "glyphs",
      "sources": [
        "areas": [
          "type": "geojson", "data": ["type": "FeatureCollection", "features": .array(areas)],
        ]
      ],
      "layers": [
        ["id": "names", "type": "symbol", "source": "areas", "layout": .object(layout)]
      ],
    ]
  }

  /// The number of texts: runs of ink in rows and columns, for each is a bar.
  private static func count(_ image: PixelImage) -> Int {
    let isInk = image.pixels.map { $0 & 255 < 128 }
    return isInk.indices.filter { index in
      let (column, row) = (index % image.width, index / image.width)
      return isInk[index] && (column == 0 || !isInk[index - 1])
        && (row == 0 || !isInk[index - image.width])
        && !(column > 0 && row > 0 && isInk[index - image.width - 1])
        && !(column + 1 < image.width && row > 0 && isInk[index - image.width + 1])
    }.count
  }

  /// Areas around the place where four tiles meet, and how many texts they have: one for each tile in which
  /// the middle of its piece is.
  @Test(
    arguments: [
      ([area(-100, -60, 100, 60)], 4), ([area(-100, -60, 100, 60, id: 7)], 4),
      ([area(-60, -40, 60, 40)], 2), ([area(-20, -40, 80, 40)], 1),
      ([area(-70, -40, -10, 40), area(10, -40, 70, 40)], 2),
      ([area(-70, -40, -10, 40, id: 1), area(10, -40, 70, 40, id: 2)], 2),
      ([area(-70, 10, -10, 40)], 1),
    ] as [([JSONValue], Int)])
  func `Each piece of an area that a tile has is an area of its own, as MapLibre has it`(
    _ areas: [JSONValue], _ count: Int
  ) async throws {
    let picture = try await StyledWorld.picture(
      Self.style(areas), files: ["Strokes/0": MadeGlyphs.range], zoom: 1)
    #expect(Self.count(picture.image) == count)
  }

  @Test func `The text of a piece is in its middle, also beyond the side of the tile`() async throws
  {
    let picture = try await StyledWorld.picture(
      Self.style([Self.area(-20, -40, 80, 40)]), files: ["Strokes/0": MadeGlyphs.range], zoom: 1)
    let columns = picture.image.pixels.indices.filter { picture.image.pixels[$0] & 255 < 128 }
      .map { $0 % 512 }
    // 30 degrees east, which is 85 pixels.
    #expect(!columns.isEmpty && columns.allSatisfy { abs($0 - 341) < 5 })
  }

  /// Both tiles at the equator have a piece of it, and the middle of the southern one is in the north.
  @Test(arguments: [0.0, 30, 200])
  func `An area has its text in one tile, however the map is turned`(
    _ rotation: Double
  ) async throws {
    let style = Self.style([Self.area(20, 5, 80, 55)], layout: ["text-allow-overlap": true])
    let picture = try await StyledWorld.picture(
      style, files: ["Strokes/0": MadeGlyphs.range], zoom: 1, rotation: rotation)
    #expect(Self.count(picture.image) == 1)
  }

  @Test func `Blocks that overlap agree on the text of an area`() async throws {
    let style = Self.style([Self.area(-120, -70, 130, 75)])
    func block(_ x: Double, _ y: Double) async throws -> PixelImage {
      let pixel = 78_271.516_964_020_48 / 4
      return try await StyledWorld.picture(
        style, files: ["Strokes/0": MadeGlyphs.range], zoom: 2,
        center: Coordinate(x: x * pixel, y: y * pixel), isBlock: true
      ).image
    }
    let whole = try await block(0, 0)
    let right = try await block(256, 0)
    let half = try #require(whole.part(x: 256, y: 0, width: 256, height: 512))
    #expect(right.part(x: 0, y: 0, width: 256, height: 512) == half)
    let below = try await block(0, -256)
    #expect(
      whole.part(x: 0, y: 256, width: 512, height: 256)
        == below.part(x: 0, y: 0, width: 512, height: 256))
  }
}

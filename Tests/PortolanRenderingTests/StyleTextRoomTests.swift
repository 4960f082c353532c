import Foundation
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanImages

/// The room that texts of styles keep free, and the order in which they come.
struct StyleTextRoomTests {
  private typealias Placing = StyleLabelPlacingTests

  /// The room that a text along a line needs is determined by its size at the last whole zoom.
  @Test func `Texts along lines are laid out for their size at the last whole zoom`() async throws {
    let line: JSONValue = ["type": "LineString", "coordinates": [[-70, 0], [70, 0]]]
    let picture = try await Placing.picture(
      [
        Placing.layer(
          "a", "p",
          [
            "symbol-placement": "line", "text-field": "IIIIII",
            "text-size": ["interpolate", ["linear"], ["zoom"], 0, 24, 1, 200],
          ])
      ], ["p": line])
    #expect(Placing.ink(picture) != nil)
  }

  /// Two texts of 28.8 pixels down with 2 around them, a degree of longitude being 512 / 360 pixels:
  /// at 23.05 of those, which are 22.45 of latitude, they touch, however the map is turned.
  @Test(arguments: [(22.3, 0, false), (22.7, 0, true), (22.9, 90, false), (23.3, 90, true)])
  func `The room of a text is level, and none may touch another`(
    _ degrees: Double, _ rotation: Double, _ haveRoom: Bool
  ) async throws {
    // Above each other on the picture.
    let place: JSONValue = rotation == 0 ? [0, .number(-degrees)] : [.number(degrees), 0]
    let picture = try await Placing.picture(
      [
        Placing.layer("below", "low", ["text-rotation-alignment": "map"], color: "#f00"),
        Placing.layer("above", "high", ["text-rotation-alignment": "map"], color: "#00f"),
      ],
      ["low": ["type": "Point", "coordinates": place], "high": Placing.middle], rotation: rotation)
    #expect((Placing.ink(picture, where: Placing.isRed) != nil) == haveRoom)
  }

  /// Four texts that cover each other, each in a tile of its own, and the one that is uppermost and
  /// leftmost on the picture.
  @Test(arguments: [(0, "red"), (30, "blue"), (120, "lime"), (200, "black")])
  func `Symbols of tiles have their turn from the top of the picture to its foot`(
    _ rotation: Double, _ first: String
  ) async throws {
    func feature(_ color: String, _ east: Int64, _ north: Int64) -> JSONValue {
      [
        "type": "Feature", "properties": ["color": .string(color)],
        "geometry": ["type": "Point", "coordinates": [.integer(east), .integer(north)]],
      ]
    }
    let features: JSONValue = [
      "type": "FeatureCollection",
      "features": [
        feature("black", -1, -1), feature("lime", 1, -1), feature("blue", 1, 1),
        feature("red", -1, 1),
      ],
    ]
    var layer = Placing.layer("a", "p", [:]).object ?? [:]
    layer["paint"] = ["text-color": ["get", "color"]]
    let picture = try await Placing.picture(
      [.object(layer)], ["p": features], zoom: 1, rotation: rotation)
    let colors: [String: UInt32] = [
      "red": 0xFF_0000, "blue": 0x00_00FF, "lime": 0x00_FF00, "black": 0,
    ]
    let drawn = colors.filter { color in
      picture.image.pixels.contains { $0 & 0xFF_FFFF == color.value }
    }
    #expect(Array(drawn.keys) == [first])
  }

  /// The distance east of the middle of a picture of 100 pixels of a text that reaches into it, the
  /// last level of its tiles at zoom 3, and whether it keeps the one in the picture away.
  @Test(
    arguments: [
      (95, 0, false, true), (105, 0, false, false), (105, 2, false, false), (105, 3, false, true),
      (105, 0, true, true),
    ] as [(Double, Int64, Bool, Bool)])
  func `Of enlarged tiles no symbols count that are beside a picture by half of it`(
    _ distance: Double, _ level: Int64, _ isBlock: Bool, _ isAway: Bool
  ) async throws {
    // In the middle of a cell of labels, which are placed in their cells in blocks.
    let middle = Coordinate(x: 200, y: 300)
    func feature(_ name: String, _ pixels: Double) -> JSONValue {
      let longitude = (middle.x + pixels) * 360 / 4096
      return [
        "type": "Feature", "properties": ["name": .string(name)],
        "geometry": ["type": "Point", "coordinates": [.number(longitude), 25.5]],
      ]
    }
    let resolution = 78_271.516_964_020_48 / 8
    var layer =
      Placing.layer(
        "a", "p", ["text-field": ["get", "name"], "text-anchor": "right", "text-max-width": 100]
      ).object ?? [:]
    layer["paint"] = ["text-color": ["match", ["get", "name"], "I", "#f00", "#000"]]
    // Twenty letters of six pixels, and one.
    let features: JSONValue = [
      "type": "FeatureCollection",
      "features": [feature("IIIIIIIIIIIIIIIIIIII", distance), feature("I", 30)],
    ]
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "glyphs": "glyphs", "layers": [.object(layer)],
        "sources": ["p": ["type": "geojson", "data": features, "maxzoom": .integer(level)]],
      ], files: ["Strokes/0": MadeGlyphs.range], zoom: 3, width: 100, height: 100,
      center: Coordinate(x: middle.x * resolution, y: middle.y * resolution), isBlock: isBlock)
    #expect((Placing.ink(picture, where: Placing.isRed) == nil) == isAway)
  }

  @Test func `A text that chooses its place keeps it when it is turned by itself`() async throws {
    let layout: JSONObject = [
      "text-variable-anchor": ["left"], "text-radial-offset": 2, "text-rotate": 90,
    ]
    let picture = try await Placing.picture(
      [Placing.layer("a", "p", layout)], ["p": Placing.middle])
    let ink = try #require(Placing.ink(picture))
    // Two ems to the right, not below.
    #expect(ink.columns.lowerBound > 300 && ink.rows.contains(256))
  }

  @Test func `Text without a size is not drawn, and text without a width is not broken`()
    async throws
  {
    let none = try await Placing.picture(
      [Placing.layer("a", "p", ["text-size": 0])], ["p": Placing.middle])
    #expect(Placing.ink(none) == nil)
    let level = try await Placing.picture(
      [Placing.layer("a", "p", ["text-field": "II II", "text-max-width": 0])], ["p": Placing.middle]
    )
    let ink = try #require(Placing.ink(level))
    #expect(ink.rows.count < 30)
  }
}

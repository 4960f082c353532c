import Foundation
import PortolanJSON
import PortolanTiles
import Testing

@testable import PortolanImages

/// The positions of the texts of a style, beside their points and along lines.
struct StyleTextPlaceTests {
  private typealias Placing = StyleLabelPlacingTests

  private static func line(_ start: Int, _ end: Int, _ north: Int = 0) -> JSONValue {
    [
      "type": "LineString",
      "coordinates": [
        [.integer(Int64(start)), .integer(Int64(north))],
        [.integer(Int64(end)), .integer(Int64(north))],
      ],
    ]
  }

  private static func feature(_ geometry: JSONValue, _ properties: JSONValue = [:]) -> JSONValue {
    ["type": "Feature", "properties": properties, "geometry": geometry]
  }

  /// The number of rows of a part of the picture that have ink.
  private static func inkedRows(_ picture: StyledWorld.Picture, _ rows: Range<Int>) -> Int {
    let width = picture.image.width
    return rows.filter { row in
      picture.image.pixels[row * width..<(row + 1) * width].contains { $0 & 0xFF < 128 }
    }.count
  }

  /// The anchor, and whether the text is left and right of the middle of its line, which goes either
  /// way.
  @Test(arguments: [("left", false, true), ("center", true, true), ("bottom-right", true, false)])
  func `Text along a line has its anchor there, in the direction in which it is read`(
    _ anchor: String, _ isLeft: Bool, _ isRight: Bool
  ) async throws {
    for line in [Self.line(-120, 120), Self.line(120, -120)] {
      let picture = try await Placing.picture(
        [
          Placing.layer(
            "a", "p",
            [
              "text-field": "IIIIIII", "symbol-placement": "line-center",
              "text-anchor": .string(anchor),
            ])
        ], ["p": line])
      let ink = try #require(Placing.ink(picture))
      // The text is about 42 pixels long.
      #expect((ink.columns.lowerBound < 246) == isLeft)
      #expect((ink.columns.upperBound > 266) == isRight)
    }
  }

  /// The text is 42 pixels long, from the middle of its first letter to that of its last one 36.
  @Test(arguments: [(14, false), (16, true)])
  func `A text in the middle of a line is drawn where it has room from end to end`(
    _ half: Int, _ isDrawn: Bool
  ) async throws {
    let picture = try await Placing.picture(
      [
        Placing.layer(
          "a", "p", ["text-field": "IIIIIII", "symbol-placement": "line-center"])
      ], ["p": Self.line(-half, half)])
    #expect((Placing.ink(picture) != nil) == isDrawn)
  }

  @Test(arguments: ["line", "line-center"])
  func `Lines whose texts say the same have each its own look`(_ placement: String) async throws {
    let features: JSONValue = [
      "type": "FeatureCollection",
      "features": [
        Self.feature(Self.line(-120, 120, 50), ["size": 24]),
        Self.feature(Self.line(-120, 120, -50), ["size": 48]),
      ],
    ]
    let picture = try await Placing.picture(
      [
        Placing.layer(
          "a", "p",
          ["symbol-placement": .string(placement), "text-size": ["get", "size"]])
      ], ["p": features])
    // A letter has 17 of the 24 parts of its size.
    #expect((15...19).contains(Self.inkedRows(picture, 0..<256)))
    #expect((32...36).contains(Self.inkedRows(picture, 256..<512)))
  }

  @Test(arguments: [("auto", false), ("source", false), ("viewport-y", true)])
  func `Of symbols that are sorted by height the lowest finds its place first`(
    _ order: String, _ isLowest: Bool
  ) async throws {
    let features: JSONValue = [
      "type": "FeatureCollection",
      "features": .array(
        ([6, -6] as [Int64]).map { north in
          Self.feature(["type": "Point", "coordinates": [0, .integer(north)]])
        }),
    ]
    let picture = try await Placing.picture(
      [Placing.layer("a", "p", ["symbol-z-order": .string(order)])], ["p": features])
    let ink = try #require(Placing.ink(picture))
    #expect(ink.rows.count < 20)
    #expect((ink.rows.lowerBound + ink.rows.upperBound > 2 * 256) == isLowest)
  }

  @Test(arguments: [0.8, 1.7, 2.2])
  func `A text of one line is at its point, whatever the height of lines`(
    _ height: Double
  ) async throws {
    func ink(_ layout: JSONObject) async throws -> ClosedRange<Int> {
      let picture = try await Placing.picture(
        [Placing.layer("a", "p", layout)], ["p": Placing.middle])
      return try #require(Placing.ink(picture)).rows
    }
    #expect(try await ink(["text-line-height": .number(height)]) == ink([:]))
  }

  /// The bar of the first text is under the halo of the second, whose own bar is beside it.
  @Test(arguments: [(false, true), (true, false)])
  func `Halos are below the letters of texts that they may cover, unless those are sorted by a key`(
    _ isSorted: Bool, _ isSeen: Bool
  ) async throws {
    let features = ([0, 8] as [Int64]).map { east -> JSONValue in
      Self.feature(
        ["type": "Point", "coordinates": [.integer(east), 0]], ["key": .integer(east)])
    }
    var layout: JSONObject = [
      "text-field": "I", "text-size": 72, "text-allow-overlap": true, "symbol-z-order": "source",
    ]
    if isSorted { layout["symbol-sort-key"] = ["get", "key"] }
    var layer = try #require(Placing.layer("a", "p", layout).object)
    layer["paint"] = ["text-color": "#000", "text-halo-color": "#fff", "text-halo-width": 8]
    let picture = try await Placing.picture(
      [.object(layer)], ["p": ["type": "FeatureCollection", "features": .array(features)]])
    // Eight degrees are 11 pixels; a bar is 9 wide.
    #expect((picture.color(256, 256)[0] < 64) == isSeen)
    #expect(picture.color(266, 256)[0] < 64)
  }

  @Test(arguments: ["point", "line-center"])
  func `Texts that are translated keep free the place where they would be`(
    _ placement: String
  ) async throws {
    let layout: JSONObject = ["symbol-placement": .string(placement)]
    let below = Placing.layer("below", "p", layout, color: "#f00")
    var above = try #require(Placing.layer("above", "p", layout).object)
    above["paint"] = ["text-color": "#00f", "text-translate": [0, 100]]
    let picture = try await Placing.picture(
      [below, .object(above)],
      ["p": placement == "point" ? Placing.middle : Self.line(-120, 120)])
    #expect(Placing.ink(picture, where: Placing.isRed) == nil)
    let isBlue: (UInt32) -> Bool = { $0 & 255 > 200 && $0 >> 16 & 255 < 60 }
    let blue = try #require(Placing.ink(picture, where: isBlue))
    #expect(blue.rows.lowerBound > 330)
  }

  @Test func `Icons that are translated keep free the place where they would be`() async throws {
    let layers = [0, 100].map { down -> JSONValue in
      [
        "id": .string("icons \(down)"), "type": "symbol", "source": "p",
        "layout": ["icon-image": "i"],
        "paint": ["icon-translate": [0, .integer(Int64(down))]],
      ]
    }
    let resources = try MadeSprites.resources()
    let sheet = try #require(resources.first { $0.path.hasSuffix(".json") })
    let image = try #require(resources.first { $0.path.hasSuffix(".png") })
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "sprite": "sprite", "layers": .array(layers),
        "sources": ["p": ["type": "geojson", "data": Placing.middle]],
      ],
      sprites: [
        StyleSprite(id: "default", index: try JSONValue(parsing: sheet.data), image: image.data)
      ])
    let ink = try #require(Placing.ink(picture, where: { $0 & 0xFFFFFF != 0xFFFFFF }))
    #expect(ink.rows.lowerBound > 340)
  }
}

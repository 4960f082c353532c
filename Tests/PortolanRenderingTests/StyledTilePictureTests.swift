import Foundation
import PortolanDrawing
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanRendering
import PortolanTestSupport
import PortolanTileFiles
import Testing

@Suite(.temporaryDirectory) struct StyledTilePictureTests {
  static func style(_ layers: JSONValue) -> JSONValue {
    [
      "version": 8, "sprite": "../sprites/sprite", "glyphs": "../fonts/{fontstack}/{range}.pbf",
      "sources": ["esri": ["type": "vector", "url": "../../"]], "layers": layers,
    ]
  }

  static let ground: JSONValue = [
    "id": "ground", "type": "background", "paint": ["background-color": "#f4f1e8"],
  ]

  static func roads(_ paint: JSONValue) -> JSONValue {
    ["id": "roads", "type": "line", "source-layer": "roads", "paint": paint]
  }

  /// Letters of a real package.
  static func tahoma() throws -> [(path: String, data: Data)] {
    let package = try VectorTilePackage.open(
      SharedFiles.url("samples/tile-packages/dodge_city.vtpk"))
    let data = try package.glyphs(fontStack: "Tahoma Regular", range: 0...255)
    return [("fonts/Tahoma Regular/0-255.pbf", try #require(data))]
  }

  @Test(.needsSharedFiles) func `Sections of a text are drawn in their colours and sizes`()
    async throws
  {
    func style(_ look: JSONValue) -> JSONValue {
      Self.style([
        Self.ground,
        [
          "id": "places", "type": "symbol", "source-layer": "places",
          "layout": [
            "text-font": ["Tahoma Regular"], "text-size": 14, "text-max-width": 50,
            "text-field": ["format", ["get", "name"], look, "\nHarbour", [:]],
          ],
          "paint": ["text-color": "#0000cc"],
        ],
      ])
    }
    func inked(_ look: JSONValue) async throws -> (red: Int, blue: Int) {
      // So high that no label reaches over its upper edge, where it would be left out.
      let picture = try await DrawnStyle.picture(
        style(look), resources: Self.tahoma(), height: 512)
      #expect(picture.omissions.map(\.reason) == [])
      let pixels = try PixelImage(decoding: picture.data).pixels
      return (
        pixels.count { $0 >> 16 & 255 > 150 && $0 & 255 < 80 },
        pixels.count { $0 >> 16 & 255 < 80 && $0 & 255 > 150 }
      )
    }
    let plain = try await inked([:])
    let red = try await inked(["text-color": "#cc0000"])
    let large = try await inked(["text-color": "#cc0000", "font-scale": 2])
    #expect(plain.red == 0 && red.red > 100)
    #expect(red.blue > 100 && red.blue < plain.blue)
    #expect(large.red > red.red * 2)
  }

  @Test(.needsSharedFiles) func `A small section is aligned at the top, the middle or the bottom`()
    async throws
  {
    /// The rows of the small letters.
    func rows(_ alignment: JSONValue) async throws -> [Int] {
      let field: JSONValue = [
        "format", "H", ["font-scale": 3], "x",
        ["text-color": "#cc0000", "vertical-align": alignment],
      ]
      let style = Self.symbols(
        ["text-font": ["Tahoma Regular"], "text-size": 20, "text-field": field])
      let picture = try await DrawnStyle.picture(style, resources: Self.tahoma())
      #expect(picture.omissions.map(\.reason) == [])
      let image = try PixelImage(decoding: picture.data)
      return (0..<image.height).filter { row in
        image.pixels[row * image.width..<(row + 1) * image.width].contains {
          $0 >> 16 & 255 > 150 && $0 & 255 < 80
        }
      }
    }
    let (top, center, bottom) = (
      try await rows("top"), try await rows("center"), try await rows("bottom")
    )
    // Two ems of 20 pixels are between a letter of one em and one of three.
    for (upper, lower) in [(top, center), (center, bottom)] {
      let (first, second) = (try #require(upper.first), try #require(lower.first))
      // Beside the edge of the large letter, which is softer, the small one looks darker.
      #expect(abs(second - first - 20) <= 2)
    }
  }

  @Test(.needsSharedFiles) func `An icon is set in a text like a letter`() async throws {
    func counts(_ scale: JSONValue, _ name: JSONValue = "i") async throws -> (red: Int, black: Int)
    {
      let style = Self.symbols([
        "text-font": ["Tahoma Regular"], "text-size": 16,
        "text-field": ["format", "H", [:], ["image", name], ["font-scale": scale], "H", [:]],
      ])
      let picture = try await DrawnStyle.picture(
        style, resources: Self.tahoma() + MadeSprites.resources())
      #expect(
        Set(picture.omissions.map(\.reason))
          == (name == "i" ? [] : ["There is no icon \"nobody\"."]))
      let pixels = try PixelImage(decoding: picture.data).pixels
      return (
        pixels.count { $0 >> 16 & 255 > 150 && $0 & 255 < 80 && $0 >> 24 > 200 },
        pixels.count { $0 >> 24 > 150 && $0 & 0x80_8080 == 0 }
      )
    }
    let (plain, large, missing) = (
      try await counts(1), try await counts(2), try await counts(1, "nobody")
    )
    // The upper half of three icons of 12 pixels, which have their own size whatever that of letters.
    #expect(plain.red == 3 * 12 * 6 && large.red == plain.red)
    #expect(missing.red == 0 && missing.black > 60 && plain.black > 60)
  }

  @Test(.needsSharedFiles) func `Text is set in the letters of the package, along lines too`()
    async throws
  {
    let text: JSONValue = [
      "text-font": ["Tahoma Regular"], "text-field": "{name}", "text-size": 15,
    ]
    var along = text.object ?? [:]
    along["symbol-placement"] = "line"
    var places = text.object ?? [:]
    places["text-max-width"] = 6
    let halo: JSONValue = [
      "text-color": "#223", "text-halo-color": "#fff", "text-halo-width": 1.5,
    ]
    let style = Self.style([
      Self.ground,
      Self.roads(["line-color": "#fff", "line-width": 9]),
      [
        "id": "names", "type": "symbol", "source-layer": "roads", "layout": .object(along),
        "paint": halo,
      ],
      [
        "id": "places", "type": "symbol", "source-layer": "places", "layout": .object(places),
        "paint": halo,
      ],
    ])
    for (name, rotation) in [("glyph-text", 0.0), ("glyph-text-turned", 35)] {
      let picture = try await DrawnStyle.picture(
        style, resources: Self.tahoma(), rotation: rotation)
      #expect(picture.omissions == [])
      try expectPicture(picture.data, named: "\(name).png")
    }
  }

  static func symbols(_ layout: JSONValue, _ paint: JSONValue = [:]) -> JSONValue {
    style([
      [
        "id": "s", "type": "symbol", "source-layer": "places", "layout": layout, "paint": paint,
      ]
    ])
  }

  @Test(arguments: ["outside", "absurd", "nowhere"])
  func `An icon outside its sprite is reported`(_ name: String) async throws {
    let picture = try await DrawnStyle.picture(
      Self.symbols(["icon-image": .string(name)]), resources: MadeSprites.resources())
    #expect(picture.omissions.map(\.sentence) == ["Town: There is no icon \"\(name)\". (3 times)"])
  }

  @Test(arguments: [1.0, 2]) func `Only those parts of an icon are stretched that may be`(
    _ ratio: Double
  ) async throws {
    let layout: JSONValue = [
      "icon-image": "rigid", "icon-text-fit": "both", "icon-text-fit-padding": [6, 30, 6, 30],
      "text-field": "HILT", "text-font": ["Strokes"],
    ]
    let picture = try await DrawnStyle.picture(
      Self.symbols(layout, ["text-opacity": 0]), resources: MadeSprites.resources(),
      pixelRatio: ratio)
    #expect(picture.omissions == [])
    let image = try PixelImage(decoding: picture.data)
    // The sides of the plate keep their width, which a plate that is stretched as a whole does not.
    let dark = { (pixel: UInt32) in pixel >> 16 & 255 < 0xA0 && pixel >> 24 == 255 }
    let rows = (0..<image.height).map { row in
      image.pixels[row * image.width..<(row + 1) * image.width].count(where: dark)
    }
    let widths = Set(rows).subtracting([0]).sorted()
    #expect(widths.first == Int(2 * ratio))
    #expect(widths.last.map { $0 > 60 * Int(ratio) } == true)
  }

  /// Three texts, each of which is reported once however many places it has.
  @Test(
    arguments: [
      [:],
      [
        "text-justify": "auto", "text-radial-offset": 1,
        "text-variable-anchor": ["left", "right", "top", "bottom-left"],
      ],
    ] as [JSONObject])
  func `Text with missing glyphs is set in the fonts of this machine, and reported`(
    _ places: JSONObject
  ) async throws {
    var members = places
    members["text-field"] = "{name}"
    members["text-font"] = ["Strokes"]
    let layout = JSONValue.object(members)
    let picture = try await DrawnStyle.picture(
      Self.symbols(layout), resources: MadeSprites.resources())
    #expect(
      picture.omissions.map(\.sentence) == [
        "Town: A text is set in the fonts of this machine, for its own lack glyphs. (3 times)"
      ])
  }

  @Test func `Glyphs that cannot be read are reported`() async throws {
    let layout: JSONValue = ["text-field": "{name}", "text-font": ["Strokes"]]
    let picture = try await DrawnStyle.picture(
      Self.symbols(layout),
      resources: [("fonts/Strokes/0-255.pbf", Data(MadeGlyphs.range.prefix(400)))])
    #expect(
      picture.omissions.contains { $0.reason == "Glyphs of its font \"Strokes\" cannot be read." })
  }

  @Test(arguments: [1e300, -1e300, 0, 1e9]) func `Absurd numbers do no harm`(
    _ number: Double
  ) async throws {
    let value = JSONValue.number(number)
    let pair: JSONValue = [value, value]
    let style = Self.style([
      Self.roads([
        "line-width": value, "line-offset": value, "line-gap-width": value, "line-blur": value,
        "line-dasharray": pair, "line-translate": pair, "line-miter-limit": value,
      ]),
      Self.roads(["line-pattern": "i", "line-width": value]),
      [
        "id": "c", "type": "circle", "source-layer": "places",
        "paint": [
          "circle-radius": value, "circle-stroke-width": value, "circle-translate": pair,
          "circle-blur": value,
        ],
      ],
      [
        "id": "s", "type": "symbol", "source-layer": "roads",
        "layout": [
          "symbol-placement": "line", "symbol-spacing": value, "text-field": "HILL",
          "text-font": ["Strokes"], "text-size": value, "text-offset": pair,
          "text-letter-spacing": value, "text-line-height": value, "text-max-width": value,
          "text-padding": value, "text-max-angle": value, "icon-image": "i", "icon-size": value,
          "icon-offset": pair, "icon-padding": value, "icon-rotate": value,
        ],
        "paint": ["text-halo-width": value, "text-halo-blur": value, "text-halo-color": "red"],
      ],
      [
        "id": "p", "type": "symbol", "source-layer": "places",
        "layout": [
          "text-field": "HILL", "text-font": ["Strokes"], "text-size": value,
          "text-rotate": value, "text-radial-offset": value, "text-variable-anchor": ["top"],
          "icon-image": "s", "icon-text-fit": "both",
          "icon-text-fit-padding": [value, value, value, value], "symbol-sort-key": value,
        ],
        "paint": ["icon-halo-width": value, "icon-halo-color": "red", "icon-translate": pair],
      ],
    ])
    let picture = try await DrawnStyle.picture(
      style, resources: MadeSprites.resources(), width: 100, height: 80)
    #expect(!picture.data.isEmpty)
  }

  @Test func `Lines, areas and circles are drawn as a style asks`() async throws {
    let style = Self.style([
      Self.ground,
      [
        "id": "a", "type": "fill", "source-layer": "areas",
        "paint": ["fill-pattern": "i", "fill-opacity": 0.6],
      ],
      Self.roads([
        "line-color": "#668", "line-gap-width": 12, "line-width": 2, "line-blur": 0.5,
      ]),
      Self.roads(["line-pattern": "i", "line-width": 6, "line-offset": 20]),
      Self.roads(["line-color": "#a33", "line-width": 4, "line-dasharray": [3, 1, 1, 1]]),
      [
        "id": "c", "type": "circle", "source-layer": "places",
        "paint": [
          "circle-radius": ["interpolate", ["linear"], ["get", "rank"], 1, 6, 3, 18],
          "circle-color": ["match", ["get", "name"], "Mill", "#2a2", "#22a"],
          "circle-blur": 0.6, "circle-stroke-width": 2, "circle-stroke-color": "white",
        ],
      ],
    ])
    let picture = try await DrawnStyle.picture(style, resources: MadeSprites.resources())
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "style-shapes.png")
  }

  @Test(.needsSharedFiles) func `Icons are placed with their texts, and around them`() async throws
  {
    let texts: JSONObject = [
      "text-font": ["Tahoma Regular"], "text-field": ["upcase", ["get", "name"]],
      "text-size": 12, "text-max-width": 8,
    ]
    func layout(_ more: JSONObject) -> JSONValue {
      .object(JSONObject(texts.members + more.members))
    }
    let style = Self.style([
      Self.ground, Self.roads(["line-color": "#bba", "line-width": 5]),
      [
        "id": "around", "type": "symbol", "source-layer": "places",
        "layout": layout([
          "icon-image": "p", "icon-text-fit": "both", "icon-text-fit-padding": [2, 6, 2, 6],
        ]),
        "paint": ["text-color": "#124"],
      ],
      [
        "id": "beside", "type": "symbol", "source-layer": "areas",
        "layout": layout([
          "icon-image": "i", "text-variable-anchor": ["left", "right"], "text-radial-offset": 1,
          "text-justify": "auto", "icon-rotate": 45,
        ]),
      ],
      [
        "id": "along", "type": "symbol", "source-layer": "roads",
        "layout": [
          "icon-image": "i", "symbol-placement": "line", "symbol-spacing": 90,
        ],
      ],
    ])
    let picture = try await DrawnStyle.picture(
      style, resources: try MadeSprites.resources() + Self.tahoma())
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "style-symbols.png")
  }
}

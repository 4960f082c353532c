import Foundation
import PortolanJSON
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanImages

/// The symbols of a style that find a place, and their positions.
struct StyleLabelPlacingTests {
  static func layer(
    _ id: String, _ source: String, _ layout: JSONObject, color: String = "#000"
  ) -> JSONValue {
    var layout = layout
    layout["text-font"] = ["Strokes"]
    if layout["text-size"] == nil { layout["text-size"] = 24 }
    if layout["text-field"] == nil { layout["text-field"] = "III" }
    return [
      "id": .string(id), "type": "symbol", "source": .string(source), "layout": .object(layout),
      "paint": ["text-color": .string(color)],
    ]
  }

  static func picture(
    _ layers: [JSONValue], _ sources: [String: JSONValue], zoom: Double = 0, rotation: Double = 0
  ) async throws -> StyledWorld.Picture {
    let sources = sources.map { name, geometry in
      JSONObject.Member(name: name, value: ["type": "geojson", "data": geometry])
    }
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "glyphs": "glyphs", "sources": .object(JSONObject(sources)),
        "layers": .array(layers),
      ], files: ["Strokes/0": MadeGlyphs.range], zoom: zoom, rotation: rotation)
    #expect(picture.omissions == [])
    return picture
  }

  /// The columns and rows of the ink of a color, which is 0 in the channel that `shift` tells and not
  /// in the others.
  static func ink(
    _ picture: StyledWorld.Picture, where isInk: (UInt32) -> Bool = { $0 & 0xFF < 128 }
  ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let places = picture.image.pixels.indices.filter { isInk(picture.image.pixels[$0]) }
    let columns = places.map { $0 % picture.image.width }
    let rows = places.map { $0 / picture.image.width }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return nil }
    return (left...right, top...bottom)
  }

  static let middle: JSONValue = ["type": "Point", "coordinates": [0, 0]]
  static let isRed: @Sendable (UInt32) -> Bool = { $0 >> 16 & 255 > 200 && $0 & 255 < 60 }

  /// The overlap of the text of the layer above, that of the one below, and whether it is drawn
  /// over it.
  @Test(
    arguments: [
      ("never", "cooperative", false), ("cooperative", "cooperative", true),
      ("always", "cooperative", true), ("always", "never", false), ("never", "always", true),
    ])
  func `Texts cover those that they may`(
    _ other: String, _ own: String, _ isDrawn: Bool
  ) async throws {
    let picture = try await Self.picture(
      [
        Self.layer("below", "point", ["text-overlap": .string(own)], color: "#f00"),
        // The layer above finds its places first.
        Self.layer(
          "above", "point", ["text-overlap": .string(other), "text-offset": [0.2, 0.3]],
          color: "#00f"),
      ], ["point": Self.middle])
    #expect((Self.ink(picture, where: Self.isRed) != nil) == isDrawn)
  }

  @Test(arguments: [false, true])
  func `A text that may cover others does so only if all its places are taken`(
    _ isFull: Bool
  ) async throws {
    let places: JSONValue = isFull ? ["center"] : ["center", "top"]
    let picture = try await Self.picture(
      [
        Self.layer(
          "below", "point",
          [
            "text-field": "IIIIIII", "text-variable-anchor": places, "text-allow-overlap": true,
            "text-offset": [0, 1],
          ],
          color: "#f00"), Self.layer("above", "point", [:], color: "#00f"),
      ], ["point": Self.middle])
    let red = try #require(Self.ink(picture, where: Self.isRed))
    #expect((red.rows.lowerBound > 260) == !isFull)
  }

  @Test func `A text at the side of the picture is cut there, not left out`() async throws {
    let side: JSONValue = ["type": "Point", "coordinates": [179, 0]]
    let picture = try await Self.picture([Self.layer("a", "p", [:])], ["p": side])
    let ink = try #require(Self.ink(picture))
    #expect(ink.columns.upperBound == 511)
  }

  @Test func `A line at a point has its symbol at its start, not where it enters a tile`()
    async throws
  {
    let line: JSONValue = ["type": "LineString", "coordinates": [[-30, 10], [30, 10]]]
    let picture = try await Self.picture([Self.layer("a", "p", [:])], ["p": line], zoom: 1)
    let ink = try #require(Self.ink(picture))
    #expect(ink.columns.upperBound < 256)
  }

  /// The direction of the line, and whether the text is below it.
  @Test(arguments: [(-120, 120, true), (120, -120, false)])
  func `A text beside a line is to the right of it, also where it turns round`(
    _ start: Int, _ end: Int, _ isBelow: Bool
  ) async throws {
    let line: JSONValue = [
      "type": "LineString",
      "coordinates": [[.integer(Int64(start)), 0], [.integer(Int64(end)), 0]],
    ]
    let picture = try await Self.picture(
      [Self.layer("a", "p", ["symbol-placement": "line-center", "text-offset": [0, 1.5]])],
      ["p": line])
    let ink = try #require(Self.ink(picture))
    #expect(isBelow ? ink.rows.lowerBound > 256 : ink.rows.upperBound < 256)
  }

  @Test func `Lines have their turn in the order of their features, whatever they say`()
    async throws
  {
    func feature(_ text: String, _ west: Int, _ east: Int, _ north: Int) -> JSONValue {
      [
        "type": "Feature", "properties": ["text": .string(text)],
        "geometry": [
          "type": "LineString",
          "coordinates": [
            [.integer(Int64(west)), .integer(Int64(north))],
            [.integer(Int64(east)), .integer(Int64(north))],
          ],
        ],
      ]
    }
    let features: JSONValue = [
      "type": "FeatureCollection",
      "features": [
        feature("III", -150, -30, 60), feature("IIII", -60, 60, -30), feature("III", -60, 60, -31),
      ],
    ]
    let layout: JSONObject = ["symbol-placement": "line", "text-field": ["get", "text"]]
    let picture = try await Self.picture([Self.layer("a", "p", layout)], ["p": features])
    let alone = try await Self.picture(
      [Self.layer("a", "p", layout)],
      ["p": ["type": "FeatureCollection", "features": [feature("IIII", -60, 60, -30)]]])
    #expect(Self.ink(alone) != nil)
    // Below the first line there is only the text of the second.
    let below = picture.image.pixels.dropFirst(512 * 256)
    #expect(Array(below) == Array(alone.image.pixels.dropFirst(512 * 256)))
  }

  /// A size at zoom 0 and another at zoom 1, which may be one of each feature.
  private static func size(_ first: Int, _ second: Int, ofFeatures: Bool) -> JSONValue {
    func value(_ size: Int) -> JSONValue {
      let size = JSONValue.integer(Int64(size))
      return ofFeatures ? ["coalesce", ["get", "size"], size] : size
    }
    return ["interpolate", ["linear"], ["zoom"], 0, value(first), 1, value(second)]
  }

  /// Two have room for their size at zoom 0, which is the last whole one, and none for that at zoom 1.
  @Test(arguments: [false, true])
  func `Texts find places for their size at the last whole zoom, of features at the next`(
    _ ofFeatures: Bool
  ) async throws {
    let points: JSONValue = ["type": "MultiPoint", "coordinates": [[0, 12.2], [0, -12.2]]]
    let size = Self.size(24, 48, ofFeatures: ofFeatures)
    let picture = try await Self.picture(
      [Self.layer("a", "p", ["text-size": size])], ["p": points])
    let ink = try #require(Self.ink(picture))
    #expect((ink.rows.lowerBound < 256 && ink.rows.upperBound > 256) == !ofFeatures)
    #expect(ink.rows.count < 70)
  }

  @Test(arguments: [("I", true), ("IIIIIIIIII", false)])
  func `A text that is turned keeps free what is around it`(
    _ text: String, _ haveRoom: Bool
  ) async throws {
    let layout: JSONObject = ["text-rotate": 45, "text-field": .string(text), "text-max-width": 50]
    let picture = try await Self.picture(
      [
        Self.layer("below", "low", layout, color: "#f00"),
        Self.layer("above", "high", layout, color: "#00f"),
      ],
      [
        "low": ["type": "Point", "coordinates": [-13, -13]],
        "high": ["type": "Point", "coordinates": [13, 13]],
      ])
    #expect((Self.ink(picture, where: Self.isRed) != nil) == haveRoom)
  }

  @Test(arguments: [false, true])
  func `Icons find places for their size at the last whole zoom, of features at the next`(
    _ ofFeatures: Bool
  ) async throws {
    let layer: JSONValue = [
      "id": "a", "type": "symbol", "source": "p",
      "layout": [
        "icon-image": "i",
        "icon-size": Self.size(1, 3, ofFeatures: ofFeatures),
      ],
    ]
    // 26 pixels from each other; the icon has 12, and keeps 2 free.
    let points: JSONValue = ["type": "MultiPoint", "coordinates": [[-9.14, 0], [9.14, 0]]]
    let resources = try MadeSprites.resources()
    let sheet = try #require(resources.first { $0.path.hasSuffix(".json") })
    let image = try #require(resources.first { $0.path.hasSuffix(".png") })
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "sprite": "sprite", "layers": [layer],
        "sources": ["p": ["type": "geojson", "data": points]],
      ], files: [:],
      sprites: [
        StyleSprite(id: "default", index: try JSONValue(parsing: sheet.data), image: image.data)
      ])
    let ink = try #require(Self.ink(picture, where: { $0 & 0xFFFFFF != 0xFFFFFF }))
    #expect((ink.columns.count > 30) == !ofFeatures)
    #expect(ink.rows.count <= 13)
  }

  /// A text that stands level on its line is laid out as one at a point.
  @Test(arguments: [false, true])
  func `Level texts on lines find their places as those at points do`(
    _ ofFeatures: Bool
  ) async throws {
    let lines: JSONValue = [
      "type": "MultiLineString",
      "coordinates": [[[-60, 12.2], [60, 12.2]], [[-60, -12.2], [60, -12.2]]],
    ]
    let size = Self.size(24, 48, ofFeatures: ofFeatures)
    let picture = try await Self.picture(
      [
        Self.layer(
          "a", "p",
          [
            "symbol-placement": "line-center", "text-rotation-alignment": "viewport",
            "text-size": size,
          ])
      ], ["p": lines])
    let ink = try #require(Self.ink(picture))
    #expect((ink.rows.lowerBound < 256 && ink.rows.upperBound > 256) == !ofFeatures)
  }

  @Test(
    arguments: [
      ["text-variable-anchor": ["top"]], ["text-variable-anchor-offset": ["top", [0, 2]]],
    ] as [JSONObject])
  func `Only texts at points choose among places`(_ places: JSONObject) async throws {
    let line: JSONValue = ["type": "LineString", "coordinates": [[-120, 0], [120, 0]]]
    for alignment in ["map", "viewport"] {
      func image(_ places: JSONObject) async throws -> PixelImage {
        var layout: JSONObject = [
          "symbol-placement": "line-center", "text-rotation-alignment": .string(alignment),
        ]
        for member in places.members { layout[member.name] = member.value }
        return try await Self.picture([Self.layer("a", "p", layout)], ["p": line]).image
      }
      let plain = try await image([:])
      #expect(try await image(places) == plain)
    }
  }

  @Test func `Texts on lines are not broken`() async throws {
    let line: JSONValue = ["type": "LineString", "coordinates": [[-120, 0], [120, 0]]]
    let picture = try await Self.picture(
      [
        Self.layer(
          "a", "p",
          [
            "text-field": "HILL HILL", "text-max-width": 2, "symbol-placement": "line-center",
            "text-rotation-alignment": "viewport",
          ])
      ], ["p": line])
    #expect(try #require(Self.ink(picture)).rows.count < 24)
  }

  /// The position of letters on a line that goes straight up: with it, and turned on top of that,
  /// or level.
  ///
  /// The bar of an I is 3 by 17 pixels.
  @Test(
    arguments: [
      ("map", 0, false), ("map", 90, true), ("viewport-glyph", 0, true),
    ] as [(String, Double, Bool)])
  func `Letters on lines are turned as asked`(
    _ alignment: String, _ turn: Double, _ isUpright: Bool
  ) async throws {
    let line: JSONValue = ["type": "LineString", "coordinates": [[0, -60], [0, 60]]]
    let picture = try await Self.picture(
      [
        Self.layer(
          "a", "p",
          [
            "text-field": "I", "symbol-placement": "line-center", "text-rotate": .number(turn),
            "text-rotation-alignment": .string(alignment),
          ])
      ], ["p": line])
    let ink = try #require(Self.ink(picture))
    #expect((ink.rows.count > ink.columns.count) == isUpright)
  }

  /// As MapLibre has it: no way round is upside down then.
  @Test(arguments: [(0.0, true), (-1, false), (1, true)])
  func `Text along a line keeps its direction where that goes straight down`(
    _ leaning: Double, _ isKept: Bool
  ) async throws {
    func image(keepsUpright: Bool) async throws -> PixelImage {
      let line: JSONValue = [
        "type": "LineString",
        "coordinates": [[.number(-leaning), 60], [.number(leaning), -60]],
      ]
      return try await Self.picture(
        [
          Self.layer(
            "a", "p",
            [
              "text-field": "HIT", "symbol-placement": "line-center",
              "text-keep-upright": .bool(keepsUpright),
            ])
        ], ["p": line]
      ).image
    }
    let isSame = try await image(keepsUpright: true) == image(keepsUpright: false)
    #expect(isSame == isKept)
  }

  private static let square: JSONValue = [
    "id": "square", "type": "circle", "source": "point",
    "paint": ["circle-radius": 40, "circle-color": "#fff"],
  ]

  @Test(arguments: [true, false])
  func `Shapes above symbols in a style are drawn above them`(_ isAbove: Bool) async throws {
    let text = Self.layer("text", "point", [:])
    let picture = try await Self.picture(
      isAbove ? [text, Self.square] : [Self.square, text], ["point": Self.middle])
    #expect((Self.ink(picture) == nil) == isAbove)
  }

  @Test func `Symbols of a style that has shapes between them find their places from the top`()
    async throws
  {
    let picture = try await Self.picture(
      [
        Self.layer("below", "point", [:], color: "#f00"), Self.square,
        Self.layer("above", "point", ["text-offset": [0, 3]], color: "#00f"),
      ], ["point": Self.middle])
    #expect(Self.ink(picture, where: Self.isRed) == nil)
    #expect(Self.ink(picture, where: { $0 & 255 > 200 && $0 >> 16 & 255 < 60 }) != nil)
  }
}

import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTiles
import Testing

@testable import PortolanImages

/// Layers of styles that draw hills from tiles of heights.
struct StyleHillshadeTests {
  private enum Encoding: String, CaseIterable {
    case mapbox, terrarium

    /// A pixel that holds a height, a whole number of metres.
    func pixel(_ height: Int) -> UInt32 {
      switch self {
      case .mapbox: 0xFF00_0000 | UInt32((height + 10_000) * 10)
      case .terrarium: 0xFF00_0000 | UInt32(height + 32_768) << 8
      }
    }
  }

  /// Ridges from north to south, 120 pixels apart, in the four tiles of level 1; far out, which
  /// makes them steep.
  private static func source(
    _ encoding: Encoding, clear: Int = 0, levels: ClosedRange<Int> = 1...12,
    height: (Int) -> Int = { 400 * min($0 % 120, 120 - $0 % 120) }
  ) throws -> InMemoryTileSource {
    var tiles: [TileID: Tile] = [:]
    for row in 0..<2 {
      for column in 0..<2 {
        let pixels = (0..<256).flatMap { y in
          (0..<256).map { x -> UInt32 in
            y < clear ? 0 : encoding.pixel(height(column * 256 + x))
          }
        }
        let image = try #require(PixelImage(width: 256, height: 256, pixels: pixels))
        tiles[TileID(level: 1, row: row, column: column)] = Tile(
          data: try image.pngData(), format: .png)
      }
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: "heights", scheme: .webMercator(tileSide: 256, levels: 0...12), levels: levels,
        declaredFormat: "PNG"), tiles: tiles)
  }

  private static func picture(
    _ paint: JSONObject = [:], _ encoding: Encoding = .terrarium, declared: String? = nil,
    clear: Int = 0, levels: ClosedRange<Int> = 1...12, rotation: Double = 0
  ) async throws -> StyledWorld.Picture {
    let style: JSONValue = [
      "version": 8,
      "sources": [
        "heights": [
          "type": "raster-dem", "tileSize": 256, "encoding": .string(declared ?? encoding.rawValue),
        ]
      ],
      "layers": [
        ["id": "ground", "type": "background", "paint": ["background-color": "#808080"]],
        ["id": "hills", "type": "hillshade", "source": "heights", "paint": .object(paint)],
      ],
    ]
    let source = try source(encoding, clear: clear, levels: levels)
    return try await StyledWorld.picture(
      style, sources: ["heights": source], rotation: rotation)
  }

  /// The brightness of the sides of a ridge that face west and east, near the equator.
  private static func sides(_ picture: StyledWorld.Picture) -> (west: Int, east: Int) {
    (picture.color(150, 300)[0], picture.color(210, 300)[0])
  }

  @Test func `Hills are light where they face the light, and dark on the other side`() async throws
  {
    let picture = try await Self.picture()
    #expect(picture.omissions == [])
    let (west, east) = Self.sides(picture)
    #expect(west > 128 && east < 128)
    let (lit, dark) = Self.sides(try await Self.picture(["hillshade-illumination-direction": 90]))
    #expect(lit < 128 && dark > 128)
  }

  /// The shades of a ridge where MapLibre has not rounded its slopes to bytes.
  struct Shades: Sendable {
    var paint: JSONObject
    var west: [Int]
    var east: [Int]

    init(_ paint: JSONObject, west: [Int], east: [Int]) {
      self.paint = paint
      self.west = west
      self.east = east
    }

    static func gray(_ west: Int, _ east: Int, _ paint: JSONObject) -> Shades {
      Shades(paint, west: [west, west, west], east: [east, east, east])
    }
  }

  @Test(
    arguments: [
      .gray(132, 121, [:]), .gray(132, 121, ["hillshade-method": "standard"]),
      .gray(194, 156, ["hillshade-method": "basic"]),
      .gray(110, 60, ["hillshade-method": "basic", "hillshade-illumination-altitude": 20]),
      .gray(130, 125, ["hillshade-method": "combined"]),
      .gray(134, 122, ["hillshade-method": "igor"]),
      .gray(139, 117, ["hillshade-method": "igor", "hillshade-exaggeration": 1]),
      .gray(194, 156, ["hillshade-method": "multidirectional"]),
      Shades(
        [
          "hillshade-method": "multidirectional", "hillshade-illumination-direction": [270, 90],
          "hillshade-illumination-altitude": [30, 60],
          "hillshade-highlight-color": ["#ff0000", "#0000ff"],
          "hillshade-shadow-color": ["#00ff00", "#ffff00"],
        ], west: [126, 75, 130], east: [39, 98, 157]),
      // Of the other methods the first light counts.
      .gray(
        194, 156,
        [
          "hillshade-method": "basic", "hillshade-illumination-direction": [335, 90],
          "hillshade-shadow-color": ["#000000", "#ff0000"],
        ]),
    ] as [Shades])
  func `Hills are as light and as dark as their method says`(
    _ shades: Shades
  ) async throws {
    let picture = try await Self.picture(shades.paint)
    #expect(picture.omissions == [])
    let sides = [(picture.color(150, 300), shades.west), (picture.color(210, 300), shades.east)]
    for (color, expected) in sides {
      #expect(zip(color, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(color) for \(expected)")
    }
  }

  /// A property that took one color before it took several takes every expression that has one.
  @Test(
    arguments: [
      ["rgba", 255, 0, 0, 1], ["to-color", "red"],
      ["step", ["zoom"], ["rgb", 255, 0, 0], 9, "#00f"],
      ["interpolate", ["linear"], ["zoom"], 0, "#f00", 9, ["rgb", 0, 0, 255]],
      ["stops": [[0, "red"], [9, "blue"]]], ["literal", ["#f00"]],
    ] as [JSONValue])
  func `A color of hills may be any expression`(_ color: JSONValue) async throws {
    let plain = try await Self.picture(["hillshade-shadow-color": "#ff0000"])
    let picture = try await Self.picture(["hillshade-shadow-color": color])
    #expect(picture.omissions == [])
    #expect(picture.image == plain.image)
  }

  @Test(
    arguments: [
      ["+", 20, 70], ["interpolate", ["linear"], ["zoom"], 0, 90, 9, 200],
      ["stops": [[0, 90], [9, 180]]], ["literal", [90]],
    ] as [JSONValue])
  func `A direction of light may be any expression`(_ direction: JSONValue) async throws {
    let plain = try await Self.picture(["hillshade-illumination-direction": 90])
    let picture = try await Self.picture(["hillshade-illumination-direction": direction])
    #expect(picture.omissions == [])
    #expect(picture.image == plain.image)
  }

  @Test func `A light of a list that is too short is the last one again`() async throws {
    var lights: JSONObject = [
      "hillshade-method": "multidirectional", "hillshade-illumination-direction": [270, 90],
      "hillshade-illumination-altitude": 30,
    ]
    let short = try await Self.picture(lights)
    lights["hillshade-illumination-altitude"] = [30, 30]
    let whole = try await Self.picture(lights)
    #expect(short.image == whole.image)
    lights["hillshade-illumination-direction"] = 270
    #expect(try await Self.picture(lights).image != whole.image)
  }

  @Test func `Hills are as steep whatever the last level of their tiles is`() async throws {
    let pictures = [try await Self.picture(), try await Self.picture(levels: 1...1)]
    #expect(pictures[0].image == pictures[1].image)
  }

  @Test func `Both ways to hold heights give one picture`() async throws {
    let pictures = [
      try await Self.picture([:], .mapbox), try await Self.picture([:], .terrarium),
    ]
    #expect(pictures[0].image == pictures[1].image)
    #expect(pictures[0].omissions == [])
  }

  @Test func `Light stays on its side of the picture, or of the map where that is asked for`()
    async throws
  {
    let light: JSONObject = ["hillshade-illumination-direction": 270]
    // Turned round, the left side of the picture is the east of the map.
    let picture = try await Self.picture(light, rotation: 180)
    #expect(picture.color(511 - 150, 511 - 300)[0] < 128)
    var onMap = light
    onMap["hillshade-illumination-anchor"] = "map"
    #expect(try await Self.picture(onMap, rotation: 180).color(511 - 150, 511 - 300)[0] > 128)
  }

  @Test(arguments: [
    ("hillshade-highlight-color", "#ff0000"), ("hillshade-shadow-color", "#ff0000"),
    ("hillshade-accent-color", "#ff0000"),
  ])
  func `A color of hills changes them`(_ name: String, _ color: String) async throws {
    let plain = try await Self.picture(["hillshade-exaggeration": 0.7])
    let colored = try await Self.picture(
      ["hillshade-exaggeration": 0.7, name: .string(color)])
    #expect(plain.image != colored.image)
    #expect(colored.omissions == [])
  }

  @Test func `Hills that are not to be seen are not`() async throws {
    let picture = try await Self.picture(["hillshade-exaggeration": 0])
    #expect(Set(picture.image.pixels) == [0xFF80_8080])
  }

  @Test func `Nothing is drawn where no heights are known, nor do tiles show`() async throws {
    let picture = try await Self.picture(clear: 40)
    #expect(picture.color(150, 20) == [128, 128, 128])
    // Beside the side of a tile the ridge is as light as elsewhere on its slope.
    #expect(picture.color(255, 150) == picture.color(261, 150))
    #expect(picture.color(256, 150) == picture.color(261, 150))
  }

  @Test func `Hills at the side of a picture are those of a wider one`() async throws {
    let style: JSONValue = [
      "version": 8,
      "sources": ["heights": ["type": "raster-dem", "tileSize": 256, "encoding": "terrarium"]],
      "layers": [["id": "hills", "type": "hillshade", "source": "heights"]],
    ]
    // A cliff between two tiles, whose pixels are eight wide in the picture.
    let source = try Self.source(.terrarium, levels: 1...1) { $0 < 256 ? 8000 : 0 }
    func picture(width: Double, middle: Double) async throws -> StyledWorld.Picture {
      try await StyledWorld.picture(
        style, sources: ["heights": source], zoom: 3, width: width, height: 64,
        center: Coordinate(x: middle * 78_271.516_964_020_48 / 8, y: 0))
    }
    // The narrow one ends in the middle of the last pixel before the cliff.
    let wide = try await picture(width: 128, middle: 0)
    let narrow = try await picture(width: 64, middle: -36)
    #expect(wide.color(20, 30) != wide.color(59, 30))
    for column in 0..<60 {
      let pairs = zip(narrow.color(column + 4, 30), wide.color(column, 30))
      #expect(pairs.allSatisfy { abs($0 - $1) <= 2 }, "\(column)")
    }
  }

  @Test func `Heights in an unknown encoding are reported`() async throws {
    let picture = try await Self.picture(declared: "braille")
    #expect(
      picture.omissions == [
        "The source \"heights\" of its style holds heights in a way that is not known."
      ])
  }
}

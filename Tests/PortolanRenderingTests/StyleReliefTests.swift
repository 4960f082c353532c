import Foundation
import PortolanJSON
import PortolanTiles
import Testing

@testable import PortolanImages

/// Layers of styles that color ground by its height.
struct StyleReliefTests {
  /// Ground that rises by 20 metres a pixel from the left to the right, in the four tiles of level 1;
  /// the uppermost rows are not known.
  private static func source(clear: Int) throws -> InMemoryTileSource {
    var tiles: [TileID: Tile] = [:]
    for row in 0..<2 {
      for column in 0..<2 {
        let pixels = (0..<256).flatMap { y in
          (0..<256).map { x -> UInt32 in
            guard row > 0 || y >= clear else { return 0 }
            return 0xFF00_0000 | UInt32((column * 256 + x) * 20 + 10_000) * 10
          }
        }
        let image = try #require(PixelImage(width: 256, height: 256, pixels: pixels))
        tiles[TileID(level: 1, row: row, column: column)] = Tile(
          data: try image.pngData(), format: .png)
      }
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: "heights", scheme: .webMercator(tileSide: 256, levels: 0...12), levels: 1...1,
        declaredFormat: "PNG"), tiles: tiles)
  }

  private static func picture(
    _ paint: JSONObject, state: JSONValue = [:], zoom: Double = 0, clear: Int = 0
  ) async throws -> StyledWorld.Picture {
    let style: JSONValue = [
      "version": 8, "state": state,
      "sources": ["heights": ["type": "raster-dem", "tileSize": 256]],
      "layers": [
        ["id": "heights", "type": "color-relief", "source": "heights", "paint": .object(paint)]
      ],
    ]
    return try await StyledWorld.picture(
      style, sources: ["heights": source(clear: clear)], zoom: zoom)
  }

  /// From red at 2,000 metres, which is 100 pixels from the left, to blue at 6,000 metres.
  private static let colors: JSONValue = [
    "interpolate", ["linear"], ["elevation"], 2000, "#ff0000", 6000, "#0000ff",
  ]

  @Test func `Ground has the color of its height`() async throws {
    let picture = try await Self.picture(["color-relief-color": Self.colors])
    #expect(picture.omissions == [])
    #expect(picture.color(20, 100) == [255, 0, 0])
    #expect(picture.color(400, 400) == [0, 0, 255])
    for (x, share) in [(150, 0.25), (200, 0.5), (255, 0.775), (256, 0.78)] {
      let color = picture.color(x, 200)
      #expect(abs(color[0] - Int((1 - share) * 255)) <= 2 && color[1] == 0)
      #expect(abs(color[2] - Int(share * 255)) <= 2)
    }
  }

  @Test func `A color may change from one height to the next`() async throws {
    // The sixteenth pixel is at 320 metres, the next one at 340; both are in a picture of 5,100.
    let colors: JSONValue = [
      "interpolate", ["linear"], ["elevation"], 0, "#ff0000", 320.2, "#ff0000", 320.4, "#0000ff",
      5000, "#0000ff",
    ]
    let picture = try await Self.picture(["color-relief-color": colors])
    #expect(picture.color(16, 200) == [255, 0, 0] && picture.color(17, 200) == [0, 0, 255])
  }

  @Test func `Colors of heights may be clear, and all of them less opaque`() async throws {
    let colors: JSONValue = [
      "interpolate", ["linear"], ["elevation"], 2000, "rgba(255, 0, 0, 0)", 6000, "#0000ff",
    ]
    let clear = try await Self.picture(["color-relief-color": colors])
    #expect(clear.color(20, 100) == [255, 255, 255])
    // As in MapLibre what is clear has no color of its own.
    let halfway = clear.color(200, 100)
    #expect(abs(halfway[0] - 128) <= 2 && abs(halfway[1] - 128) <= 2 && halfway[2] == 255)
    let faded = try await Self.picture([
      "color-relief-color": Self.colors, "color-relief-opacity": 0.5,
    ])
    let color = faded.color(20, 100)
    #expect(color[0] >= 254 && abs(color[1] - 128) <= 1 && abs(color[2] - 128) <= 1)
  }

  @Test func `Colors of heights may follow what is set for the whole style`() async throws {
    let picture = try await Self.picture(
      [
        "color-relief-color": [
          "interpolate", ["linear"], ["elevation"], 0, ["global-state", "low"], 20_000, "#0000ff",
        ]
      ], state: ["low": ["default": "#0000ff"]])
    #expect(picture.omissions == [])
    #expect(picture.color(300, 300) == [0, 0, 255])
  }

  @Test func `Nothing is drawn without colors, nor where no heights are known`() async throws {
    #expect(Set(try await Self.picture([:]).image.pixels) == [0xFFFF_FFFF])
    let picture = try await Self.picture(["color-relief-color": Self.colors], clear: 40)
    #expect(picture.color(400, 20) == [255, 255, 255])
    #expect(picture.color(400, 45) == [0, 0, 255])
  }

  @Test func `Colors of heights may change in steps`() async throws {
    let picture = try await Self.picture([
      "color-relief-color": ["step", ["elevation"], "#ff0000", 5000, "#0000ff"]
    ])
    #expect(picture.omissions == [])
    #expect(picture.color(240, 100) == [255, 0, 0] && picture.color(260, 100) == [0, 0, 255])
  }

  @Test func `Pixels that are enlarged have edges where that is asked for`() async throws {
    func shades(_ paint: JSONObject) async throws -> Int {
      var paint = paint
      paint["color-relief-color"] = [
        "interpolate", ["linear"], ["elevation"], 4900, "#ff0000", 5100, "#0000ff",
      ]
      // At zoom 3 a pixel of the tiles is eight of the picture.
      let picture = try await Self.picture(paint, zoom: 3)
      return Set((200..<240).map { picture.color($0, 256) }).count
    }
    #expect(try await shades([:]) > 20)
    #expect(try await shades(["resampling": "nearest"]) <= 6)
  }
}

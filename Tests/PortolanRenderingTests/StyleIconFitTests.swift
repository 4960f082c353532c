import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanVectorTiles

/// Icons that are stretched around texts.
struct StyleIconFitTests {
  /// A plate of 12 by 12 pixels, black but for its white inside of 6 by 6, on a sheet of its own.
  private static func sprite(_ entry: JSONObject) throws -> StyleSprite {
    let pixels = (0..<144).map { number -> UInt32 in
      (3..<9).contains(number % 12) && (3..<9).contains(number / 12) ? 0xFFFF_FFFF : 0xFF00_0000
    }
    var entry = entry
    for (name, value) in [("x", 0), ("y", 0), ("width", 12), ("height", 12)] as [(String, Int64)] {
      entry[name] = .integer(value)
    }
    return StyleSprite(
      index: ["plate": .object(entry)],
      image: try #require(PixelImage(width: 12, height: 12, pixels: pixels)).pngData())
  }

  private static let rigid: JSONObject = [
    "stretchX": [[3, 9]], "stretchY": [[3, 9]], "content": [3, 3, 9, 9],
  ]

  /// The sides of the plate in a picture, and of the white in it.
  private static func plate(
    _ layout: JSONObject, paint: JSONObject = [:], entry: JSONObject = rigid,
    text: String = "HHHH", geometry: JSONValue = ["type": "Point", "coordinates": [0, 0]]
  ) async throws -> (outer: Envelope, inner: Envelope) {
    var layout = layout
    layout["icon-image"] = "plate"
    layout["text-field"] = .string(text)
    layout["text-font"] = ["Strokes"]
    layout["text-size"] = 24
    var paint = paint
    // The text has its place, but is not seen.
    paint["text-color"] = "rgba(0, 0, 0, 0)"
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "glyphs": "glyphs",
        "sources": ["point": ["type": "geojson", "data": geometry]],
        "layers": [
          ["id": "ground", "type": "background", "paint": ["background-color": "#0f0"]],
          [
            "id": "plate", "type": "symbol", "source": "point", "layout": .object(layout),
            "paint": .object(paint),
          ],
        ],
      ], files: ["Strokes/0": MadeGlyphs.range], sprites: [try sprite(entry)])
    #expect(picture.omissions == [])
    var (outer, inner) = (Envelope.empty, Envelope.empty)
    for (number, pixel) in picture.image.pixels.enumerated() where pixel != 0xFF00_FF00 {
      let place = Coordinate(x: Double(number % 512) - 256, y: Double(number / 512) - 256)
      outer.include(place)
      // Icons along lines are smooth: where the white ends is where it is half black.
      if pixel & 0xFF >= 0x80, pixel >> 16 & 0xFF >= 0x80 { inner.include(place) }
    }
    return (outer, inner)
  }

  /// The text begins an em of 24 pixels to the right of its point; its middle is 30 further on.
  @Test
  func `An icon around a text with places to choose among turns around the middle of the text`()
    async throws
  {
    let (outer, _) = try await Self.plate([
      "icon-text-fit": "both", "icon-rotate": 90, "text-variable-anchor": ["left"],
      "text-radial-offset": 1,
    ])
    #expect(abs(outer.center.x - 54) < 2 && abs(outer.center.y) < 2)
    #expect(abs(outer.height - 66) < 3 && abs(outer.width - 34.8) < 3)
  }

  /// A text of four letters is 60 pixels wide, and a line 28.8 high.
  @Test(
    arguments: [
      ("width", 60, 12), ("height", 12, 28.8), ("both", 60, 28.8),
    ] as [(String, Double, Double)])
  func `The content of an icon covers the text, and what is beside it keeps its size`(
    _ fit: String, _ width: Double, _ height: Double
  ) async throws {
    let (outer, inner) = try await Self.plate(["icon-text-fit": .string(fit)])
    #expect(abs(inner.width + 1 - width) <= 1.5)
    #expect(abs(inner.height + 1 - height) <= 1.5)
    #expect(inner.xMin - outer.xMin == 3 && outer.xMax - inner.xMax == 3)
    #expect(inner.yMin - outer.yMin == 3 && outer.yMax - inner.yMax == 3)
  }

  @Test func `An icon without parts is stretched as a whole`() async throws {
    let (outer, inner) = try await Self.plate(["icon-text-fit": "both"], entry: [:])
    #expect(abs(outer.width + 1 - 60) <= 1.5)
    #expect(abs(inner.width + 1 - 30) <= 1.5)
  }

  @Test func `What is added around a text is added on its side`() async throws {
    let plain = try await Self.plate(["icon-text-fit": "both"]).outer
    let padded = try await Self.plate(
      ["icon-text-fit": "both", "icon-text-fit-padding": [1, 2, 3, 4]]
    ).outer
    #expect(plain.yMin - padded.yMin == 1 && padded.xMax - plain.xMax == 2)
    #expect(padded.yMax - plain.yMax == 3 && plain.xMin - padded.xMin == 4)
  }

  /// A property, and how far the plate is moved by it.
  @Test(
    arguments: [
      ("icon-offset", [7, 4], 7, 4), ("text-offset", [1, 0.5], 24, 12),
    ] as [(String, JSONValue, Double, Double)])
  func `An icon moves with what moves it or its text`(
    _ name: String, _ value: JSONValue, _ x: Double, _ y: Double
  ) async throws {
    let plain = try await Self.plate(["icon-text-fit": "both"]).outer
    let moved = try await Self.plate(["icon-text-fit": "both", name: value]).outer
    #expect(moved.xMin - plain.xMin == x && moved.yMin - plain.yMin == y)
  }

  @Test func `Moving the letters of a text does not move the icon around it`() async throws {
    let plain = try await Self.plate(["icon-text-fit": "both"]).outer
    let moved = try await Self.plate(
      ["icon-text-fit": "both"], paint: ["text-translate": [20, 30]])
    #expect(moved.outer == plain)
  }

  @Test func `A larger icon is larger around its text as well, but for its rigid parts`()
    async throws
  {
    let outer = try await Self.plate(["icon-text-fit": "both", "icon-size": 2]).outer
    #expect(abs(outer.width + 1 - (120 + 2 * 3)) <= 2)
  }

  @Test func `An icon can keep the proportions of its content`() async throws {
    var entry = Self.rigid
    entry["textFitWidth"] = "proportional"
    entry["textFitHeight"] = "proportional"
    let inner = try await Self.plate(["icon-text-fit": "both"], entry: entry).inner
    #expect(abs(inner.width - inner.height) <= 1)
  }

  @Test func `Icons along lines are stretched too`() async throws {
    let line: JSONValue = ["type": "LineString", "coordinates": [[-120, 0], [120, 0]]]
    let (_, inner) = try await Self.plate(
      ["icon-text-fit": "both", "symbol-placement": "line-center"], geometry: line)
    #expect(abs(inner.width + 1 - 60) <= 1.5)
  }

  @Test func `Rigid parts of an icon that is drawn small do not lie over each other`() throws {
    let axis = IconAxis([[8, 10]], size: 20, content: nil)
    let layout = try #require(axis.layout(0...10, scale: 0.1, pixelRatio: 1))
    #expect(zip(layout.cuts, layout.cuts.dropFirst()).allSatisfy { $0.place <= $1.place })
  }
}

import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanVectorTiles

/// The look of letters and icons of styles.
struct StyleInkTests {
  private static func picture(
    _ layout: JSONObject, _ paint: JSONObject = [:], sprites: [StyleSprite] = []
  ) async throws -> StyledWorld.Picture {
    var layout = layout
    layout["text-font"] = ["Strokes"]
    layout["text-size"] = layout["text-size"] ?? 24
    return try await StyledWorld.picture(
      [
        "version": 8, "glyphs": "glyphs",
        "sources": [
          "point": ["type": "geojson", "data": ["type": "Point", "coordinates": [0, 0]]]
        ],
        "layers": [
          [
            "id": "text", "type": "symbol", "source": "point", "layout": .object(layout),
            "paint": .object(paint),
          ]
        ],
      ], files: ["Strokes/0": MadeGlyphs.range], sprites: sprites)
  }

  /// The columns that are not white in the row through the middle.
  private static func columns(_ picture: StyledWorld.Picture, row: Int = 256) -> [Int] {
    (0..<512).filter { picture.color($0, row) != [255, 255, 255] }
  }

  @Test func `The edge of a letter fades over little more than a pixel to both sides`() async throws
  {
    let picture = try await Self.picture(["text-field": "I"])
    // A bar of three pixels, and what of its edges there is beside it.
    #expect((4...6).contains(Self.columns(picture).count))
  }

  @Test(arguments: [1.0, 2])
  func `A halo reaches as far as its width`(_ width: Double) async throws {
    let bare = Self.columns(try await Self.picture(["text-field": "I"])).count
    let halo = Self.columns(
      try await Self.picture(
        ["text-field": "I"], ["text-halo-color": "#f00", "text-halo-width": .number(width)])
    ).count
    #expect(abs(Double(halo - bare) - 2 * width) <= 1)
  }

  @Test func `A halo that fades is fainter the farther out`() async throws {
    let picture = try await Self.picture(
      ["text-field": "I"],
      ["text-halo-color": "#f00", "text-halo-width": 2, "text-halo-blur": 3])
    let reds = (258..<263).map { picture.color($0, 256)[1] }
    #expect(zip(reds, reds.dropFirst()).allSatisfy { $0 <= $1 } && Set(reds).count > 3)
  }

  @Test func `A halo is clear under a letter that can be seen through`() async throws {
    let picture = try await Self.picture(
      ["text-field": "I", "text-size": 72],
      ["text-color": "rgba(0, 0, 255, 0.2)", "text-halo-color": "#f00", "text-halo-width": 1])
    let middle = picture.color(256, 256)
    #expect(middle[2] == 255 && abs(middle[0] - 204) <= 2)
  }

  @Test func `A halo ends with the distances of its letter`() async throws {
    let picture = try await Self.picture(
      ["text-field": "I"], ["text-halo-color": "#f00", "text-halo-width": 20])
    // Three pixels of the bar, three on each side, and one in which they run out.
    #expect(Self.columns(picture).count <= 3 + 2 * 4)
  }

  @Test func `Documents have the outlines of letters`() throws {
    let text = try #require(
      GlyphText(
        [.init(text: "HI")], stack: "Strokes", fonts: GlyphTests.fonts(),
        style: GlyphTests.style()))
    let placed = text.placed(
      at: .init(x: 50, y: 50), anchor: .init(x: 0.5, y: 0.5), angle: 0)
    let surface = try PictureSurface(svgWidth: 100, height: 100)
    surface.draw([.letters(text, placed)])
    let svg = String(decoding: try surface.documentData(), as: UTF8.self)
    #expect(svg.contains("<path") && !svg.contains("<image"))
  }

  @Test func `Letters have the same pixels in pictures side by side`() throws {
    let text = try #require(
      GlyphText(
        [.init(text: "HILT")], stack: "Strokes", fonts: GlyphTests.fonts(),
        style: GlyphTests.style(17)))
    func rows(_ range: Range<Int>) throws -> [UInt32] {
      let surface = try PictureSurface(width: 80, rows: range)
      surface.draw([
        .letters(
          text,
          text.placed(at: .init(x: 40.3, y: 30.7), anchor: .init(x: 0.5, y: 0.5), angle: 33))
      ])
      return try #require(surface.image()).pixels
    }
    #expect(try rows(0..<60) == rows(0..<31) + rows(31..<60))
    #expect(try rows(0..<60).contains { $0 != 0 })
  }

  // MARK: Icons in texts

  /// Red boxes: `small` of 10 by 10, `tall` of 12 by 48.
  private static func sprites() throws -> [StyleSprite] {
    let pixels = Array(repeating: UInt32(0xFFFF_0000), count: 24 * 48)
    let image = try #require(PixelImage(width: 24, height: 48, pixels: pixels))
    return [
      StyleSprite(
        index: [
          "small": ["x": 0, "y": 0, "width": 10, "height": 10],
          "tall": ["x": 0, "y": 0, "width": 12, "height": 48],
        ], image: try image.pngData())
    ]
  }

  private static func rows(
    _ picture: StyledWorld.Picture, where isInk: (UInt32) -> Bool
  ) -> ClosedRange<Int>? {
    let rows = picture.image.pixels.indices.filter { isInk(picture.image.pixels[$0]) }
      .map { $0 / 512 }
    return rows.min().flatMap { low in rows.max().map { low...$0 } }
  }

  /// From the point down to the middle of an icon of 10 pixels: the em of the line begins 17 pixels
  /// above the point, and icons stand 3 pixels lower in it than letters.
  @Test(arguments: [("bottom", 4), ("center", -3), ("top", -10)])
  func `Icons in texts are aligned at the bottom, the middle or the top of the line`(
    _ alignment: String, _ expected: Int
  ) async throws {
    let text: JSONValue = [
      "format", "I", [:], ["image", "small"], ["vertical-align": .string(alignment)],
    ]
    let picture = try await Self.picture(["text-field": text], sprites: Self.sprites())
    #expect(picture.omissions == [])
    let icon = try #require(Self.rows(picture) { $0 == 0xFFFF_0000 })
    #expect(icon.count == 10)
    let middle = (icon.lowerBound + icon.upperBound) / 2 - 256
    #expect(abs(middle - expected) <= 1, "\(middle)")
  }

  @Test func `An icon that is higher than the letters makes room for itself`() async throws {
    func height(_ icon: String) async throws -> Int {
      let text: JSONValue = ["format", "I\n", [:], ["image", .string(icon)], [:], "\nI", [:]]
      let picture = try await Self.picture(["text-field": text], sprites: Self.sprites())
      return try #require(Self.rows(picture) { $0 & 0xFF < 128 && $0 >> 16 & 255 < 128 }).count
    }
    // Lines are 28.8 pixels high; one with an icon of 48 is by 24 higher, not twice as high.
    let (low, high) = (try await height("small"), try await height("tall"))
    #expect(abs(high - low - 24) <= 1)
  }

  @Test func `The size of letters does not change that of icons`() async throws {
    let text: JSONValue = [
      "format", "I", ["font-scale": 0.5], ["image", "small"], ["font-scale": 2],
    ]
    let picture = try await Self.picture(["text-field": text], sprites: Self.sprites())
    #expect(Self.rows(picture) { $0 == 0xFFFF_0000 }?.count == 10)
  }

  @Test func `An icon on a line is cut at the side of a picture`() async throws {
    // Its middle is three pixels beside the picture, which shows the world from 156 to 356.
    let middle = 153.0 / 512 * 360 - 180
    let line: JSONValue = [
      "type": "LineString",
      "coordinates": [[.number(middle - 30), 0], [.number(middle + 30), 0]],
    ]
    let picture = try await StyledWorld.picture(
      [
        "version": 8, "sources": ["line": ["type": "geojson", "data": line]],
        "layers": [
          [
            "id": "icons", "type": "symbol", "source": "line",
            "layout": ["icon-image": "small", "symbol-placement": "line-center"],
          ]
        ],
      ], sprites: Self.sprites(), width: 200, height: 100)
    #expect(picture.color(0, 50) == [255, 0, 0])
    #expect(picture.color(4, 50) == [255, 255, 255])
  }

  // MARK: Sheets of icons

  @Test func `An icon sheet that cannot be read is reported, and the others are used`() async throws
  {
    let broken = StyleSprite(id: "more", index: ["a": ["x": 0]], image: Data([1, 2, 3]))
    let picture = try await Self.picture(
      ["icon-image": "small"], sprites: [broken] + Self.sprites())
    #expect(picture.omissions == ["The icons of its sheet \"more\" cannot be read."])
    #expect(Self.rows(picture) { $0 == 0xFFFF_0000 }?.count == 10)
  }

  /// Icons of which those for dense screens are named otherwise, beside a sheet that is never readable.
  private struct DenseIcons: StyleResources {
    let plain: StyleSprite

    func sprites(isDouble: Bool) -> [StyleSprite] {
      var sprite = plain
      if isDouble { sprite.index = ["dense": ["x": 0, "y": 0, "width": 10, "height": 10]] }
      return [sprite, StyleSprite(id: "web", index: [:], image: Data(), isDamaged: true)]
    }

    func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? { nil }
  }

  @Test func `A sheet that cannot be read does not cost the others their dense icons`() async throws
  {
    let plain = try #require(try Self.sprites().first)
    var loaded = LoadedStyleResources(DenseIcons(plain: plain))
    let sheet = await loaded.sprites(pixelRatio: 2)
    #expect(sheet?.names == ["dense"])
    #expect(loaded.problems == ["the icons of its sheet \"web\" cannot be read"])
  }

  @Test func `Readable icons of a sheet with a damaged list are drawn`()
    async throws
  {
    var sprite = try #require(try Self.sprites().first)
    sprite.isDamaged = true
    let picture = try await Self.picture(["icon-image": "small"], sprites: [sprite])
    #expect(picture.omissions == ["The list of its icons is damaged: some may be missing."])
    #expect(Self.rows(picture) { $0 == 0xFFFF_0000 }?.count == 10)
  }
}

import Foundation
import PortolanJSON
import Testing

@testable import PortolanImages

/// Texts of styles at points that are written downwards.
struct StyleWritingModeTests {
  /// The letters H, I, L and T, and 一, a bar of 20 by 6 pixels.
  private static let files: [String: Data] = {
    var stack = ProtoMessage()
    stack.add(1, Array("Strokes".utf8))
    stack.add(2, Array("19968-20223".utf8))
    stack.add(3, MadeGlyphs.glyph(0x4E00, 20, [(0, 5, 20, 11)]))
    var file = ProtoMessage()
    file.add(1, stack.bytes)
    return ["Strokes/0": MadeGlyphs.range, "Strokes/19968": Data(file.bytes)]
  }()

  private static func style(
    _ text: String, _ modes: JSONValue?, others: [JSONValue] = [], layout: JSONObject = [:]
  ) -> JSONValue {
    var layout = layout
    layout["text-field"] = .string(text)
    layout["text-font"] = ["Strokes"]
    layout["text-size"] = 24
    layout["text-writing-mode"] = modes
    let point: JSONValue = ["type": "Point", "coordinates": [0, 0]]
    return [
      "version": 8, "glyphs": "glyphs", "sources": ["point": ["type": "geojson", "data": point]],
      "layers": .array(
        [["id": "text", "type": "symbol", "source": "point", "layout": .object(layout)]] + others),
    ]
  }

  /// The sides of the box around the ink.
  private static func box(
    _ style: JSONValue
  ) async throws -> (left: Int, top: Int, width: Int, height: Int) {
    let picture = try await StyledWorld.picture(style, files: files)
    #expect(picture.omissions == [])
    var columns: [Int] = []
    var rows: [Int] = []
    for (index, pixel) in picture.image.pixels.enumerated() where pixel & 255 < 128 {
      columns.append(index % picture.image.width)
      rows.append(index / picture.image.width)
    }
    let (left, right) = (try #require(columns.min()), try #require(columns.max()))
    let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
    return (left, top, right - left + 1, bottom - top + 1)
  }

  /// The number of pixels that have ink above a row of the picture.
  private static func ink(_ style: JSONValue, above row: Int) async throws -> Int {
    let image = try await StyledWorld.picture(style, files: files).image
    return image.pixels.prefix(row * image.width).count { $0 & 255 < 128 }
  }

  @Test func `A text is written downwards where that is asked for, each letter upright`()
    async throws
  {
    let level = try await Self.box(Self.style("一一一", nil))
    #expect(level.width > 60 && level.height < 10)
    let column = try await Self.box(Self.style("一一一", ["vertical"]))
    // Letters are an em apart, and as wide as they are level.
    #expect((19...22).contains(column.width))
    #expect((52...56).contains(column.height))
    // It stands in the middle of its point, as level text does.
    #expect(abs(column.left + column.width / 2 - 256) <= 1)
  }

  @Test func `A column hangs down from its start where the text is left of it`() async throws {
    let column = try await Self.box(
      Self.style("一一一", ["vertical"], layout: ["text-anchor": "left"]))
    #expect(column.top > 256 && column.top < 272)
  }

  @Test func `Letters of other scripts are upright in a column too`() async throws {
    let level = try await Self.box(Self.style("L", nil))
    let column = try await Self.box(Self.style("一L", ["vertical"]))
    // The bar, which is wider than the L, and below it the L as it is.
    #expect((19...22).contains(column.width) && column.height > 24 + level.height / 2)
  }

  @Test func `A column is placed beside its point where that is chosen`() async throws {
    let column = try await Self.box(
      Self.style(
        "一一一", ["vertical"], layout: ["text-variable-anchor": ["left"], "text-radial-offset": 1]))
    #expect(column.left > 256 + 24 && abs(column.top + column.height / 2 - 256) < 4)
  }

  @Test func `Columns of a text begin at the same height`() async throws {
    let one = try await Self.box(Self.style("一一一", ["vertical"]))
    let two = try await Self.box(Self.style("一一一\n一", ["vertical"]))
    #expect(two.width > one.width + 20 && two.height == one.height && two.top == one.top)
    // The uppermost bars lie beside each other.
    let row = two.top + two.height / 3
    let first = try await Self.ink(Self.style("一一一", ["vertical"]), above: row)
    let both = try await Self.ink(Self.style("一一一\n一", ["vertical"]), above: row)
    #expect(both > first * 3 / 2)
  }

  @Test(arguments: [["vertical"], ["vertical", "horizontal"]] as [JSONValue])
  func `A text without upright letters in columns is level`(_ modes: JSONValue) async throws {
    let text = try await Self.box(Self.style("HILT", modes))
    #expect(text.width > 40 && text.height < 20)
  }

  @Test func `The first way that finds room is taken`() async throws {
    let free = try await Self.box(Self.style("一一一", ["horizontal", "vertical"]))
    #expect(free.width > 60)
    // A text of the layer above stands on the right of the point.
    let beside: JSONValue = [
      "id": "other", "type": "symbol", "source": "point",
      "layout": [
        "text-field": "I", "text-font": ["Strokes"], "text-size": 24, "text-offset": [1.2, 0],
      ],
    ]
    let column = try await Self.box(
      Self.style("一一一", ["horizontal", "vertical"], others: [beside]))
    #expect(column.height > 50)
  }
}

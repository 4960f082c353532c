import Foundation
import PortolanGeometry
import PortolanMap
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanVectorTiles

@Suite struct GlyphTests {
  static func fonts() -> GlyphFonts {
    GlyphFonts { stack, range in
      stack == "Strokes" && range == 0...255 ? MadeGlyphs.range : nil
    }
  }

  static func style(_ size: Double = 24) -> TextStyle {
    TextStyle(size: size, color: .black)
  }

  @Test func `A range has its letters with their measures`() throws {
    let glyphs = try GlyphReader.glyphs(MadeGlyphs.range)
    #expect(glyphs.count == MadeGlyphs.letters.count)
    let letter = try #require(glyphs[0x4C])
    #expect(
      (letter.width, letter.height, letter.left, letter.top, letter.advance) == (9, 17, 1, -8, 12))
    #expect(letter.field?.width == 15 && letter.field?.height == 23)
  }

  @Test func `The outline of a letter runs along its edge`() throws {
    let glyph = try #require(try GlyphReader.glyphs(MadeGlyphs.range)[0x49])
    let field = try #require(glyph.field)
    let outline = DistanceContour.outline(of: field)
    #expect(outline.starts.count == 1)
    let bounds = outline.bounds
    #expect(abs(bounds.xMin - 1) < 0.1 && abs(bounds.xMax - 4) < 0.1)
    #expect(abs(bounds.yMin - 8) < 0.1 && abs(bounds.yMax - 25) < 0.1)
    let grown = DistanceContour.outline(of: field, grownBy: 2).bounds
    #expect(abs(grown.xMin + 1) < 0.1 && abs(grown.yMax - 27) < 0.1)
  }

  @Test func `A range that is cut or changed anywhere does no harm`() {
    let range = MadeGlyphs.range
    for index in stride(from: 0, to: range.count, by: 7) {
      var broken = range
      broken[index] ^= 0x55
      for data in [broken, range.prefix(index)] {
        // Whether it can still be read does not matter here.
        let glyphs = (try? GlyphReader.glyphs(data)) ?? [:]
        for field in glyphs.values.compactMap(\.field) { _ = DistanceContour.outline(of: field) }
      }
    }
  }

  @Test(arguments: [
    [(3, 1 << 20)], [(3, 257)], [(7, 1 << 40)], [(5, ProtoMessage.zigzag(-9000))],
    [(3, 4), (4, 4)],
  ])
  func `A letter of absurd size, or without its pixels, is refused`(_ members: [(Int, Int)]) {
    var glyph = ProtoMessage()
    glyph.add(1, 65)
    glyph.add(2, [1, 2, 3])
    for (field, value) in members { glyph.add(field, value) }
    var stack = ProtoMessage()
    stack.add(3, glyph.bytes)
    var file = ProtoMessage()
    file.add(1, stack.bytes)
    #expect(throws: ImageDecodingError.self) { try GlyphReader.glyphs(Data(file.bytes)) }
  }

  @Test func `A text is as long as its letters`() throws {
    let text = try #require(
      GlyphText([.init(text: "HILT")], stack: "Strokes", fonts: Self.fonts(), style: Self.style()))
    #expect(text.letters.count == 4)
    #expect(text.width == 15 + 6 + 12 + 16)
    #expect(abs(text.height - 24 * 1.2) < 1e-9)
  }

  /// From the top of the text to the middles of letters, as MapLibre has them: lines of the default height
  /// are around their middle, others go down from the top.
  @Test(
    arguments: [
      (1, "I", [14.4]), (0.5, "I", [8.5]), (2, "I", [34]), (0.5, "I\nI", [8.5, 22.9]),
    ] as [(Double, String, [Double])])
  func `Letters of all sizes are where their line is`(
    _ size: Double, _ text: String, _ middles: [Double]
  ) throws {
    let text = try #require(
      GlyphText(
        [.init(text: text, scale: size)], stack: "Strokes", fonts: Self.fonts(),
        style: Self.style()))
    #expect(zip(text.letters, middles).allSatisfy { abs($0.center.y - $1) < 1e-9 })
    #expect(text.letters.count == middles.count)
  }

  @Test func `Lines are broken at blanks into lines of about one length`() throws {
    var style = Self.style()
    style.maximumWidth = 110
    let text = try #require(
      GlyphText(
        [.init(text: "HILT TILT HILL LIT")], stack: "Strokes", fonts: Self.fonts(), style: style))
    let rows = Set(text.letters.map(\.center.y))
    #expect(rows.count == 2)
    #expect(text.width < 115)
  }

  /// The lines of a text whose letters and blanks are all ten pixels wide.
  private static func lines(_ text: String, _ width: Double) -> [String] {
    let glyphs = text.unicodeScalars.map { scalar in
      scalar == "\n"
        ? GlyphShape.lineBreak
        : GlyphShape(
          scalar: scalar.value, width: 10, height: 10, left: 0, top: 0, advance: 10)
    }
    return GlyphLines(glyphs, spacing: 0, maximumWidth: width).lines.map { line in
      line.glyphs.compactMap { Unicode.Scalar($0.scalar) }.map { String($0) }.joined()
    }
  }

  @Test(
    arguments: [
      ("aa)bbbb", 50.0, ["aa)", "bbbb"]), ("aa+bbbb", 50, ["aa+", "bbbb"]),
      // A bracket does not begin a line if that can be helped.
      ("aaaaaa ) bb", 60, ["aaaaaa )", "bb"]),
      // One that opens begins a line, but not the last one.
      ("aaaa(bbbb)", 50, ["aaaa", "(bbbb)"]), ("aaaaaaaa(", 50, ["aaaaaaaa("]),
      // Blanks count for how many lines there are, but not for how long each is.
      ("a a a a bbbbb", 70, ["a a a a", "bbbbb"]),
      // A width that is off in its last digits counts for what is meant.
      ("aa aa aa", 39.999_999_999, ["aa aa", "aa"]),
      // A text that says where it may be broken is broken there.
      ("一一\u{200B}一一一一", 40, ["一一\u{200B}", "一一一一"]),
      // Marks that are as wide as their letters end lines too, brackets where they close.
      ("这个，们中", 40, ["这个，", "们中"]), ("出（中）本", 40, ["出（中）", "本"]),
      // The lines of all parts of a text are about equally long.
      ("aa\nbbb bbb bbb", 110, ["aa", "bbb bbb", "bbb"]),
      // A break at the end begins no line, one before it does.
      ("a\n\nb\n", 110, ["a", "", "b"]), ("a\n\n", 110, ["a", ""]), ("\na", 110, ["", "a"]),
    ] as [(String, Double, [String])])
  func `Lines are broken where those of MapLibre are`(
    _ text: String, _ width: Double, _ lines: [String]
  ) {
    #expect(Self.lines(text, width) == lines)
  }

  @Test(arguments: [true, false])
  func `A soft hyphen is drawn if the fonts have it`(_ isKnown: Bool) throws {
    var stack = ProtoMessage()
    stack.add(1, Array("Strokes".utf8))
    stack.add(2, Array("0-255".utf8))
    for scalar in isKnown ? [0x49, 0xAD] : [0x49] {
      stack.add(3, MadeGlyphs.glyph(scalar, 3, [(0, 0, 3, 17)]))
    }
    var file = ProtoMessage()
    file.add(1, stack.bytes)
    let range = Data(file.bytes)
    let text = try #require(
      GlyphText(
        [.init(text: "I\u{AD}I")], stack: "Strokes", fonts: GlyphFonts { _, _ in range },
        style: Self.style()))
    #expect(text.letters.count == (isKnown ? 3 : 2))
  }

  @Test func `Sections of a text have their sizes and colours, and share a baseline`() throws {
    let red = RGBAColor(red: 200, green: 0, blue: 0)
    let text = try #require(
      GlyphText(
        [.init(text: "HI", scale: 2, color: red), .init(text: "LT\nH")], stack: "Strokes",
        fonts: Self.fonts(), style: Self.style()))
    #expect(text.letters.map(\.color) == [red, red, nil, nil, nil])
    #expect(text.width == 2 * (15 + 6) + 12 + 16)
    // A line is as high as its largest letter makes it.
    #expect(abs(text.height - (2 + 1) * 24 * 1.2) < 1e-9)
    // The foot of letters is 24 pixels below the top of their em, whose middle is at 17.
    let feet = text.letters.map { $0.center.y + (24 - 17) * $0.scale }
    #expect(feet.dropLast().allSatisfy { abs($0 - 48) < 1e-9 }, "\(feet)")
    #expect(abs(feet[4] - (2 * 24 * 1.2 + 24)) < 1e-9)
  }

  @Test(arguments: ["HÄT", "שלום", "\u{1F600}", "H\u{0301}"])
  func `A text with a letter that is missing, or has to be joined, is not set`(_ text: String) {
    #expect(
      GlyphText([.init(text: text)], stack: "Strokes", fonts: Self.fonts(), style: Self.style())
        == nil)
  }

  @Test(
    arguments: [(0x48, "HH", 42), (0xFE8D, "ا ا", 37)] as [(Int, String, Double)])
  func `Letters that are joined are not spaced`(
    _ scalar: Int, _ text: String, _ width: Double
  ) throws {
    var stack = ProtoMessage()
    for (code, width) in [(scalar, 12), (0x20, 0)] {
      stack.add(3, MadeGlyphs.glyph(code, width, width > 0 ? [(0, 0, 12, 17)] : []))
    }
    var file = ProtoMessage()
    file.add(1, stack.bytes)
    let data = Data(file.bytes)
    var style = Self.style()
    style.letterSpacing = 12
    let set = try #require(
      GlyphText(
        [.init(text: text)], stack: "Made", fonts: GlyphFonts { _, _ in data }, style: style))
    #expect(set.width == width)
  }

  @Test func `A font that cannot be read is reported once`() {
    let fonts = GlyphFonts { _, _ in Data([0xFF, 0xFF]) }
    for _ in 0..<3 {
      #expect(
        GlyphText([.init(text: "H")], stack: "Broken", fonts: fonts, style: Self.style()) == nil)
    }
    #expect(fonts.problems == ["glyphs of its font \"Broken\" cannot be read"])
  }
}

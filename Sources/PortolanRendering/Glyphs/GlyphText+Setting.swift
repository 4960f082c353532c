internal import Foundation
internal import PortolanGeometry

extension GlyphText {
  /// Longer labels are cut.
  private static let maximumLength = 500
  /// Halos are drawn from the distances in the letters up to here, in pixels of an em of 24.
  private static let widestHalo = Double(GlyphShape.border) - 0.25

  /// Sets a text in lines; `nil` if the fonts lack a letter, or letters have to be joined
  /// in a script other than the Arabic one.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - stack: The fonts as a style names them, joined by commas.
  ///   - fonts: The letters of the package.
  ///   - style: How large the text is, and where its lines are broken.
  init?(_ text: String, stack: String, fonts: GlyphFonts, style: TextStyle) {
    guard let glyphs = Self.glyphs(text, stack, fonts) else { return nil }
    let scale = style.size / GlyphShape.em
    let lines = GlyphLines(
      glyphs, spacing: style.letterSpacing / scale,
      maximumWidth: style.maximumWidth.map { $0 / scale })
    self.style = style
    width = lines.width * scale
    height = Double(lines.lines.count) * Self.lineHeight(style)
    if style.haloWidth / scale > Self.widestHalo {
      strokedHalo = min(style.haloWidth, style.size)
    }
    letters = Self.letters(lines, style) { fonts.outline(of: $0, in: stack, grownBy: $1) }
  }

  /// The shapes of a text; `nil` if one is missing.
  private static func glyphs(
    _ text: String, _ stack: String, _ fonts: GlyphFonts
  ) -> [GlyphShape]? {
    guard !TextScript.needsShaping(text) else { return nil }
    let scalars = ArabicForms.shaped(
      Array(text.precomposedStringWithCanonicalMapping.unicodeScalars.prefix(maximumLength)))
    var glyphs: [GlyphShape] = []
    for (scalar, level) in zip(scalars, TextDirection.levels(scalars))
    where !TextScript.isSilent(scalar) {
      if TextScript.isLineBreak(scalar) {
        glyphs.append(.lineBreak)
        continue
      }
      let drawn = level % 2 == 1 ? TextDirection.mirrored(scalar) : scalar
      guard var glyph = fonts.glyph(drawn, in: stack) else { return nil }
      glyph.level = level
      glyphs.append(glyph)
    }
    return glyphs
  }

  private static func lineHeight(_ style: TextStyle) -> Double {
    style.size * (style.lineHeight ?? 1.2)
  }

  private static func letters(
    _ lines: GlyphLines, _ style: TextStyle, outline: (GlyphShape, Double) -> PixelPath
  ) -> [Letter] {
    let scale = style.size / GlyphShape.em
    let growths = growths(style)
    var letters: [Letter] = []
    for (number, line) in lines.lines.enumerated() {
      let middle = (Double(number) + 0.5) * lineHeight(style)
      var pen = (lines.width - line.width) * style.alignment.share
      for glyph in line.glyphs {
        let advance = Double(glyph.advance)
        letters.append(
          Letter(
            outline: outline(glyph, 0), halos: growths.map { outline(glyph, $0) },
            advance: advance, center: Coordinate(x: (pen + advance / 2) * scale, y: middle)))
        pen += advance + style.letterSpacing / scale
      }
    }
    return letters
  }

  /// By how much halos are grown, the widest first; more than one for edges that fade.
  private static func growths(_ style: TextStyle) -> [Double] {
    guard style.haloColor != nil, style.haloWidth > 0 else { return [] }
    let toEm = GlyphShape.em / style.size
    guard style.haloBlur > 0 else { return [min(style.haloWidth * toEm, widestHalo)] }
    // The edge fades over 1.19 times the blur on both sides, smoothly, and as far as edges do that
    // have no blur.
    let reach = style.haloBlur * 1.19 + 0.5
    let count = reach * toEm > 2 ? 8 : 4
    return (0..<count).map { number in
      let share = (Double(number) + 0.5) / Double(count)
      let place = 0.5 - sin(asin(1 - 2 * share) / 3)
      // What reaches beyond the picture of the letter ends with it.
      return min(
        (style.haloWidth + reach * (1 - 2 * place)) * toEm, GlyphShape.edge / GlyphShape.slope)
    }
  }
}

extension GlyphShape {
  /// What stands for the end of a line.
  static let lineBreak = GlyphShape(
    scalar: 10, width: 0, height: 0, left: 0, top: 0, advance: 0, pixels: [])
}

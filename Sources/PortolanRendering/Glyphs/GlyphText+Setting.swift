internal import Foundation
internal import PortolanGeometry

extension GlyphText {
  /// Longer labels are cut.
  private static let maximumLength = 500
  /// Halos are drawn from the distances in the letters up to here, in pixels of an em of 24.
  private static let widestHalo = Double(GlyphShape.border) - 0.25

  /// Sets a text in lines; `nil` if the fonts lack a letter, or letters have to be joined.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - stack: The fonts as a style names them, joined by commas.
  ///   - fonts: The letters of the package.
  ///   - style: How large the text is, and where its lines are broken.
  init?(_ text: String, stack: String, fonts: GlyphFonts, style: TextStyle) {
    guard !TextScript.needsShaping(text) else { return nil }
    var glyphs: [GlyphShape] = []
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars
      .prefix(Self.maximumLength)
    where !TextScript.isSilent(scalar) {
      guard
        let glyph = TextScript.isLineBreak(scalar)
          ? GlyphShape.lineBreak : fonts.glyph(scalar, in: stack)
      else { return nil }
      glyphs.append(glyph)
    }
    let scale = style.size / GlyphShape.em
    let spacing = style.letterSpacing / scale
    let lines = GlyphLines(
      glyphs, spacing: spacing, maximumWidth: style.maximumWidth.map { $0 / scale })
    self.style = style
    letters = []
    width = lines.width * scale
    let lineHeight = style.size * (style.lineHeight ?? 1.2)
    height = Double(lines.lines.count) * lineHeight
    let growths = Self.growths(style)
    if style.haloWidth / scale > Self.widestHalo {
      strokedHalo = min(style.haloWidth, style.size)
    }
    for (number, line) in lines.lines.enumerated() {
      var pen = (lines.width - line.width) * style.alignment.share
      for glyph in line.glyphs {
        let advance = Double(glyph.advance)
        letters.append(
          Letter(
            outline: fonts.outline(of: glyph, in: stack, grownBy: 0),
            halos: growths.map { fonts.outline(of: glyph, in: stack, grownBy: $0) },
            advance: advance,
            center: Coordinate(
              x: (pen + advance / 2) * scale, y: (Double(number) + 0.5) * lineHeight)))
        pen += advance + spacing
      }
    }
  }

  /// By how much halos are grown, the widest first; more than one for edges that fade.
  private static func growths(_ style: TextStyle) -> [Double] {
    guard style.haloColor != nil, style.haloWidth > 0 else { return [] }
    let toEm = GlyphShape.em / style.size
    let blur = min(style.haloBlur, style.haloWidth)
    let steps = blur > 0 ? [0.8, 0, -0.8] : [0]
    return steps.map { min((style.haloWidth + blur * $0) * toEm, widestHalo) }
  }
}

extension GlyphShape {
  /// What stands for the end of a line.
  static let lineBreak = GlyphShape(
    scalar: 10, width: 0, height: 0, left: 0, top: 0, advance: 0, pixels: [])
}

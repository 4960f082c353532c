internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

extension GlyphText {
  /// Longer labels are cut.
  private static let maximumLength = 500
  /// Halos are drawn from the distances in the letters up to here, in pixels of an em of 24.
  private static let widestHalo = Double(GlyphShape.border) - 0.25

  /// Sets a text in lines; `nil` if the fonts lack a letter, or letters have to be joined
  /// in a script other than the Arabic one.
  ///
  /// - Parameters:
  ///   - sections: The parts of the text.
  ///   - stack: The fonts as a style names them, joined by commas, of sections without their own.
  ///   - fonts: The letters of the package.
  ///   - style: How large the text is, and where its lines are broken.
  ///   - pixelRatio: The pixels of the picture along a pixel of the style, in which icons are large.
  ///   - inColumns: Whether the text is written downwards; lines are columns from right to left, and
  ///     the text is set as if it lay on its left side.
  init?(
    _ sections: [StyleText.Section], stack: String, fonts: GlyphFonts, style: TextStyle,
    pixelRatio: Double = 1, inColumns: Bool = false
  ) {
    let scale = style.size / Self.em
    guard var glyphs = Self.glyphs(sections, stack, fonts, iconScale: pixelRatio / scale) else {
      return nil
    }
    for index in glyphs.indices where inColumns {
      glyphs[index].isUpright =
        Unicode.Scalar(glyphs[index].scalar).map(TextScript.standsUpright) ?? false
    }
    let lines = GlyphLines(
      glyphs, spacing: style.letterSpacing / scale,
      maximumWidth: style.maximumWidth.map { $0 / scale })
    self.init(
      letters: [], width: lines.width * scale,
      height: lines.lines.reduce(0) { $0 + $1.scale } * Self.lineHeight(style), style: style)
    if style.haloWidth / scale > Self.widestHalo {
      strokedHalo = min(style.haloWidth, style.size)
    }
    letters = Self.letters(lines, style, sections) { glyph, growth in
      fonts.outline(of: glyph, in: sections[glyph.section].fonts ?? stack, grownBy: growth)
    }
  }

  /// The shapes of a text; `nil` if one is missing.
  private static func glyphs(
    _ sections: [StyleText.Section], _ stack: String, _ fonts: GlyphFonts, iconScale: Double
  ) -> [GlyphShape]? {
    var scalars: [Unicode.Scalar] = []
    var numbers: [Int] = []
    for (number, section) in sections.enumerated() {
      guard !TextScript.needsShaping(section.text) else { return nil }
      let shaped = ArabicForms.shaped(
        Array(section.text.precomposedStringWithCanonicalMapping.unicodeScalars))
      scalars += shaped.prefix(maximumLength - scalars.count)
      numbers += Array(repeating: number, count: scalars.count - numbers.count)
    }
    var glyphs: [GlyphShape] = []
    for (index, level) in TextDirection.levels(scalars).enumerated()
    where !TextScript.isSilent(scalars[index]) {
      if TextScript.isLineBreak(scalars[index]) {
        glyphs.append(.lineBreak)
        continue
      }
      let section = sections[numbers[index]]
      if let icon = section.icon {
        var shape = GlyphShape(icon)
        shape.level = level
        shape.scale = section.scale * iconScale
        shape.section = numbers[index]
        glyphs.append(shape)
        continue
      }
      let drawn = level % 2 == 1 ? TextDirection.mirrored(scalars[index]) : scalars[index]
      guard var glyph = fonts.glyph(drawn, in: section.fonts ?? stack) else { return nil }
      glyph.level = level
      glyph.scale = section.scale
      glyph.section = numbers[index]
      glyphs.append(glyph)
    }
    return glyphs
  }

  private static func lineHeight(_ style: TextStyle) -> Double {
    style.size * (style.lineHeight ?? 1.2)
  }

  private static func letters(
    _ lines: GlyphLines, _ style: TextStyle, _ sections: [StyleText.Section],
    outline: (GlyphShape, Double) -> PixelPath
  ) -> [Letter] {
    let scale = style.size / em
    let growths = growths(style)
    // Lines of one size stand around their middles, others below each other from the top.
    let isEven = lines.lines.allSatisfy { $0.scale == 1 }
    let rise = isEven ? lineHeight(style) / 2 - middle * scale : 0
    var letters: [Letter] = []
    var top = 0.0
    for line in lines.lines {
      var pen = (lines.width - line.width) * style.alignment.share
      for glyph in line.glyphs {
        let advance = glyph.scaledAdvance
        // All letters of a line stand on the same foot, unless their section says otherwise.
        let section = sections[glyph.section]
        // Icons stand where letters end that reach below the line.
        let high = section.icon.map { $0.height * glyph.scale / em } ?? glyph.scale
        let drop = (line.scale - high) * em * section.drop
        let down = drop + (section.icon == nil ? middle : em / 2) * high
        let center = Coordinate(x: (pen + advance / 2) * scale, y: top + rise + down * scale)
        if let icon = section.icon {
          letters.append(
            Letter(
              icon.marker(scale: glyph.scale * scale), advance: Double(glyph.advance),
              center: center, scale: glyph.scale))
        } else {
          letters.append(
            Letter(
              outline: outline(glyph, 0), halos: growths.map { outline(glyph, $0 / glyph.scale) },
              advance: Double(glyph.advance), center: center, scale: glyph.scale,
              color: section.color,
              standsUpright: Unicode.Scalar(glyph.scalar).map(TextScript.standsUpright) ?? false))
        }
        pen += advance + style.letterSpacing / scale
      }
      top += lineHeight(style) * line.scale
    }
    return letters
  }

  /// By how much halos are grown, the widest first; more than one for edges that fade.
  private static func growths(_ style: TextStyle) -> [Double] {
    guard style.haloColor != nil, style.haloWidth > 0 else { return [] }
    let toEm = em / style.size
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

extension StyleText.Icon {
  /// The icon around the middle of its letter; `scale` is the pixels of the picture in one of its
  /// own.
  fileprivate func marker(scale: Double) -> MarkerStyle {
    let (x, y) = (width * scale / 2, height * scale / 2)
    return MarkerStyle(
      graphics: [.image(image, Envelope(xMin: -x, yMin: -y, xMax: x, yMax: y))],
      reach: 2 * (x + y), opacity: opacity)
  }
}

extension GlyphShape {
  /// What stands for an icon.
  fileprivate init(_ icon: StyleText.Icon) {
    self.init(
      scalar: 0xFFFC, width: Int(icon.width.rounded(.up)), height: Int(icon.height.rounded(.up)),
      left: 0, top: 0, advance: Int(icon.width.rounded(.up)), pixels: [], isIcon: true)
  }

  /// What stands for the end of a line.
  static let lineBreak = GlyphShape(
    scalar: 10, width: 0, height: 0, left: 0, top: 0, advance: 0, pixels: [])
}

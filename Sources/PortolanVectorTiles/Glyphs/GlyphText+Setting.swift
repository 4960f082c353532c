internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

extension GlyphText {
  /// Longer labels are cut.
  private static let maximumLength = 500

  /// Sets a text in lines; `nil` if the fonts lack a glyph, or letters have to be joined
  /// in a script other than the Arabic one.
  ///
  /// - Parameters:
  ///   - sections: The parts of the text.
  ///   - stack: The fonts as a style names them, joined by commas, of sections without their own.
  ///   - fonts: The glyphs of the package.
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
    var style = style
    // Letters that are joined would come apart.
    if glyphs.contains(where: \.isArabic) { style.letterSpacing = 0 }
    for index in glyphs.indices where inColumns {
      glyphs[index].isUpright = glyphs[index].standsUprightInColumns
    }
    let lines = GlyphLines(
      glyphs, spacing: style.letterSpacing / scale,
      maximumWidth: style.maximumWidth.map { $0 / scale })
    let lineHeight = Self.em * (style.lineHeight ?? 1.2)
    self.init(
      letters: Self.letters(lines, style, sections, lineHeight), width: lines.width * scale,
      height: lines.lines.reduce(0) { $0 + $1.height(lineHeight) } * scale, style: style)
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
    for (index, level) in TextDirection.levels(scalars).enumerated() {
      if TextScript.isLineBreak(scalars[index]) { glyphs.append(.lineBreak) }
      if scalars[index] == "\u{200B}" { glyphs.append(.breakHint) }
      let section = sections[numbers[index]]
      // As in MapLibre a soft hyphen is drawn, wherever its line is broken, if the fonts have it.
      let isHyphen =
        scalars[index] == "\u{AD}" && fonts.glyph("\u{AD}", in: section.fonts ?? stack) != nil
      if TextScript.isLineBreak(scalars[index]) { continue }
      if TextScript.isSilent(scalars[index]), !isHyphen { continue }
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

  /// The letters at their places; `lineHeight` is in pixels of an em of 24.
  private static func letters(
    _ lines: GlyphLines, _ style: TextStyle, _ sections: [StyleText.Section],
    _ lineHeight: Double
  ) -> [Letter] {
    let scale = style.size / em
    // Lines of which the highest has the default height are placed around their middles, others, also lower
    // ones, below each other from the top. The height of a line is a sum, whose last digits may be others.
    let highest = lines.lines.filter { !$0.glyphs.isEmpty }.map { $0.height(lineHeight) }.max()
    let isEven = highest.map { abs($0 - lineHeight) < 1e-6 } ?? true
    let rise = isEven ? lineHeight / 2 - middle : 0
    var letters: [Letter] = []
    var top = rise
    for line in lines.lines {
      var pen = (lines.width - line.width) * style.alignment.share
      for glyph in line.glyphs {
        letters.append(
          letter(glyph, sections[glyph.section], pen: pen, top: top, in: line, scale))
        pen += glyph.scaledAdvance + style.letterSpacing / scale
      }
      top += line.height(lineHeight)
    }
    return letters
  }

  /// A letter or an icon of a line whose top is at `top`; `scale` is the pixels of the picture in one
  /// of an em of 24, in which all else is given.
  private static func letter(
    _ glyph: GlyphShape, _ section: StyleText.Section, pen: Double, top: Double,
    in line: GlyphLines.Line, _ scale: Double
  ) -> Letter {
    let middleOfPen = pen + glyph.scaledAdvance / 2
    // All letters of a line share a baseline, unless their section says otherwise.
    if let icon = section.icon {
      let drop = (line.contentHeight - glyph.iconHeight) * section.drop + glyph.iconHeight / 2
      return Letter(
        icon.marker(scale: glyph.scale * scale), advance: glyph.penWidth,
        center: Coordinate(
          x: (middleOfPen + iconShift.x * glyph.scale) * scale,
          y: (top + drop + iconShift.y * glyph.scale) * scale), scale: glyph.scale)
    }
    let drop = (line.contentHeight - glyph.scale * em) * section.drop + middle * glyph.scale
    return Letter(
      field: glyph.field, advance: glyph.penWidth,
      center: Coordinate(x: middleOfPen * scale, y: (top + drop) * scale), scale: glyph.scale,
      color: section.color,
      standsUpright: glyph.isUpright
        || (Unicode.Scalar(glyph.scalar).map(TextScript.standsUpright) ?? false))
  }

  /// The offset of icons from letters of their size, in their own pixels, as in MapLibre:
  /// what is clear around icons and letters counts differently.
  private static let iconShift = Coordinate(x: 1, y: 3)
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
  /// The placeholder of an icon.
  fileprivate init(_ icon: StyleText.Icon) {
    self.init(
      scalar: 0xFFFC, width: 0, height: 0, left: 0, top: 0, advance: 0,
      iconSize: Coordinate(x: icon.width, y: icon.height))
  }

  /// The character at which a text may be broken, without a blank.
  static let breakHint = GlyphShape(
    scalar: 0x200B, width: 0, height: 0, left: 0, top: 0, advance: 0)

  /// The placeholder of the end of a line.
  static let lineBreak = GlyphShape(
    scalar: 10, width: 0, height: 0, left: 0, top: 0, advance: 0)

  /// Whether the letter is upright in columns at a point, where all do but those that are joined.
  fileprivate var standsUprightInColumns: Bool {
    let isBlank = Unicode.Scalar(scalar)?.properties.isWhitespace ?? true
    return iconSize == nil && !isBlank && !isArabic
  }

  /// Whether the letter is of a script whose letters are joined.
  fileprivate var isArabic: Bool {
    switch scalar {
    case 0x0600...0x06FF, 0x0750...0x077F, 0x08A0...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: true
    default: false
    }
  }
}

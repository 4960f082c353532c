internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

extension StylePainter {
  /// The rotation of whatever turns with the map, in degrees, clockwise.
  var mapAngle: Double { -drawing.frame.rotation }

  /// The text of a layer for a feature.
  func text(_ layer: StyleLayer, _ context: EvaluationContext) -> StyleText {
    let sections = sections(layer, context)
    let alignment = layer.text("text-rotation-alignment", context, or: "auto")
    let follows = isAlong(layer, context)
    var text = StyleText(
      sections: sections, style: textStyle(layer, context),
      fonts: layer.value("text-font", context).list?.map(\.text)
        ?? ["Open Sans Regular", "Arial Unicode MS Regular"],
      anchors: sections.isEmpty ? [] : anchors(layer, context),
      angle: layer.number("text-rotate", context, or: 0),
      isMapAligned: ["map", "viewport-glyph"].contains(alignment)
        && (follows || alignment == "map") || (alignment == "auto" && follows),
      translation: translation("text", layer, context),
      keepsUpright: layer.value("text-keep-upright", context) != .bool(false),
      maximumAngle: min(max(layer.number("text-max-angle", context, or: 45), 0), 180),
      padding: padding("text", layer, context))
    text.collisionScale = collisionScale("text-size", fallback: 16, within: 1...500, layer, context)
    text.keepsLettersLevel = alignment == "viewport-glyph"
    text.choosesAnchor = choosesAnchor(layer, context)
    // Only texts at points are broken into lines.
    if follows {
      text.style.maximumWidth = nil
    } else {
      text.inColumns = Self.columns(text.text, layer, context)
    }
    return text
  }

  /// Whether a text is written downwards at points, in the order in which that is tried: only for
  /// texts with letters that are upright then.
  private static func columns(
    _ text: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> [Bool] {
    let modes = layer.value("text-writing-mode", context).list?.map(\.text) ?? []
    guard modes.contains("vertical"), text.unicodeScalars.contains(where: TextScript.standsUpright)
    else { return [false] }
    return modes.prefix(2).map { $0 == "vertical" }
  }

  /// The parts of the text that a layer writes for a feature; none without a text.
  private func sections(
    _ layer: StyleLayer, _ context: EvaluationContext
  ) -> [StyleText.Section] {
    // Text without a size is none.
    guard layer.number("text-size", context, or: 16) > 0 else { return [] }
    let value = layer.value("text-field", context)
    let parts =
      if case .formatted(let formatted) = value { formatted.sections } else {
        FormattedText(value.text).sections
      }
    let opacity = layer.number("text-opacity", context, or: 1)
    return parts.prefix(Self.maximumSections).compactMap { part in
      if let image = part.image { return iconSection(part, image.name, layer, context) }
      let label = ShapeableText(part.text)
      if label.isCut { drawing.omissions.add("a label is cut, for it is too long", layer: title) }
      guard !label.text.isEmpty else { return nil }
      var section = StyleText.Section(text: layer.inItsCase(label.text, context))
      section.fonts = part.fontStack
      section.scale = min(max(part.scale ?? 1, 0.1), 10)
      section.color = part.color.map { RGBAColor($0).faded(opacity) }
      section.drop = Self.drop(part)
      return section
    }
  }

  /// A section that is an icon, in its own size and the color of the text if it is a shape; `nil`, and
  /// reported, if the style has none of that name.
  private func iconSection(
    _ part: FormattedText.Section, _ name: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> StyleText.Section? {
    let opacity = min(max(layer.number("text-opacity", context, or: 1), 0), 1)
    let color = layer.color("text-color", context, or: .black) ?? .black
    let paint = IconPaint(
      color: color, halo: nil, haloWidth: 0, haloBlur: 0, scale: 1, ratio: ratio)
    guard let icon = icons.icon(name, paint) else {
      drawing.omissions.add("there is no icon \"\(name.prefix(100))\"", layer: title)
      return nil
    }
    var section = StyleText.Section(text: StyleText.Icon.letter)
    section.drop = Self.drop(part)
    section.icon = StyleText.Icon(
      name: name, image: icon.image, width: Double(icon.image.width) / icon.pixelRatio,
      height: Double(icon.image.height) / icon.pixelRatio, opacity: opacity)
    return section
  }

  private static func drop(_ part: FormattedText.Section) -> Double {
    ["top": 0, "center": 0.5][part.verticalAlignment ?? ""] ?? 1
  }

  /// Texts with more sections end with these.
  private static let maximumSections = 50

  /// The places of a text beside a point, turned by degrees with the map.
  func places(
    of text: StyleText, at point: Coordinate, turnedBy turn: Double
  ) -> [StyleText.Placed] {
    guard !text.text.isEmpty else { return [] }
    return text.inColumns.flatMap { places(of: text, inColumns: $0, at: point, turnedBy: turn) }
  }

  private func places(
    of text: StyleText, inColumns: Bool, at point: Coordinate, turnedBy mapTurn: Double
  ) -> [StyleText.Placed] {
    let origin = Coordinate(
      x: point.x + text.translation.x, y: point.y + text.translation.y)
    var set: SetText?
    return text.anchors.map { anchor in
      var style = text.style
      // As in MapLibre columns begin at the same height.
      style.alignment = inColumns ? .left : anchor.alignment
      let lettering =
        set.flatMap { $0.style.alignment == style.alignment ? $0 : nil }
        ?? setText(text, style, inColumns: inColumns, isAgain: set != nil)
      set = lettering
      let place = lettering.place(at: origin, anchor: anchor, of: text, turnedBy: mapTurn)
      return StyleText.Placed(
        place: untranslated(place, of: text), box: lettering.box(anchor, of: text),
        inColumn: inColumns)
    }
  }

  /// A place with what a text keeps free where that would be drawn without its translation.
  ///
  /// As in MapLibre translations do not count where symbols find their places. Cells of a grid are to
  /// hold what is drawn.
  func untranslated(_ place: LabelPlace, of text: StyleText) -> LabelPlace {
    let offset = text.translation
    guard drawing.labelGrid == nil, offset != Coordinate(x: 0, y: 0) else { return place }
    var place = place
    place.boxes = place.boxes.map { $0.moved(by: Coordinate(x: -offset.x, y: -offset.y)) }
    return place
  }

  /// The size of the collision box of a part of a symbol as a multiple of that of the part.
  ///
  /// As in MapLibre the box keeps the size of its tile's layout, so that symbols do not come and go
  /// between whole zooms.
  func collisionScale(
    _ size: String, fallback: Double, within range: ClosedRange<Double>, _ layer: StyleLayer,
    _ context: EvaluationContext
  ) -> Double {
    func clamped(_ size: Double) -> Double { min(max(size, range.lowerBound), range.upperBound) }
    let now = clamped(layer.number(size, context, or: fallback))
    let laidOut = clamped(layer.layoutSize(size, context, or: fallback))
    return now > 0 && laidOut > 0 ? laidOut / now : 1
  }

  /// Sets a text in the glyphs of the package, or else in the fonts of this machine, which is reported unless
  /// the same text is set again.
  func setText(
    _ text: StyleText, _ style: TextStyle, inColumns: Bool = false, isAgain: Bool = false
  ) -> SetText {
    if let fonts,
      let glyphs = GlyphText(
        text.sections, stack: text.fonts.joined(separator: ","), fonts: fonts, style: style,
        pixelRatio: ratio, inColumns: inColumns)
    {
      return .glyphs(glyphs, inColumns: inColumns)
    }
    if inColumns {
      drawing.omissions.add(
        "\"text-writing-mode\" of its style is left out where a text is set in the fonts of this machine",
        layer: title)
    }
    if fonts != nil, !isAgain {
      drawing.omissions.add(
        "a text is set in the fonts of this machine, for its own lack glyphs", layer: title)
    }
    var text = text
    if text.sections.contains(where: { $0.icon != nil }) {
      if !isAgain {
        drawing.omissions.add(
          "icons in texts that are set in the fonts of this machine are left out", layer: title)
      }
      text.sections.removeAll { $0.icon != nil }
    }
    let run = TextRun(
      text: text.text, style: Self.machineStyle(style, text), position: Coordinate(x: 0, y: 0))
    guard let typesetter else { return .machine(run, width: 0, height: 0) }
    typesetter.set(run.text, in: run.style)
    return .machine(run, width: typesetter.box.width, height: typesetter.box.height)
  }

  /// The style with the fonts that come nearest to those named.
  private static func machineStyle(_ style: TextStyle, _ text: StyleText) -> TextStyle {
    var whole = machineStyle(style, text.fonts)
    var start = 0
    for section in text.sections {
      let bytes = start..<start + section.text.utf8.count
      start = bytes.upperBound
      guard !section.isPlain else { continue }
      let fonts = section.fonts.map { $0.split(separator: ",").map(String.init) }
      let own = fonts.map { machineStyle(style, $0) } ?? whole
      whole.sections.append(
        TextStyle.Section(
          bytes: bytes, isBold: own.isBold, isItalic: own.isItalic, color: section.color,
          family: own.family, size: section.scale == 1 ? nil : style.size * section.scale))
    }
    return whole
  }

  /// The style with the font that comes nearest to those named.
  static func machineStyle(_ style: TextStyle, _ names: [String]) -> TextStyle {
    var style = style
    let font = names.first ?? ""
    style.isBold = font.contains("Bold")
    style.isItalic = font.contains("Italic") || font.contains("Oblique")
    style.family = ["Bold", "Italic", "Oblique", "Regular", "Medium", "Light", "Unicode MS"]
      .reduce(font) { $0.replacing($1, with: "") }.replacing(",", with: " ")
    return style
  }

  private func textStyle(_ layer: StyleLayer, _ context: EvaluationContext) -> TextStyle {
    let size = min(max(layer.number("text-size", context, or: 16), 1), 500) * ratio
    let color = layer.color("text-color", opacity: "text-opacity", context, or: .black)
    var style = TextStyle(size: size, color: color ?? .black)
    style.haloColor = layer.color("text-halo-color", opacity: "text-opacity", context, or: nil)
    style.haloWidth = max(layer.number("text-halo-width", context, or: 0), 0) * ratio
    style.haloBlur = max(layer.number("text-halo-blur", context, or: 0), 0) * ratio
    let spacing = layer.number("text-letter-spacing", context, or: 0)
    style.letterSpacing = min(max(spacing, -20), 20) * size
    style.lineHeight = min(max(layer.number("text-line-height", context, or: 1.2), 0.1), 10)
    let width = layer.number("text-max-width", context, or: 10)
    style.maximumWidth = width > 0 ? max(width, 0.1) * size : nil
    return style
  }

  /// The translation of a part of a symbol on the picture.
  func translation(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> Coordinate {
    let offset = layer.numbers("\(part)-translate", context).map { min(max($0, -1e5), 1e5) }
    guard offset.count == 2 else { return Coordinate(x: 0, y: 0) }
    let place = Coordinate(x: offset[0] * ratio, y: offset[1] * ratio)
    let isOnMap = layer.text("\(part)-translate-anchor", context, or: "map") == "map"
    return isOnMap ? PixelRotation(mapAngle)(place) : place
  }
}

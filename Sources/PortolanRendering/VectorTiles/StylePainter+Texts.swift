internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanMap

extension StylePainter {
  /// By how much what turns with the map is turned, in degrees, clockwise.
  var mapAngle: Double { -session.frame.rotation }

  /// What a layer writes for a feature.
  func text(_ layer: StyleLayer, _ context: EvaluationContext) -> StyleText {
    let label = ShapeableText(layer.value("text-field", context).text)
    if label.isCut { session.omissions.add("a label is cut, for it is too long", layer: title) }
    var text = label.text
    switch layer.text("text-transform", context, or: "none") {
    case "uppercase": text = text.uppercased()
    case "lowercase": text = text.lowercased()
    default: break
    }
    let alignment = layer.text("text-rotation-alignment", context, or: "auto")
    let follows = layer.text("symbol-placement", context, or: "point") != "point"
    return StyleText(
      text: text, style: textStyle(layer, context),
      fonts: layer.value("text-font", context).list?.map(\.text)
        ?? ["Open Sans Regular", "Arial Unicode MS Regular"],
      anchors: text.isEmpty ? [] : anchors(layer, context),
      angle: layer.number("text-rotate", context, or: 0),
      isMapAligned: alignment == "map" || (alignment == "auto" && follows),
      translation: translation("text", layer, context),
      keepsUpright: layer.value("text-keep-upright", context) != .bool(false),
      maximumAngle: min(max(layer.number("text-max-angle", context, or: 45), 0), 180),
      padding: padding("text", layer, context))
  }

  /// The places of a text beside a point.
  func places(of text: StyleText, at point: Coordinate) -> [LabelPlace] {
    guard !text.text.isEmpty else { return [] }
    let turn = PixelTurn(text.angle)
    var set: SetText?
    return text.anchors.map { anchor in
      var style = text.style
      style.alignment = anchor.alignment
      let lettering =
        set.flatMap { $0.style.alignment == style.alignment ? $0 : nil }
        ?? setText(text.text, text.fonts, style)
      set = lettering
      let offset = turn(anchor.offset)
      let place = Coordinate(
        x: point.x + text.translation.x + offset.x, y: point.y + text.translation.y + offset.y)
      return lettering.place(
        at: place, anchor: anchor.share, angle: text.angle, padding: text.padding)
    }
  }

  /// Sets a text in the letters of the package, or else in the fonts of this machine.
  func setText(_ text: String, _ names: [String], _ style: TextStyle) -> SetText {
    if let fonts,
      let glyphs = GlyphText(
        text, stack: names.joined(separator: ","), fonts: fonts, style: style)
    {
      return .glyphs(glyphs)
    }
    if fonts != nil {
      session.omissions.add(
        "a text is set in the fonts of this machine, for its own lack glyphs", layer: title)
    }
    let run = TextRun(
      text: text, style: Self.machineStyle(style, names), position: Coordinate(x: 0, y: 0))
    guard let typesetter else { return .machine(run, width: 0, height: 0) }
    typesetter.set(text, in: run.style)
    return .machine(run, width: typesetter.box.width, height: typesetter.box.height)
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
    style.maximumWidth = max(layer.number("text-max-width", context, or: 10), 0.1) * size
    return style
  }

  /// How far a part of a symbol is moved on the picture.
  func translation(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> Coordinate {
    let offset = layer.numbers("\(part)-translate", context).map { min(max($0, -1e5), 1e5) }
    guard offset.count == 2 else { return Coordinate(x: 0, y: 0) }
    let place = Coordinate(x: offset[0] * ratio, y: offset[1] * ratio)
    let isOnMap = layer.text("\(part)-translate-anchor", context, or: "map") == "map"
    return isOnMap ? PixelTurn(mapAngle)(place) : place
  }
}

/// A text that is set and has no place yet.
enum SetText {
  case machine(TextRun, width: Double, height: Double)
  case glyphs(GlyphText)

  var style: TextStyle {
    switch self {
    case .machine(let run, _, _): run.style
    case .glyphs(let text): text.style
    }
  }

  var size: (width: Double, height: Double) {
    switch self {
    case .machine(_, let width, let height): (width, height)
    case .glyphs(let text): (text.width, text.height)
    }
  }

  /// The text at a place.
  func place(
    at position: Coordinate, anchor: Coordinate, angle: Double, padding: Double
  ) -> LabelPlace {
    let box = Envelope(
      xMin: -size.width * anchor.x, yMin: -size.height * anchor.y,
      xMax: size.width * (1 - anchor.x), yMax: size.height * (1 - anchor.y))
    let turned = TurnedBox(box, around: position, angle: angle, margin: padding)
    switch self {
    case .machine(var run, _, _):
      run.position = position
      run.anchor = anchor
      run.angle = angle
      return LabelPlace(.run(run), at: position, boxes: [turned])
    case .glyphs(let text):
      let letters = text.placed(at: position, anchor: anchor, angle: angle)
      return LabelPlace(.glyphs(text, letters), at: position, boxes: [turned])
    }
  }
}

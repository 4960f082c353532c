internal import PortolanGeometry
internal import PortolanMap

extension StylePainter {
  /// Takes down an icon and a text, which find their places when all layers are drawn.
  func addSymbol(
    _ layer: StyleLayer, _ number: Int, _ pixels: PixelGeometry, _ area: Envelope,
    _ context: StyleContext
  ) {
    let follows = layer.text("symbol-placement", context, or: "point") != "point"
    let text = self.text(layer, context)
    let icon = self.icon(layer, context)
    guard !text.isEmpty || icon != nil else { return }
    if follows, case .lines(let path) = pixels {
      return addLineSymbol(layer, number, text, path, context)
    }
    for point in Self.anchors(pixels) where area.contains(point) {
      var candidate = LabelCandidate(
        places: text.isEmpty ? [] : places(layer, text, at: point, context),
        rank: rank(number), mayOverlap: layer.flag("text-allow-overlap", context))
      if let icon {
        candidate.icon = .marker(icon, at: point, angle: 0)
        candidate.iconBox = icon.box(at: point)
        candidate.iconMayOverlap = layer.flag("icon-allow-overlap", context)
      }
      candidate.textIsOptional = layer.flag("text-optional", context)
      add(candidate)
    }
  }

  private func addLineSymbol(
    _ layer: StyleLayer, _ number: Int, _ text: String, _ path: PixelPath, _ context: StyleContext
  ) {
    guard !text.isEmpty else { return }
    let style = textStyle(layer, context)
    let run = TextRun(text: text, style: style, position: Coordinate(x: 0, y: 0))
    guard let typesetter else { return }
    typesetter.set(text, in: style)
    let places = LabelPlacement("esriServerLinePlacementCenterAlong")
      .places(of: run, along: path, width: typesetter.box.width, reach: 0)
    guard !places.isEmpty else { return }
    add(
      LabelCandidate(
        places: places, rank: rank(number), mayOverlap: false, repeatKey: "\(number) \(text)"))
  }

  private func add(_ candidate: LabelCandidate) {
    if !session.labels.add(candidate) {
      session.omissions.add("there are too many labels for one picture", layer: title)
    }
  }

  /// Later layers of a style go first.
  private func rank(_ number: Int) -> LabelRank {
    LabelRank(layer: -session.layerNumber, definition: -number, feature: featureNumber)
  }

  private static func anchors(_ pixels: PixelGeometry) -> [Coordinate] {
    switch pixels {
    case .points(let points): return points
    case .area(let path): return [path.interiorPoint].compactMap(\.self)
    case .lines(let path):
      guard let run = path.runs.first else { return [] }
      return PixelPath.stations(run, at: [PixelPath.length(run) / 2]).map(\.point)
    }
  }

  private func text(_ layer: StyleLayer, _ context: StyleContext) -> String {
    let text = layer.value("text-field", context).text
    switch layer.text("text-transform", context, or: "none") {
    case "uppercase": return text.uppercased()
    case "lowercase": return text.lowercased()
    default: return text
    }
  }

  private func textStyle(_ layer: StyleLayer, _ context: StyleContext) -> TextStyle {
    let size = min(max(layer.number("text-size", context, or: 16), 1), 500) * ratio
    let color = layer.color("text-color", opacity: "text-opacity", context, or: .black)
    var style = TextStyle(size: size, color: color ?? .black)
    let fonts = layer.value("text-font", context).list?.map(\.text) ?? []
    let font = fonts.first ?? ""
    style.isBold = font.contains("Bold")
    style.isItalic = font.contains("Italic") || font.contains("Oblique")
    style.family = ["Bold", "Italic", "Oblique", "Regular", "Medium", "Light"]
      .reduce(font) { $0.replacing($1, with: "") }.replacing(",", with: " ")
    style.haloColor = layer.color("text-halo-color", opacity: "text-opacity", context, or: nil)
    style.haloWidth = layer.number("text-halo-width", context, or: 0) * ratio
    style.letterSpacing = layer.number("text-letter-spacing", context, or: 0) * size
    style.maximumWidth = layer.number("text-max-width", context, or: 10) * size
    return style
  }

  private func places(
    _ layer: StyleLayer, _ text: String, at point: Coordinate, _ context: StyleContext
  ) -> [TextRun] {
    let style = textStyle(layer, context)
    let variable = layer.value("text-variable-anchor", context).list?.map(\.text) ?? []
    let anchors = variable.isEmpty ? [layer.text("text-anchor", context, or: "center")] : variable
    let offset = layer.numbers("text-offset", context)
    let radial = layer.number("text-radial-offset", context, or: 0) * style.size
    return anchors.prefix(9).map { name in
      let x = name.contains("left") ? 0 : name.contains("right") ? 1 : 0.5
      let y = name.contains("top") ? 0 : name.contains("bottom") ? 1 : 0.5
      let right = (offset.first ?? 0) * style.size + (0.5 - x) * 2 * radial
      let down = (offset.dropFirst().first ?? 0) * style.size + (0.5 - y) * 2 * radial
      return TextRun(
        text: text, style: style, position: Coordinate(x: point.x + right, y: point.y + down),
        anchor: Coordinate(x: x, y: y),
        angle: layer.number("text-rotate", context, or: 0))
    }
  }

  private func icon(_ layer: StyleLayer, _ context: StyleContext) -> MarkerStyle? {
    let name = layer.value("icon-image", context).text
    guard !name.isEmpty else { return nil }
    guard let icon = sprites?.icon(name) else {
      session.omissions.add("there is no icon «\(name)»", layer: title)
      return nil
    }
    let color = layer.color("icon-color", opacity: "icon-opacity", context, or: .black)
    let scale = min(layer.number("icon-size", context, or: 1), 100) * ratio / icon.pixelRatio
    let width = Double(icon.image.width) * scale
    let height = Double(icon.image.height) * scale
    let anchor = layer.text("icon-anchor", context, or: "center")
    let x = anchor.contains("left") ? 0 : anchor.contains("right") ? 1 : 0.5
    let y = anchor.contains("top") ? 0 : anchor.contains("bottom") ? 1 : 0.5
    let offset = layer.numbers("icon-offset", context).map { $0 * ratio }
    let left = -width * x + (offset.first ?? 0)
    let top = -height * y + (offset.dropFirst().first ?? 0)
    let box = Envelope(xMin: left, yMin: top, xMax: left + width, yMax: top + height)
    return MarkerStyle(
      graphics: [.image(icon.tinted(color), box)],
      angle: layer.number("icon-rotate", context, or: 0),
      reach: abs(left) + abs(top) + width + height,
      opacity: icon.isShape ? 1 : layer.number("icon-opacity", context, or: 1))
  }
}

extension MarkerStyle {
  /// The box of a marker of one picture at a point.
  fileprivate func box(at point: Coordinate) -> Envelope? {
    guard case .image(_, let box)? = graphics.first else { return nil }
    return Envelope(
      xMin: point.x + box.xMin, yMin: point.y + box.yMin, xMax: point.x + box.xMax,
      yMax: point.y + box.yMax)
  }
}

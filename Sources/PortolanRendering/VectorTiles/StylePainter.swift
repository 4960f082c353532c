internal import PortolanGeometry
internal import PortolanMap

/// Turns the features of a tile into steps of drawing, as a layer of a style asks.
final class StylePainter {
  let session: DrawingSession
  let sprites: SpriteSheet?
  let zoom: Double
  let title: String
  /// The pixels of the picture along a pixel of the style.
  var ratio: Double { session.pixelRatio }
  var featureNumber = 0
  /// What tells how long a text is; `nil` for want of memory.
  let typesetter = Typesetter()

  init(_ session: DrawingSession, sprites: SpriteSheet?, zoom: Double, title: String) {
    self.session = session
    self.sprites = sprites
    self.zoom = zoom
    self.title = title
  }

  /// The steps that fill the picture.
  func background(_ layer: StyleLayer) -> [DrawCommand] {
    let context = StyleContext(zoom: zoom)
    let box = Envelope(
      xMin: 0, yMin: 0, xMax: Double(session.width), yMax: Double(session.height))
    return fill(layer, "background", context, usual: .black).map {
      [.fill(.rectangle(box), $0)]
    } ?? []
  }

  /// The steps that draw the features of a tile, cut at its edges.
  func commands(
    for layer: StyleLayer, number: Int, _ placed: PlacedVectorTile, _ toMap: Projection
  ) -> [DrawCommand] {
    let sources = placed.tile.layers.filter { $0.name == layer.sourceLayer }
    guard !sources.isEmpty, let area = area(placed.drawn, toMap) else { return [] }
    let projection = PixelProjection(session.transform, clip: area.bounds.expanded(by: 64 * ratio))
    var commands: [DrawCommand] = []
    for source in sources {
      for feature in source.features {
        let context = StyleContext(zoom: zoom, feature: feature)
        guard layer.filter?.accepts(context) ?? true else { continue }
        let ground = placed.geometry(feature, source)
        // A part of a tile that has no place on the map is not seen either.
        guard let onMap = toMap.isIdentity ? ground : try? toMap.project(ground),
          let pixels = projection.project(onMap)
        else { continue }
        featureNumber += 1
        if layer.kind == .symbol {
          addSymbol(layer, number, pixels, area.bounds, context)
        } else {
          draw(layer, pixels, context, into: &commands)
        }
      }
    }
    return commands.isEmpty ? [] : [.clipped(commands, to: area)]
  }

  private func area(_ ground: Envelope, _ toMap: Projection) -> PixelPath? {
    let corners = toMap.project(ground.polygon.rings[0].coordinates.dropLast())
      .map { session.transform($0) }
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    return PixelPath([corners], isClosed: true)
  }

  private func draw(
    _ layer: StyleLayer, _ pixels: PixelGeometry, _ context: StyleContext,
    into commands: inout [DrawCommand]
  ) {
    switch (layer.kind, pixels) {
    case (.fill, .area(let path)):
      if let style = fill(layer, "fill", context, usual: .black) {
        commands.append(.fill(path, style))
      }
      let outline = layer.color(
        "fill-outline-color", opacity: "fill-opacity", context, or: nil)
      if let outline { commands.append(.stroke(path, StrokeStyle(color: outline, width: ratio))) }
    case (.line, .lines(let path)), (.line, .area(let path)):
      if let style = stroke(layer, context) { commands.append(.stroke(path, style)) }
    case (.circle, .points(let points)): circles(layer, points, context, into: &commands)
    case (.circle, .lines(let path)), (.circle, .area(let path)):
      circles(layer, path.points, context, into: &commands)
    default: break
    }
  }

  /// A colour or a pattern of icons.
  private func fill(
    _ layer: StyleLayer, _ kind: String, _ context: StyleContext, usual: RGBAColor
  ) -> FillStyle? {
    let pattern = layer.text("\(kind)-pattern", context, or: "")
    if !pattern.isEmpty, let icon = sprites?.icon(pattern) {
      let scale = ratio / icon.pixelRatio
      return .picture(
        FillStyle.PictureTile(
          image: icon.image, width: Double(icon.image.width) * scale,
          height: Double(icon.image.height) * scale, angle: 0,
          opacity: layer.number("\(kind)-opacity", context, or: 1)))
    }
    if !pattern.isEmpty { session.omissions.add("there is no icon «\(pattern)»", layer: title) }
    // A pattern that is missing leaves the area empty, not black.
    guard pattern.isEmpty || layer.has("\(kind)-color") else { return nil }
    return layer.color("\(kind)-color", opacity: "\(kind)-opacity", context, or: usual)
      .map(FillStyle.solid)
  }

  private func stroke(_ layer: StyleLayer, _ context: StyleContext) -> StrokeStyle? {
    let width = min(layer.number("line-width", context, or: 1) * ratio, SymbolReader.maximumLength)
    guard width > 0,
      let color = layer.color("line-color", opacity: "line-opacity", context, or: .black)
    else { return nil }
    var style = StrokeStyle(color: color, width: width)
    style.dashes = layer.numbers("line-dasharray", context).prefix(32).map { $0 * width }
    if style.dashes.count % 2 == 1 { style.dashes += style.dashes }
    style.cap = StrokeStyle.Cap(style: layer.text("line-cap", context, or: "butt"))
    style.join = StrokeStyle.Join(style: layer.text("line-join", context, or: "miter"))
    style.offset = -layer.number("line-offset", context, or: 0) * ratio
    return style
  }

  private func circles(
    _ layer: StyleLayer, _ points: [Coordinate], _ context: StyleContext,
    into commands: inout [DrawCommand]
  ) {
    let radius = min(layer.number("circle-radius", context, or: 5) * ratio, 1000)
    let width = layer.number("circle-stroke-width", context, or: 0) * ratio
    var paints: [PathPaint] = []
    let fill = layer.color("circle-color", opacity: "circle-opacity", context, or: .black)
    if let fill { paints.append(.fill(.solid(fill))) }
    let line = layer.color(
      "circle-stroke-color", opacity: "circle-stroke-opacity", context, or: .black)
    if width > 0, let line { paints.append(.stroke(StrokeStyle(color: line, width: width))) }
    guard radius > 0, !paints.isEmpty else { return }
    let marker = MarkerStyle(
      graphics: [.shape(.circle(radius: radius), paints)], reach: radius + width)
    for point in points { commands.append(.marker(marker, at: point, angle: 0)) }
  }
}

extension StrokeStyle.Cap {
  fileprivate init(style name: String) {
    self = name == "round" ? .round : name == "square" ? .square : .butt
  }
}

extension StrokeStyle.Join {
  fileprivate init(style name: String) {
    self = name == "round" ? .round : name == "bevel" ? .bevel : .miter
  }
}

internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

extension StylePainter {
  /// The steps that fill an area.
  func area(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext, isRing: Bool = true
  ) -> [DrawCommand] {
    let moved = translation("fill", layer, context)
    let path = path.moved(by: moved)
    var fill = fill(layer, "fill", context, moved: moved)
    if case .solid(let color) = fill {
      if layer.value("fill-antialias", context) == .bool(false) {
        fill = .crisp(color)
      } else if isRing, !layer.has("fill-outline-color") {
        fill = .spread(color)
      }
    }
    return fill.map { [.fill(path, $0)] } ?? []
  }

  /// The steps that draw a building from straight above: its roof, in the light of the style.
  func roof(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext
  ) -> [DrawCommand] {
    let moved = translation("fill-extrusion", layer, context)
    let path = path.moved(by: moved)
    switch fill(layer, "fill-extrusion", context, opacity: nil, moved: moved) {
    case .solid(let color)?: return [.fill(path, .spread(light.roof(color, context)))]
    case let fill?: return [.fill(path, fill)]
    case nil: return []
    }
  }

  /// The steps that draw the edge of an area, which lies above all areas of the layer.
  ///
  /// As in MapLibre it is a pixel of the picture wide, whatever the ratio.
  func outline(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext
  ) -> [DrawCommand] {
    let path = path.moved(by: translation("fill", layer, context))
    let hasEdge =
      layer.value("fill-antialias", context) != .bool(false)
      && !layer.has("fill-pattern")
    let edge = layer.color("fill-outline-color", opacity: "fill-opacity", context, or: nil)
    guard hasEdge, let edge else { return [] }
    return [.stroke(path, StrokeStyle(color: edge, width: 1))]
  }

  /// A colour or a pattern of icons, as opaque as the property of the features says, if they have
  /// one; patterns move with the areas.
  func fill(
    _ layer: StyleLayer, _ kind: String, _ context: EvaluationContext,
    opacity: String? = "opacity", moved: Coordinate = Coordinate(x: 0, y: 0)
  ) -> FillStyle? {
    let opacity = opacity.map { layer.number("\(kind)-\($0)", context, or: 1) } ?? 1
    let pattern = layer.value("\(kind)-pattern", context).text
    if !pattern.isEmpty, let icon = icons.icon(pattern) {
      // Patterns belong to the map: they start at its corner and grow until the next zoom.
      let scale = ratio / icon.pixelRatio * exp2(zoom - zoom.rounded(.down))
      let (width, height) = (
        Double(icon.image.width) * scale, Double(icon.image.height) * scale
      )
      let corner = drawing.transform(
        Coordinate(x: -20_037_508.342787, y: 20_037_508.342787))
      let zero = drawing.transform(Coordinate(x: 0, y: 0))
      return .picture(
        FillStyle.PictureTile(
          image: icon.image, width: width, height: height, angle: -mapAngle,
          offset: Coordinate(
            x: PixelTransform.whole(corner.x - zero.x) + moved.x,
            y: PixelTransform.whole(corner.y - zero.y) + moved.y),
          opacity: min(max(opacity, 0), 1)))
    }
    if !pattern.isEmpty {
      drawing.omissions.add("there is no icon \"\(pattern.prefix(100))\"", layer: title)
    }
    // As in MapLibre a layer of patterns draws nothing where it has none.
    guard !layer.has("\(kind)-pattern") else { return nil }
    return layer.color("\(kind)-color", context, or: .black).map { .solid($0.faded(opacity)) }
  }

  /// The steps that draw a line.
  func line(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext
  ) -> [DrawCommand] {
    let path = path.moved(by: translation("line", layer, context))
    return line(layer, path, context, as: nil)
  }

  /// The steps that draw a line that is at its place, in the color of the layer or another.
  func line(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext, as color: RGBAColor?
  ) -> [DrawCommand] {
    let width = length("line-width", layer, context, or: 1)
    guard width > 0 else { return [] }
    let gap = length("line-gap-width", layer, context, or: 0)
    let blur = length("line-blur", layer, context, or: 0)
    guard
      let color = color
        ?? layer.color("line-color", opacity: "line-opacity", context, or: .black)
    else { return [] }
    let isPlain = gap == 0 && blur == 0 && !layer.has("line-pattern")
    var style = strokeStyle(
      layer, width: isPlain ? Self.coveredWidth(width) : width, color, context)
    if layer.has("line-pattern") {
      style.gapWidth = gap
      let pattern = layer.value("line-pattern", context).text
      // As in MapLibre a layer of patterns draws nothing where it has none.
      guard !pattern.isEmpty else { return [] }
      let pictures = linePattern(pattern, layer, path, style, context)
      (style.dashes, style.color) = ([], .black)
      return blur > 0 ? masked(pictures, by: strokes(path, style, gap: gap, blur: blur)) : pictures
    }
    var path = path
    if let visibleGrid, style.dashes.isEmpty, gap == 0, style.offset == 0 {
      path = path.jointed(atSharpCorners: sharpCornerReach, on: visibleGrid)
    }
    return strokes(path, style, gap: gap, blur: blur)
  }

  /// The width of what a line covers whole.
  ///
  /// As in MapLibre the edges of lines fade over half a pixel to both sides, also where they are nearer
  /// to each other than that, so that thin lines can be seen.
  private static func coveredWidth(_ width: Double) -> Double {
    let reach = (width + 1) / 2
    return width < 1 ? reach * reach : width
  }

  /// The strokes of a line that fades at its edges, one on the other.
  private func strokes(
    _ path: PixelPath, _ style: StrokeStyle, gap: Double, blur: Double
  ) -> [DrawCommand] {
    let (width, color) = (style.width, style.color)
    // Beside a gap both sides of a line fade beyond it: the inner one into the gap.
    let middle = (gap + width - blur) / 2
    let layers = SoftEdge.layers(of: gap > 0 ? width + blur : width, fading: 2 * blur)
    return SoftEdge.colors(color, of: layers).compactMap { layer -> DrawCommand? in
      var soft = style
      soft.width = layer.size
      soft.color = layer.color
      if gap > 0 {
        soft.gapWidth = max(2 * middle - layer.size, 0)
        // A line that fades over all of its gap stays in one piece.
        if soft.gapWidth == 0 { soft.width = 2 * middle + layer.size }
      }
      return soft.width > 0 ? DrawCommand.stroke(path, soft) : nil
    }
  }

  /// The commands that draw `steps` along a line as far as its strokes cover it.
  private func masked(_ steps: [DrawCommand], by strokes: [DrawCommand]) -> [DrawCommand] {
    let picture = Envelope(
      xMin: 0, yMin: 0, xMax: Double(drawing.width), yMax: Double(drawing.height))
    var ground = Envelope.empty
    for case .stroke(let path, _) in strokes { ground = ground.union(path.bounds) }
    let reach = strokes.reduce(0) { max($0, $1.strokeReach) }
    guard let seen = ground.expanded(by: reach).intersection(picture) else { return [] }
    let start: [DrawCommand] = [.beginGroup] + steps + [.beginGroup]
    let end: [DrawCommand] = [
      .endGroup(opacity: 1, mode: .destinationIn), .endGroup(opacity: 1),
    ]
    return [.clipped(start + strokes + end, to: .rectangle(seen))]
  }

  /// The stroke of a line, except for its gap and its fading.
  private func strokeStyle(
    _ layer: StyleLayer, width: Double, _ color: RGBAColor, _ context: EvaluationContext
  ) -> StrokeStyle {
    var style = StrokeStyle(color: color, width: width)
    style.dashes = layer.numbers("line-dasharray", context).prefix(32).map {
      $0 * dashUnit(layer, context)
    }
    // As in MapLibre the last of an odd number of dashes joins the first; a single one has no gap.
    if style.dashes.count % 2 == 1 {
      style.dashes = style.dashes.count == 1 ? [] : style.dashes + [0]
    }
    style.countsClosingEdge = true
    style.shearReach = sharpCornerReach
    style.distanceStep = distanceStep
    style.tileGrid = visibleGrid
    style.cap = StrokeStyle.Cap(style: layer.text("line-cap", context, or: "butt"))
    style.join = StrokeStyle.Join(style: layer.text("line-join", context, or: "miter"))
    style.miterLimit = min(max(layer.number("line-miter-limit", context, or: 2), 1), 10)
    style.roundLimit = min(max(layer.number("line-round-limit", context, or: 1.05), 0), 100)
    style.offset = -min(max(layer.number("line-offset", context, or: 0), -5000), 5000) * ratio
    if style.cap == .round { style.dashRounding = dashUnit(layer, context) / 2 }
    return style
  }

  /// The distance from sharp corners at which patterns along lines are sheared, as in MapLibre.
  var sharpCornerReach: Double { 15 * ratio * exp2(zoom - zoom.rounded(.down)) }

  /// The unit of dashes: the width at the last whole zoom, growing with the map since.
  private func dashUnit(_ layer: StyleLayer, _ context: EvaluationContext) -> Double {
    var context = context
    context.zoom = zoom.rounded(.down)
    let name = layer.has(StyleLayer.wholeZoomWidth) ? StyleLayer.wholeZoomWidth : "line-width"
    return length(name, layer, context, or: 1) * exp2(zoom - context.zoom)
  }

  private func length(
    _ name: String, _ layer: StyleLayer, _ context: EvaluationContext, or fallback: Double
  ) -> Double {
    min(max(layer.number(name, context, or: fallback) * ratio, 0), DrawCommand.maximumLength)
  }

  /// The steps that draw circles around points.
  func circles(
    _ layer: StyleLayer, _ points: [Coordinate], _ context: EvaluationContext
  ) -> [DrawCommand] {
    // The edge fades over the outermost pixel inside of the radius, so half of that is missing.
    let radius = min(layer.number("circle-radius", context, or: 5) * ratio, 1000) - 0.5
    let width = length("circle-stroke-width", layer, context, or: 0)
    let color = layer.color("circle-color", opacity: "circle-opacity", context, or: .black)
    let edge = layer.color(
      "circle-stroke-color", opacity: "circle-stroke-opacity", context, or: .black)
    guard (radius > 0 && color != nil) || (width > 0 && edge != nil) else { return [] }
    var graphics: [MarkerGraphic] = []
    let blur = min(max(layer.number("circle-blur", context, or: 0), 0), 100)
    if radius <= 0 {
      // Nothing is left of the inside: the edge is a disc.
      let disc = PixelPath.circle(radius: max(radius + width, 0))
      graphics = edge.map { [.shape(disc, [.fill(.solid($0))])] } ?? []
    } else if blur * (radius + 0.5 + width) > 1, width > 0, let edge {
      let soft = SoftCircle(
        radius: radius + 0.5, strokeWidth: width, blur: blur, color: color ?? edge.faded(0),
        strokeColor: edge)
      graphics = [soft.graphic]
    } else {
      // Under an inside that hides it the edge is a disc, so that nothing shines through between both.
      let isUnder = width > 0 && color?.alpha == 255
      if isUnder, let edge {
        graphics.append(.shape(.circle(radius: radius + width), [.fill(.solid(edge))]))
      }
      let rings = SoftEdge.rings(of: radius + 0.5, blur: width > 0 ? 0 : blur)
      for ring in color.map({ SoftEdge.colors($0, of: rings) }) ?? [] {
        graphics.append(.shape(.circle(radius: ring.size), [.fill(.solid(ring.color))]))
      }
      if width > 0, !isUnder, let edge {
        // The edge lies outside of the radius.
        graphics.append(
          .shape(
            .circle(radius: radius + width / 2),
            [.stroke(StrokeStyle(color: edge, width: width))]))
      }
    }
    let marker = MarkerStyle(graphics: graphics, reach: max(radius, 0) + width)
    let offset = translation("circle", layer, context)
    return points.map { point in
      .marker(marker, at: Coordinate(x: point.x + offset.x, y: point.y + offset.y), angle: 0)
    }
  }
}

extension PixelPath {
  /// The path at another place.
  func moved(by offset: Coordinate) -> PixelPath {
    guard offset != Coordinate(x: 0, y: 0) else { return self }
    return mappedRuns { $0.map { Coordinate(x: $0.x + offset.x, y: $0.y + offset.y) } }
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

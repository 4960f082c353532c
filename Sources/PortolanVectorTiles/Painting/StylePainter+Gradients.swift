internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

extension StylePainter {
  /// Whether the lines of a feature run from color to color; why they do not is reported.
  func hasGradient(
    _ layer: StyleLayer, _ feature: VectorTileFeature, _ context: EvaluationContext
  ) -> Bool {
    guard layer.kind == .line, layer.has(StyleLayer.lineGradient),
      layer.value("line-pattern", context).text.isEmpty,
      layer.numbers("line-dasharray", context).isEmpty
    else { return false }
    guard feature.spans.count == feature.paths.count else {
      drawing.omissions.add(
        "\"line-gradient\" of its style is left out where a source has no \"lineMetrics\"",
        layer: title)
      return false
    }
    return true
  }

  /// The steps that draw the lines of a feature in the colors that they run through.
  func gradient(
    _ layer: StyleLayer, _ feature: VectorTileFeature, _ context: EvaluationContext,
    pixels: (Int) -> PixelPath?
  ) -> [DrawCommand] {
    let colors = colors(along: layer, context)
    return feature.spans.enumerated().flatMap { number, span -> [DrawCommand] in
      guard let path = pixels(number)?.moved(by: translation("line", layer, context)) else {
        return []
      }
      let strokes = line(layer, path, context, as: .black)
      let reach = strokes.reduce(0) { max($0, $1.strokeReach) }
      let opacity = min(max(layer.number("line-opacity", context, or: 1), 0), 1)
      return LineShading.bands(width: drawing.width, height: drawing.height).compactMap { band in
        let shading = LineShading(path, span: span, reach: reach, within: band)
        guard let shading, let image = shading.image(colors) else { return nil }
        let steps: [DrawCommand] =
          [.beginGroup, .image(image, shading.placement), .beginGroup] + strokes
          + [.endGroup(opacity: 1, mode: .destinationIn), .endGroup(opacity: opacity)]
        return .clipped(steps, to: .rectangle(shading.box))
      }
    }
  }

  /// The colors from the start of a line to its end.
  private func colors(along layer: StyleLayer, _ context: EvaluationContext) -> [UInt32] {
    (0...255).map { step in
      var context = context
      context.lineProgress = Double(step) / 255
      return layer.color(StyleLayer.lineGradient, context, or: nil)?.pixel ?? 0
    }
  }
}

/// The distance along a line of the pixels around it: that of the nearest point of the line.
private struct LineShading {
  /// Longer edges are taken in pieces, for a slanted one lies in a large box.
  private static let longest = 32.0
  private static let maximumPieces = 200_000.0
  /// The pixels that are worked out at a time, so that memory is bounded.
  private static let maximumPixels = 1 << 22

  /// The parts of a picture, some rows each, that are worked out one after the other.
  static func bands(width: Int, height: Int) -> [Envelope] {
    let rows = max(maximumPixels / max(width, 1), 1)
    return stride(from: 0, to: height, by: rows).map { top in
      Envelope(
        xMin: 0, yMin: Double(top), xMax: Double(width), yMax: Double(min(top + rows, height)))
    }
  }

  /// The box of the line's visible part.
  let box: Envelope
  private let width: Int
  private let height: Int
  /// Squares of the distances to the line.
  private var distances: [Float]
  /// Shares of the length of the line.
  private var shares: [Float]

  init?(_ path: PixelPath, span: ClosedRange<Double>, reach: Double, within picture: Envelope) {
    guard let seen = path.bounds.expanded(by: reach).intersection(picture) else { return nil }
    box = Envelope(
      xMin: seen.xMin.rounded(.down), yMin: seen.yMin.rounded(.down),
      xMax: seen.xMax.rounded(.up), yMax: seen.yMax.rounded(.up))
    (width, height) = (Int(box.width), Int(box.height))
    guard width > 0, height > 0 else { return nil }
    distances = Array(repeating: Float(reach * reach), count: width * height)
    shares = Array(repeating: -1, count: width * height)
    let whole = path.runs.reduce(0) { $0 + PixelPath.length($1) }
    guard whole > 0, whole.isFinite else { return nil }
    let length = span.upperBound - span.lowerBound
    var passed = 0.0
    for run in path.runs {
      for (start, end) in zip(run, run.dropFirst()) {
        let edge = PixelPath.distance(start, end)
        guard edge > 0 else { continue }
        let low = span.lowerBound + passed / whole * length
        passed += edge
        let high = span.lowerBound + passed / whole * length
        add(start, end, edge, low, high, reach)
      }
    }
  }

  /// Takes in an edge in short pieces; those that are not seen are left out.
  private mutating func add(
    _ start: Coordinate, _ end: Coordinate, _ length: Double, _ low: Double, _ high: Double,
    _ reach: Double
  ) {
    let seen = box.expanded(by: reach)
    guard let (first, last) = LineClipper.shares(start, end, in: seen) else { return }
    let count = min((length * (last - first) / Self.longest).rounded(.up), Self.maximumPieces)
    func place(_ share: Double) -> Coordinate {
      Coordinate(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
    }
    for number in 0..<Int(max(count, 1)) {
      let from = first + (last - first) * Double(number) / max(count, 1)
      let to = first + (last - first) * Double(number + 1) / max(count, 1)
      shade(place(from), place(to), low + (high - low) * from, low + (high - low) * to, reach)
    }
  }

  private mutating func shade(
    _ start: Coordinate, _ end: Coordinate, _ low: Double, _ high: Double, _ reach: Double
  ) {
    let near = Envelope(
      xMin: min(start.x, end.x), yMin: min(start.y, end.y), xMax: max(start.x, end.x),
      yMax: max(start.y, end.y)
    ).expanded(by: reach)
    guard let near = near.intersection(box) else { return }
    let (x, y) = (end.x - start.x, end.y - start.y)
    let square = max(x * x + y * y, 1e-12)
    let columns = Int(near.xMin - box.xMin)..<min(Int((near.xMax - box.xMin).rounded(.up)), width)
    let rows = Int(near.yMin - box.yMin)..<min(Int((near.yMax - box.yMin).rounded(.up)), height)
    for row in rows {
      let down = box.yMin + Double(row) + 0.5 - start.y
      for column in columns {
        let across = box.xMin + Double(column) + 0.5 - start.x
        let share = min(max((across * x + down * y) / square, 0), 1)
        let (dx, dy) = (across - x * share, down - y * share)
        let distance = Float(dx * dx + dy * dy)
        let place = row * width + column
        if distance < distances[place] {
          distances[place] = distance
          shares[place] = Float(low + (high - low) * share)
        }
      }
    }
  }

  /// The pixels in the colors of their places along the line.
  func image(_ colors: [UInt32]) -> PixelImage? {
    let last = Float(colors.count - 1)
    return PixelImage(
      width: width, height: height,
      pixels: shares.map { $0 < 0 ? 0 : colors[Int(($0 * last).rounded())] })
  }

  var placement: ImagePlacement {
    var transform = PixelTransform.identity
    (transform.x0, transform.y0) = (box.xMin, box.yMin)
    return ImagePlacement(transform: transform, area: .rectangle(box), isSmooth: false)
  }
}

extension DrawCommand {
  /// The maximum distance of a stroke from its path.
  var strokeReach: Double {
    guard case .stroke(_, let style) = self else { return 0 }
    let half = style.width / 2 + (style.gapWidth > 0 ? (style.gapWidth + style.width) / 2 : 0)
    // Corners of square caps, and mitred ones, also of lines that are moved aside.
    let factor = style.join == .miter ? max(style.miterLimit, 1.5) : 1.5
    return (half + abs(style.offset)) * factor + 2
  }
}

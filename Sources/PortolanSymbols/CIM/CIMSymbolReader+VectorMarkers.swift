internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension CIMSymbolReader {
  /// Shapes in a frame, which is as high as the marker is large.
  func vector(
    _ layer: JSONObject, _ size: Double, _ problems: inout [String]
  ) -> ([MarkerGraphic], Envelope)? {
    let frame = layer["frame"].flatMap(Self.frame) ?? Envelope(xMin: -5, yMin: -5, xMax: 5, yMax: 5)
    guard frame.height > 0 else { return nil }
    let scale = size / frame.height
    let half = (x: frame.width * scale / 2, y: size / 2)
    let box = Envelope(xMin: -half.x, yMin: -half.y, xMax: half.x, yMax: half.y)
    let scalesStrokes =
      layer.flag("scaleSymbolsProportionally") ?? layer.flag("scaleStrokesAndFills") ?? false
    let inner = CIMSymbolReader(
      pixelsPerPoint: scalesStrokes ? scale : pixelsPerPoint, depth: depth + 1)
    var graphics: [MarkerGraphic] = []
    for graphic in layer.objects("markerGraphics").prefix(500) {
      guard let geometry = graphic["geometry"], let symbol = graphic.object("symbol") else {
        continue
      }
      // A shape that cannot be read is reported; the others are drawn.
      guard let shape = try? Geometry(esriJSON: geometry) else {
        problems.append("a shape of a marker cannot be read")
        continue
      }
      let placed = MarkerShape(shape, frame: frame, scale: scale)
      graphics += inner.graphics(placed, symbol, text: graphic.text("textString"), &problems)
    }
    return (graphics, box)
  }

  private static func frame(_ json: JSONValue) -> Envelope? {
    // Without a frame the default one is taken.
    try? Envelope(esriJSON: json)
  }

  private func graphics(
    _ shape: MarkerShape, _ symbol: JSONObject, text: String?, _ problems: inout [String]
  ) -> [MarkerGraphic] {
    if symbol.text("type") == "CIMTextSymbol" {
      return [label(shape, symbol, text ?? "")].compactMap(\.self)
    }
    let style = style(for: ["symbol": .object(symbol)])
    problems += style.problems
    return style.layers.flatMap { layer -> [MarkerGraphic] in
      switch layer.base {
      case .changed: []
      case .fill(let fill): shape.path.isClosed ? [.shape(shape.path, [.fill(fill)])] : []
      case .stroke(let stroke): shape.path.isEmpty ? [] : [.shape(shape.path, [.stroke(stroke)])]
      case .marker(let marker):
        marker.graphics.map { $0.moved(x: shape.center.x, y: shape.center.y) }
      }
    }
  }

  private func label(_ shape: MarkerShape, _ symbol: JSONObject, _ text: String) -> MarkerGraphic? {
    guard !text.isEmpty else { return nil }
    let layers = symbol.object("symbol")?.objects("symbolLayers") ?? []
    let color = layers.lazy.compactMap { CIMColor.color($0["color"]) }.first
    var style = TextStyle(
      family: symbol.text("fontFamilyName") ?? "sans-serif",
      size: min(max(reader.pixels(symbol.number("height") ?? 10), 1), 1000),
      color: color ?? RGBAColor(red: 0, green: 0, blue: 0))
    style.isBold = symbol.text("fontStyleName")?.contains("Bold") ?? false
    style.isItalic = symbol.text("fontStyleName")?.contains("Italic") ?? false
    let x = ["Left": 0.0, "Right": 1.0][symbol.text("horizontalAlignment") ?? ""] ?? 0.5
    let y = ["Top": 0.0, "Bottom": 1.0, "Baseline": 0.8][symbol.text("verticalAlignment") ?? ""]
    return .text(
      TextRun(
        text: ShapeableText(text).text, style: style, position: shape.center,
        anchor: Coordinate(x: x, y: y ?? 0.5)))
  }
}

/// A shape of a marker, in pixels from the middle of its frame, y downwards.
private struct MarkerShape {
  let path: PixelPath
  let center: Coordinate

  init(_ geometry: Geometry, frame: Envelope, scale: Double) {
    func placed(_ place: Coordinate) -> Coordinate {
      Coordinate(
        x: (place.x - frame.center.x) * scale, y: (frame.center.y - place.y) * scale)
    }
    let isClosed = geometry.type == .polygon || geometry.type == .envelope
    let paths: [Path]
    if case .envelope(let box) = geometry {
      paths = box.polygon.rings
    } else {
      paths = geometry.paths
    }
    let runs = paths.map { $0.coordinates.filter { $0.x.isFinite && $0.y.isFinite }.map(placed) }
    let isPoint = geometry.type == .point
    let outline = PixelPath(runs, isClosed: isClosed)
    path = isPoint ? PixelPath(isClosed: false) : outline
    center = outline.isEmpty ? Coordinate(x: 0, y: 0) : outline.bounds.center
  }
}

extension MarkerGraphic {
  /// The part at another place.
  func moved(x: Double, y: Double) -> MarkerGraphic {
    guard x != 0 || y != 0 else { return self }
    switch self {
    case .shape(let path, let paints):
      return .shape(path.mapped { Coordinate(x: $0.x + x, y: $0.y + y) }, paints)
    case .image(let image, let box):
      return .image(
        image,
        Envelope(xMin: box.xMin + x, yMin: box.yMin + y, xMax: box.xMax + x, yMax: box.yMax + y))
    case .text(var run):
      run.position = Coordinate(x: run.position.x + x, y: run.position.y + y)
      return .text(run)
    }
  }
}

extension PixelPath {
  /// The path with each vertex put elsewhere.
  func mapped(_ transform: (Coordinate) -> Coordinate) -> PixelPath {
    mappedRuns { $0.map(transform) }
  }
}

internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap

extension CIMSymbolReader {
  /// A marker of any kind.
  func marker(_ layer: JSONObject, _ problems: inout [String]) -> MarkerStyle? {
    let size = reader.pixels(layer.number("size") ?? 6)
    problems += reader.lengthProblems(layer.number("size") ?? 0)
    guard size > 0 else { return nil }
    let parts: (graphics: [MarkerGraphic], box: Envelope)?
    switch layer.text("type") {
    case "CIMVectorMarker": parts = vector(layer, size, &problems)
    case "CIMPictureMarker": parts = picture(layer, size, &problems)
    case "CIMCharacterMarker": parts = character(layer, size, &problems)
    default: parts = simple(layer, size)
    }
    guard let (graphics, box) = parts, !graphics.isEmpty else { return nil }
    let anchor = anchor(layer, box)
    let clockwise = layer.flag("rotateClockwise") ?? false
    let angle = layer.number("rotation") ?? 0
    let offset = Coordinate(
      x: reader.pixels(layer.number("offsetX") ?? 0),
      y: -reader.pixels(layer.number("offsetY") ?? 0))
    var marker = MarkerStyle(
      graphics: graphics.map { $0.moved(x: -anchor.x, y: -anchor.y) },
      angle: clockwise ? angle : -angle, offset: offset,
      reach: (box.width + box.height) + abs(offset.x) + abs(offset.y))
    place(&marker, layer.object("markerPlacement"), &problems)
    return marker
  }

  /// The anchor point in the box, from its middle; y downwards.
  private func anchor(_ layer: JSONObject, _ box: Envelope) -> Coordinate {
    guard let point = layer.object("anchorPoint") else { return Coordinate(x: 0, y: 0) }
    let (x, y) = (point.number("x") ?? 0, point.number("y") ?? 0)
    return layer.text("anchorPointUnits") == "Relative"
      ? Coordinate(x: x * box.width, y: -y * box.height)
      : Coordinate(x: reader.pixels(x), y: -reader.pixels(y))
  }

  private func simple(_ layer: JSONObject, _ size: Double) -> ([MarkerGraphic], Envelope) {
    let name = layer.text("simpleMarkerType") ?? "Circle"
    let style = SimpleMarkerSymbol.Style(rawValue: "esriSMS" + name) ?? .circle
    let width = reader.pixels(layer.number("outlineWidth") ?? 0)
    let outline = CIMColor.color(layer["outlineColor"])
    let fill = CIMColor.color(layer["fillColor"])
    var paints: [PathPaint] = []
    if let fill, !style.isOpen { paints.append(.fill(.solid(fill))) }
    if let color = outline ?? (style.isOpen ? fill : nil), width > 0 || style.isOpen {
      paints.append(.stroke(StrokeStyle(color: color, width: max(width, style.isOpen ? 1 : 0))))
    }
    let half = size / 2
    return (
      [.shape(style.path(size: size), paints)],
      Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half)
    )
  }

  private func picture(
    _ layer: JSONObject, _ size: Double, _ problems: inout [String]
  ) -> ([MarkerGraphic], Envelope)? {
    guard let image = image(layer, &problems) else { return nil }
    let width = size * Double(image.width) / Double(image.height) * (layer.number("scaleX") ?? 1)
    let box = Envelope(xMin: -width / 2, yMin: -size / 2, xMax: width / 2, yMax: size / 2)
    return ([.image(image, box)], box)
  }

  /// A letter of a font that mostly only ArcGIS has: a dot of its colour stands for it.
  private func character(
    _ layer: JSONObject, _ size: Double, _ problems: inout [String]
  ) -> ([MarkerGraphic], Envelope) {
    let font = layer.text("fontFamilyName") ?? ""
    problems.append("a letter of the font \"\(font)\" is drawn as a dot")
    let layers = layer.object("symbol")?.objects("symbolLayers") ?? []
    let color = layers.lazy.compactMap {
      CIMColor.color($0["color"] ?? $0.object("pattern")?["color"])
    }
    .first
    let fill = FillStyle.solid(color ?? RGBAColor(red: 0, green: 0, blue: 0))
    let half = size / 2
    return (
      [.shape(.circle(radius: size * 0.35), [.fill(fill)])],
      Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half)
    )
  }
}

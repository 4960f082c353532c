internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

extension DrawingSession {
  /// Draws what helps to read the map, above all labels.
  func draw(_ decorations: Set<MapDecoration>) async {
    if decorations.contains(.graticule) { await draw(Graticule(self).commands) }
    if decorations.contains(.scaleBar) {
      await draw(ScaleBar(frame, pixelRatio: pixelRatio).commands)
    }
    if decorations.contains(.attribution) { await draw(attributionCommands) }
  }

  /// The attributions, each once, as one text.
  var creditText: String {
    let names = attributions.prefix(100).map { text in
      String(PlainText.ofHTML(String(text.prefix(2000))).prefix(300))
    }
    return CreditNames.text(of: names)
  }

  private var attributionCommands: [DrawCommand] {
    let credits = creditText
    guard !credits.isEmpty else { return [] }
    var style = TextStyle(
      size: 9 * pixelRatio, color: RGBAColor(red: 60, green: 60, blue: 60))
    style.backgroundColor = RGBAColor(red: 255, green: 255, blue: 255, alpha: 170)
    style.maximumWidth = Double(width) * 0.6
    return [
      .text(
        TextRun(
          text: credits, style: style,
          position: Coordinate(
            x: Double(width) - 4 * pixelRatio, y: Double(height) - 3 * pixelRatio),
          anchor: Coordinate(x: 1, y: 1)))
    ]
  }
}

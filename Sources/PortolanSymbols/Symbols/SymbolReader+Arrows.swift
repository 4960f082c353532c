internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension SymbolReader {
  /// The arrows at the ends of a line, larger than the line by as much as the ArcGIS SDKs do.
  func addArrows(_ marker: JSONObject?, _ stroke: StrokeStyle, to style: inout SymbolStyle) {
    guard let marker else { return }
    guard marker.text("style") ?? "arrow" == "arrow" else {
      style.problems.append("the ends of a line are not drawn as \"\(marker.text("style") ?? "")\"")
      return
    }
    let placement = marker.text("placement") ?? "begin-end"
    let color = RGBAColor(json: marker["color"]) ?? stroke.color
    let size = min(max(stroke.width * 5, pixels(6)), Self.maximumLength)
    for (isAsked, isFirst) in [(placement != "end", true), (placement != "begin", false)]
    where isAsked {
      let direction = isFirst ? 1.0 : -1
      let arrow = PixelPath(
        [
          [
            Coordinate(x: -direction * size / 4, y: 0),
            Coordinate(x: direction * size * 3 / 4, y: -size / 2.5),
            Coordinate(x: direction * size * 3 / 4, y: size / 2.5),
          ]
        ], isClosed: true)
      var end = MarkerStyle(graphics: [.shape(arrow, [.fill(.solid(color))])], reach: size)
      end.placement = .ends(first: isFirst, last: !isFirst)
      style.layers.append(.marker(end))
    }
  }
}

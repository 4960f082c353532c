internal import PortolanGeometry
internal import PortolanMap

extension Renderer {
  /// The renderer of features where neither the map nor the service has one.
  static func standard(for type: GeometryType?) -> Renderer {
    let line = RGBAColor(red: 90, green: 90, blue: 90)
    let fill = RGBAColor(red: 170, green: 170, blue: 170, alpha: 120)
    let outline = SimpleLineSymbol(color: line, width: 1)
    switch type {
    case .point, .multipoint:
      return .simple(
        SimpleRenderer(
          symbol: .simpleMarker(
            SimpleMarkerSymbol(.circle, color: fill, size: 6, outline: outline))))
    case .polyline: return .simple(SimpleRenderer(symbol: .simpleLine(outline)))
    default:
      return .simple(
        SimpleRenderer(symbol: .simpleFill(SimpleFillSymbol(color: fill, outline: outline))))
    }
  }
}

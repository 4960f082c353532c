internal import PortolanDrawing
internal import PortolanVectorTiles

extension VectorTileLayerDrawing {
  /// The symbols of a style of which shapes cover some, by the numbers of their layers; `nil` for one
  /// that has all symbols on top, where they find their places among those of other layers of the map.
  func coveredSymbols(
    _ style: VectorStyle, _ worlds: [World], _ painter: StylePainter
  ) async -> [Int: [DrawCommand]]? {
    let layers = style.layers.enumerated().filter { $0.element.zooms.contains(painter.zoom) }
    let first = layers.first { $0.element.kind == .symbol }?.offset
    let last = layers.last { $0.element.kind != .symbol }?.offset
    guard let first, let last, first < last else { return nil }
    let (symbols, unknown) = await session.context.placingApart {
      for (index, layer) in layers where layer.kind == .symbol {
        await drawFeatures(layer, number: index, worlds, painter)
      }
    }
    session.reportUnknownGlyphs(unknown)
    return symbols
  }
}

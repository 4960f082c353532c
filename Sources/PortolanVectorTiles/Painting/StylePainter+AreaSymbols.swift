internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry

extension StylePainter {
  /// Areas with more vertices have their symbol somewhere inside, and not where it is best.
  private static let maximumPoleVertices = 20_000

  /// Takes down the symbols of the areas that a feature has in a tile.
  ///
  /// As in MapLibre each piece of an area that a tile has is one of its own, and has its symbol if that
  /// is in the tile.
  func addAreas(_ symbol: StyleSymbol, _ feature: PlacedFeature, _ number: Int, _ tile: TileFrame) {
    let extent = tile.placed.extent
    let unit = 1 / FeatureGeometry.unitsPerTile
    let places = feature.areas.compactMap { Self.anchor($0) }.map { place in
      Coordinate(
        x: extent.xMin + place.x * unit * extent.width,
        y: extent.yMax - place.y * unit * extent.height)
    }
    let points = Geometry.multipoint(Multipoint(points: Path(places)))
    guard case .points(let anchors)? = tile.pixels(of: tile.placed.clipped(points)) else { return }
    addSymbol(symbol, number, at: anchors, in: tile)
  }

  /// The anchor of the symbol of an area in coordinates of its tile, as near as a pixel where that is not
  /// enlarged.
  ///
  /// As in MapLibre it is the same at all zooms of the tile, however the map is turned.
  static func anchor(_ area: PixelPath) -> Coordinate? {
    area.points.count > maximumPoleVertices
      ? area.interiorPoint : area.pole(precision: FeatureGeometry.unitsPerTile / 512)
  }
}

internal import PortolanGeometry

extension TileScheme {
  /// The scheme of ArcGIS Online and OpenStreetMap: tiles of 256 pixels over the Web Mercator,
  /// levels 0 to 23.
  ///
  /// Resolutions and scales are the ones that ArcGIS writes; they differ from 2πa / 256 in the
  /// tenth digit, so that tiles of level 23 lie up to a centimetre beside the exact ones.
  public static let webMercator = webMercator(tileSide: 256, levels: 0...23)

  /// The same pyramid, in which tile 0/0/0 is the world, with tiles of any size.
  ///
  /// - Parameters:
  ///   - tileSide: The pixels along a side of a tile: 256, or 512 for vector tiles and dense
  ///     pictures, whose resolutions are half as large at the same level.
  ///   - levels: The levels.
  /// - Returns: The scheme.
  public static func webMercator(tileSide: Int, levels: ClosedRange<Int>) -> TileScheme {
    TileScheme(
      origin: Coordinate(x: -20_037_508.342787, y: 20_037_508.342787), tileWidth: tileSide,
      tileHeight: tileSide, spatialReference: .webMercator,
      levels: levels.map { level in
        let divisor = Double(1 << level) * Double(tileSide) / 256
        return Level(
          level: level, resolution: 156_543.03392800014 / divisor,
          scale: 591_657_527.591555 / divisor)
      })
  }
}

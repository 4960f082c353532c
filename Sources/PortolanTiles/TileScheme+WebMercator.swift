internal import PortolanGeometry

extension TileScheme {
  /// The scheme of ArcGIS Online and OpenStreetMap: tiles of 256 pixels over the Web Mercator,
  /// levels 0 to 23.
  ///
  /// Resolutions and scales are the ones that ArcGIS writes; they differ from 2πa / 256 in the
  /// tenth digit, so that tiles of level 23 lie up to a centimetre beside the exact ones.
  public static let webMercator = TileScheme(
    origin: Coordinate(x: -20_037_508.342787, y: 20_037_508.342787),
    spatialReference: .webMercator,
    levels: (0...23).map { level in
      let divisor = Double(1 << level)
      return Level(
        level: level, resolution: 156_543.03392800014 / divisor,
        scale: 591_657_527.591555 / divisor)
    })
}

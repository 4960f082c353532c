// Boxes across the antimeridian, where longitudes jump from 180 to -180. Such a box continues to the
// east: its `xMax` lies beyond the edge of the world.
extension Envelope {
  /// Creates a box from edges in any order.
  ///
  /// A western edge east of the eastern one means a box across the antimeridian, unless the northern
  /// and southern edges are swapped too.
  ///
  /// - Parameters:
  ///   - west: The western edge.
  ///   - south: The southern edge.
  ///   - east: The eastern edge.
  ///   - north: The northern edge.
  ///   - worldWidth: How long the equator is in the units of the edges; `nil` where x-coordinates
  ///     are not longitudes, so that edges can only be swapped.
  public init(west: Double, south: Double, east: Double, north: Double, worldWidth: Double?) {
    let crosses = west > east && south <= north
    let farEast = crosses ? worldWidth.map { east + $0 } : nil
    self.init(
      xMin: farEast == nil ? min(west, east) : west, yMin: min(south, north),
      xMax: farEast ?? max(west, east), yMax: max(south, north))
  }

  /// The parts of the box that lie within the world: two if it crosses the antimeridian.
  ///
  /// The length of the equator is ``SpatialReference/worldWidth``.
  public func partsWithinWorld(worldWidth: Double?) -> [Envelope] {
    guard let worldWidth, !isEmpty, xMax > worldWidth / 2, xMin <= worldWidth / 2 else {
      return [self]
    }
    let edge = worldWidth / 2
    guard width < worldWidth else {
      return [Envelope(xMin: -edge, yMin: yMin, xMax: edge, yMax: yMax)]
    }
    return [
      Envelope(xMin: xMin, yMin: yMin, xMax: edge, yMax: yMax),
      Envelope(xMin: -edge, yMin: yMin, xMax: xMax - worldWidth, yMax: yMax),
    ]
  }

  /// Whether two boxes share a place, also where only one of them continues beyond the antimeridian.
  ///
  /// The length of the equator is ``SpatialReference/worldWidth``.
  public func intersects(_ other: Envelope, worldWidth: Double) -> Bool {
    [-worldWidth, 0, worldWidth].contains { shift in
      intersects(
        Envelope(
          xMin: other.xMin + shift, yMin: other.yMin, xMax: other.xMax + shift, yMax: other.yMax))
    }
  }

  /// The smallest box within the world that holds all of this one.
  public func widenedToWorld(worldWidth: Double?) -> Envelope {
    partsWithinWorld(worldWidth: worldWidth).reduce(.empty) { $0.union($1) }
  }
}

extension SpatialReference {
  /// The length of the equator, where x-coordinates are longitudes or grow with them; else `nil`.
  public var worldWidth: Double? {
    if isWebMercator { return 2 * .pi * WebMercator.radius }
    return isInDegrees ? 360 : nil
  }

  private var isInDegrees: Bool {
    // Esri and EPSG number the geographic references from 4001 to 4999.
    if let id = currentWKID { return (4001...4999).contains(id) }
    return wkt?.hasPrefix("GEOGCS") ?? false
  }
}

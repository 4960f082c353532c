public import PortolanGeometry
internal import PortolanMap

extension MobileMap {
  /// The window in which the map opens.
  ///
  /// It shows the map's own viewpoint, else the extent of its package, else the world.
  ///
  /// - Parameters:
  ///   - width: The width of the window, in points of 1/96 inch.
  ///   - height: The height of the window, in points of 1/96 inch.
  /// - Returns: The window, in the map's spatial reference.
  public func initialFrame(width: Double, height: Double) -> MapFrame {
    let reference = webMap.spatialReference ?? .webMercator
    // A reference that PROJ does not know is taken to be in metres.
    let properties = (try? reference.properties()) ?? .webMercator
    let world = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 147_914_381, width: width, height: height,
      spatialReference: reference, properties: properties)
    let candidates = [
      webMap.initialViewpoint, item.extent.map { Viewpoint.extent($0, spatialReference: .wgs84) },
    ]
    for case let viewpoint? in candidates {
      // A viewpoint in a reference that cannot be used is as good as none.
      if let frame = try? world.showing(viewpoint) { return frame }
    }
    return world
  }
}

internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// Where a map opens.
struct InitialFrame {
  private let map: MobileMap

  init(of map: MobileMap) { self.map = map }

  /// The window at the map's own viewpoint, else around the ground its package covers, else around
  /// the world.
  func frame(width: Double, height: Double) -> MapFrame {
    let reference = map.webMap.spatialReference ?? .webMercator
    // A reference that PROJ does not know is taken to be in metres.
    let properties = (try? reference.properties()) ?? .webMercator
    let world = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 147_914_381, width: width, height: height,
      spatialReference: reference, properties: properties)
    let candidates = [
      map.webMap.initialViewpoint,
      map.item.extent.map { Viewpoint.extent($0, spatialReference: .wgs84) },
    ]
    for case let viewpoint? in candidates {
      // A viewpoint in a reference that cannot be used is as good as none.
      if let frame = try? world.showing(viewpoint) { return frame }
    }
    return world
  }
}

public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

// What is known of the map as a whole.
extension MapModel {
  /// The credits, as the map's item has them.
  public var credits: String? { map.item.accessInformation }

  /// The extent to show first, in degrees: what was taken offline, else what the map shows first.
  ///
  /// `nil` for a map in a reference that cannot be projected.
  public var homeExtent: Envelope? {
    if let extent = map.item.extent, extent.width > 0, extent.height > 0 { return extent }
    let frame = map.initialFrame(width: state.frame.width, height: state.frame.height)
    // Without one, the map is shown where the person goes.
    return try? Projection(from: frame.spatialReference, to: .wgs84).project(frame.visibleExtent)
  }
}

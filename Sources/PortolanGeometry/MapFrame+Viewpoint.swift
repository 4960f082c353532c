internal import Foundation

extension MapFrame {
  /// The window moved to a viewpoint.
  ///
  /// An extent is shown whole; a viewpoint without scale keeps the present one.
  ///
  /// - Throws: ``GeometryError`` if the viewpoint cannot be projected to the map's reference.
  public func showing(_ viewpoint: Viewpoint) throws(GeometryError) -> MapFrame {
    let source = viewpoint.spatialReference ?? spatialReference
    let projection = try Projection(from: source, to: spatialReference)
    var frame = self
    frame.rotation = viewpoint.rotation
    switch viewpoint.target {
    case .center(let center): frame.center = try projection.project(center)
    case .extent(let extent): frame = frame.showing(try projection.project(extent))
    }
    if let scale = viewpoint.scale, scale > 0 { frame.scale = scale }
    return frame
  }

  /// The middle as longitude and latitude on WGS 84, in degrees; `nil` where there is none.
  public var centerInDegrees: Coordinate? {
    // A place outside of what the reference covers has no longitude and latitude.
    try? Projection(from: spatialReference, to: .wgs84).project(center)
  }

  /// The visible extent, as longitudes and latitudes on WGS 84, in degrees; `nil` where there is
  /// none.
  public var visibleExtentInDegrees: Envelope? {
    // A place outside of what the reference covers has no longitude and latitude.
    try? Projection(from: spatialReference, to: .wgs84).project(visibleExtent)
  }
}

internal import Foundation

/// The window onto a map: its center, scale, rotation and size.
///
/// Sizes and positions on the screen are in points, of which 96 make an inch, as in the services.
/// Screen positions count from the top left corner, y downwards.
public struct MapFrame: Hashable, Sendable, Codable {
  /// The center of the window, in the map's spatial reference.
  public var center: Coordinate
  /// The denominator of the scale.
  public var scale: Double
  /// The direction that is up, in degrees clockwise from north.
  public var rotation: Double
  /// The width of the window, in points.
  public var width: Double
  /// The height of the window, in points.
  public var height: Double
  /// The map's spatial reference.
  public let spatialReference: SpatialReference
  /// The unit of the spatial reference.
  public let properties: SpatialReferenceProperties

  /// Creates a window.
  public init(
    center: Coordinate, scale: Double, rotation: Double = 0, width: Double, height: Double,
    spatialReference: SpatialReference, properties: SpatialReferenceProperties
  ) {
    self.center = center
    self.scale = scale
    self.rotation = rotation
    self.width = width
    self.height = height
    self.spatialReference = spatialReference
    self.properties = properties
  }

  /// The resolution: the units of the spatial reference that a point covers.
  public var resolution: Double { properties.resolution(forScale: scale) }

  /// The place under a position on the screen.
  public func location(ofScreenX x: Double, y: Double) -> Coordinate {
    let (east, north) = turned((x - width / 2) * resolution, (height / 2 - y) * resolution, -1)
    return Coordinate(x: center.x + east, y: center.y + north)
  }

  /// The position on the screen of a place.
  public func screenPoint(of location: Coordinate) -> (x: Double, y: Double) {
    let (right, up) = turned(location.x - center.x, location.y - center.y, 1)
    return (x: width / 2 + right / resolution, y: height / 2 - up / resolution)
  }

  /// The smallest box around what is seen, in units of ``spatialReference``.
  public var visibleExtent: Envelope {
    var extent = Envelope.empty
    for (x, y) in [(0, 0), (width, 0), (0, height), (width, height)] {
      extent.include(location(ofScreenX: x, y: y))
    }
    return extent
  }

  /// The window moved so that it holds `extent` and no more than needed.
  public func showing(_ extent: Envelope) -> MapFrame {
    var frame = self
    frame.center = extent.center
    let resolution = max(extent.width / width, extent.height / height)
    // An extent without size, such as that of one point, keeps the scale.
    if resolution > 0 { frame.scale = properties.scale(forResolution: resolution) }
    return frame
  }

  /// Turns a vector by the rotation; `direction` is 1 from the map to the screen and -1 back.
  private func turned(_ x: Double, _ y: Double, _ direction: Double) -> (Double, Double) {
    guard rotation != 0 else { return (x, y) }
    let angle = rotation * .pi / 180 * direction
    let (cosine, sine) = (cos(angle), sin(angle))
    return (x * cosine - y * sine, x * sine + y * cosine)
  }
}

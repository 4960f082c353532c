/// A position in the plane of some spatial reference, which is kept beside it.
///
/// For geographic references `x` is the longitude and `y` the latitude, in degrees; for
/// projected ones both are in the reference's units, mostly metres.
public struct Coordinate: Hashable, Sendable, Codable {
  /// The easting or longitude.
  public var x: Double

  /// The northing or latitude.
  public var y: Double

  /// Creates a position.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

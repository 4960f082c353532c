/// A position with an optional height and measure.
public struct Point: Hashable, Sendable, Codable {
  /// The easting or longitude.
  public var x: Double
  /// The northing or latitude.
  public var y: Double
  /// The height.
  public var z: Double?
  /// The measure.
  public var m: Double?

  /// Creates a point.
  public init(x: Double, y: Double, z: Double? = nil, m: Double? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.m = m
  }

  /// The position alone.
  public var coordinate: Coordinate { Coordinate(x: x, y: y) }
}

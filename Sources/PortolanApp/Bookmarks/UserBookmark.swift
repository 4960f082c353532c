/// A bookmark that the user has added to a map.
public struct UserBookmark: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The longitude of the middle, in degrees.
  public var longitude: Double
  /// The latitude of the middle, in degrees.
  public var latitude: Double
  /// The denominator of the scale.
  public var scale: Double
  /// The direction that is up, in degrees clockwise from north.
  public var rotation: Double

  /// Creates a bookmark.
  public init(
    name: String, longitude: Double, latitude: Double, scale: Double, rotation: Double = 0
  ) {
    self.name = name
    self.longitude = longitude
    self.latitude = latitude
    self.scale = scale
    self.rotation = rotation
  }
}

/// A set of positions.
public struct Multipoint: Hashable, Sendable, Codable {
  /// The points.
  public var points: Path

  /// Creates a multipoint.
  public init(points: Path) { self.points = points }
}

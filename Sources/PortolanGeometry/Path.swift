/// Vertices in order: a path of a polyline, a ring of a polygon, the points of a multipoint.
public struct Path: Hashable, Sendable {
  /// The positions.
  public var coordinates: [Coordinate]

  /// The heights, one a position, if the geometry has them; `NaN` where one is missing.
  public var z: [Double]?

  /// The measures, one a position, if the geometry has them; `NaN` where one is missing.
  public var m: [Double]?

  /// Creates a path; `z` and `m` must be as long as `coordinates` where given.
  public init(_ coordinates: [Coordinate], z: [Double]? = nil, m: [Double]? = nil) {
    self.coordinates = coordinates
    self.z = z
    self.m = m
  }

  /// The number of vertices.
  public var count: Int { coordinates.count }

  /// Whether the path ends where it begins and encloses something.
  public var isClosed: Bool { count > 3 && coordinates.first == coordinates.last }

  /// The area enclosed by a closed path: positive if it runs counter-clockwise (y up).
  ///
  /// In square units of the coordinates; computed relative to the first vertex, so that large
  /// coordinates do not drown a small ring.
  public var signedArea: Double {
    guard let origin = coordinates.first else { return 0 }
    var sum = 0.0
    var previous = origin
    for coordinate in coordinates.dropFirst() {
      sum +=
        (previous.x - origin.x) * (coordinate.y - origin.y)
        - (coordinate.x - origin.x) * (previous.y - origin.y)
      previous = coordinate
    }
    return sum / 2
  }

  /// The same vertices in the opposite order.
  public func reversed() -> Path {
    Path(coordinates.reversed(), z: z?.reversed(), m: m?.reversed())
  }
}

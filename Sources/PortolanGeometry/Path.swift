/// Vertices in order: a path of a polyline, a ring of a polygon, the points of a multipoint.
public struct Path: Hashable, Sendable, Codable {
  /// The positions.
  public var coordinates: [Coordinate]

  /// The heights, one a position, if the geometry has them; `NaN` where one is missing.
  public var z: [Double]?

  /// The measures, one a position, if the geometry has them; `NaN` where one is missing.
  public var m: [Double]?

  /// Creates a path.
  ///
  /// Heights or measures that are missing at the end become `NaN`; surplus ones are left out.
  public init(_ coordinates: [Coordinate], z: [Double]? = nil, m: [Double]? = nil) {
    self.coordinates = coordinates
    self.z = z.map { Self.matched($0, to: coordinates.count) }
    self.m = m.map { Self.matched($0, to: coordinates.count) }
  }

  /// The height of a vertex; `NaN` if it has none.
  public func height(at index: Int) -> Double { Self.ordinate(of: z, at: index) }

  /// The measure of a vertex; `NaN` if it has none.
  public func measure(at index: Int) -> Double { Self.ordinate(of: m, at: index) }

  /// Adds the vertices of another path; where only one of the two has heights or measures, those
  /// of the other are `NaN`.
  public mutating func append(_ other: Path) {
    z = Self.joined(z, count, other.z, other.count)
    m = Self.joined(m, count, other.m, other.count)
    coordinates += other.coordinates
  }

  private static func ordinate(of ordinates: [Double]?, at index: Int) -> Double {
    guard let ordinates, ordinates.indices.contains(index) else { return .nan }
    return ordinates[index]
  }

  private static func matched(_ ordinates: [Double], to count: Int) -> [Double] {
    guard ordinates.count != count else { return ordinates }
    return Array(ordinates.prefix(count))
      + Array(repeating: .nan, count: max(0, count - ordinates.count))
  }

  private static func joined(
    _ first: [Double]?, _ firstCount: Int, _ second: [Double]?, _ secondCount: Int
  ) -> [Double]? {
    guard first != nil || second != nil else { return nil }
    return matched(first ?? [], to: firstCount) + matched(second ?? [], to: secondCount)
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

internal import CGEOS

extension GeometryEngine {
  /// The point of a shape that is nearest to a position.
  public struct ProximityResult: Hashable, Sendable {
    /// The position on or in the shape.
    public let coordinate: Coordinate
    /// The distance, in units of the coordinates.
    public let distance: Double
  }

  /// The distance between two shapes, 0 where they meet, or `nil` if one is empty.
  public static func distance(
    from geometry: Geometry, to other: Geometry
  ) throws(GeometryError) -> Double? {
    guard !geometry.isEmpty, !other.isEmpty else { return nil }
    let context = try GEOSContext()
    let first = try context.shape(of: geometry)
    let second = try context.shape(of: other)
    return try context.value(from: "distance") { distance in
      unsafe GEOSDistance_r(context.handle, first.handle, second.handle, &distance)
    }
  }

  /// The position of `geometry` that is nearest to `coordinate`, or `nil` if it is empty.
  ///
  /// For a position inside an area that is the position itself.
  public static func nearestCoordinate(
    in geometry: Geometry, to coordinate: Coordinate
  ) throws(GeometryError) -> ProximityResult? {
    guard !geometry.isEmpty else { return nil }
    let context = try GEOSContext()
    let shape = try context.shape(of: geometry)
    let point = try context.shape(of: .point(Point(x: coordinate.x, y: coordinate.y)))
    guard
      let sequence = unsafe GEOSNearestPoints_r(context.handle, shape.handle, point.handle)
    else { throw context.error(in: "search for the nearest position") }
    defer { unsafe GEOSCoordSeq_destroy_r(context.handle, sequence) }
    var nearest = Coordinate(x: 0, y: 0)
    guard
      unsafe GEOSCoordSeq_getXY_r(context.handle, sequence, 0, &nearest.x, &nearest.y) == 1
    else { throw context.error(in: "search for the nearest position") }
    return ProximityResult(
      coordinate: nearest, distance: nearest.squaredDistance(to: coordinate).squareRoot())
  }

  /// The area in the plane, in square units of the coordinates; 0 for points and lines.
  public static func area(of geometry: Geometry) -> Double {
    switch geometry {
    case .polygon(let polygon): abs(polygon.rings.reduce(0) { $0 + $1.signedArea })
    case .envelope(let envelope): envelope.width * envelope.height
    default: 0
    }
  }

  /// The length of lines or of the edge of areas in the plane; 0 for points.
  public static func length(of geometry: Geometry) -> Double {
    switch geometry {
    case .polyline(let polyline): polyline.paths.reduce(0) { $0 + $1.length }
    case .polygon(let polygon): polygon.rings.reduce(0) { $0 + $1.length }
    case .envelope(let envelope): 2 * (envelope.width + envelope.height)
    default: 0
    }
  }
}

extension Path {
  fileprivate var length: Double {
    zip(coordinates, coordinates.dropFirst()).reduce(0) {
      $0 + $1.0.squaredDistance(to: $1.1).squareRoot()
    }
  }
}

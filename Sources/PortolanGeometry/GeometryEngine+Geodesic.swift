internal import CProj

extension GeometryEngine {
  /// The length in metres of the shortest way between two places on WGS 84, given in degrees.
  public static func geodeticDistance(from start: Coordinate, to end: Coordinate) -> Double {
    Ellipsoid.wgs84.distance(from: start, to: end)
  }

  /// The length in metres of lines, or of the edge of areas, over the ground.
  ///
  /// Vertices are joined by shortest ways on the ellipsoid of WGS 84.
  ///
  /// - Throws: ``GeometryError`` where the shape cannot be projected to WGS 84.
  public static func geodeticLength(
    of geometry: Geometry, in spatialReference: SpatialReference
  ) throws(GeometryError) -> Double {
    let paths = try geographicPaths(of: geometry, in: spatialReference)
    guard geometry.type != .point, geometry.type != .multipoint else { return 0 }
    return paths.reduce(0) { sum, path in
      zip(path, path.dropFirst()).reduce(sum) {
        $0 + Ellipsoid.wgs84.distance(from: $1.0, to: $1.1)
      }
    }
  }

  /// The area in square metres over the ground; see ``geodeticLength(of:in:)``.
  public static func geodeticArea(
    of geometry: Geometry, in spatialReference: SpatialReference
  ) throws(GeometryError) -> Double {
    guard geometry.type == .polygon || geometry.type == .envelope else { return 0 }
    let paths = try geographicPaths(of: geometry, in: spatialReference)
    return abs(paths.reduce(0) { $0 + Ellipsoid.wgs84.signedArea(of: $1) })
  }

  private static func geographicPaths(
    of geometry: Geometry, in spatialReference: SpatialReference
  ) throws(GeometryError) -> [[Coordinate]] {
    var shape = geometry
    if case .envelope(let envelope) = geometry {
      shape = .polygon(envelope.isEmpty ? Polygon(rings: []) : envelope.polygon)
    }
    let projection = try Projection(from: spatialReference, to: .wgs84)
    let paths = try projection.project(shape).paths.map(\.coordinates)
    for coordinate in paths.joined()
    where !coordinate.x.isFinite || !(abs(coordinate.y) <= 90) {
      throw .invalidGeometry(reason: "a vertex is no place on the earth")
    }
    return paths
  }
}

/// An ellipsoid on which lengths and areas are taken.
private struct Ellipsoid {
  private var geodesic = geod_geodesic()

  static let wgs84 = Ellipsoid(semiMajorAxis: 6_378_137, flattening: 1 / 298.257_223_563)

  private init(semiMajorAxis: Double, flattening: Double) {
    unsafe geod_init(&geodesic, semiMajorAxis, flattening)
  }

  /// In metres.
  func distance(from start: Coordinate, to end: Coordinate) -> Double {
    var distance = 0.0
    unsafe withUnsafePointer(to: geodesic) { geodesic in
      unsafe geod_inverse(geodesic, start.y, start.x, end.y, end.x, &distance, nil, nil)
    }
    return distance
  }

  /// In square metres; positive for a ring that runs counter-clockwise.
  func signedArea(of ring: [Coordinate]) -> Double {
    var latitudes = ring.map(\.y)
    var longitudes = ring.map(\.x)
    guard let count = Int32(exactly: ring.count) else { return 0 }
    var area = 0.0
    unsafe withUnsafePointer(to: geodesic) { geodesic in
      unsafe geod_polygonarea(geodesic, &latitudes, &longitudes, count, &area, nil)
    }
    return area
  }
}

internal import CGEOS

extension GeometryEngine {
  /// The intersection of both shapes; empty if there is none.
  ///
  /// If that is areas and lines or points at once, only the areas are returned, and so on.
  public static func intersection(
    _ geometry: Geometry, _ other: Geometry
  ) throws(GeometryError) -> Geometry {
    try unsafe overlay("intersection", geometry, other) { unsafe GEOSIntersection_r($0, $1, $2) }
  }

  /// The union of both shapes.
  public static func union(
    _ geometry: Geometry, _ other: Geometry
  ) throws(GeometryError) -> Geometry {
    try unsafe overlay("union", geometry, other) { unsafe GEOSUnion_r($0, $1, $2) }
  }

  /// The union of the polygons.
  ///
  /// If none meets another, all are parts of the result as they are.
  public static func union(_ polygons: [Polygon]) throws(GeometryError) -> Polygon {
    guard polygons.count > 1 else { return polygons.first ?? Polygon(rings: []) }
    // Halves of about the same size are cheaper to unite than one polygon after another.
    let middle = polygons.count / 2
    let first = try union(Array(polygons[..<middle]))
    let second = try union(Array(polygons[middle...]))
    let areas = (Geometry.polygon(first), Geometry.polygon(second))
    guard try isGeometry(areas.0, intersecting: areas.1),
      case .polygon(let whole) = try union(areas.0, areas.1)
    else { return Polygon(rings: first.rings + second.rings) }
    return whole
  }

  /// The difference: the part of `geometry` outside of `other`.
  public static func difference(
    _ geometry: Geometry, _ other: Geometry
  ) throws(GeometryError) -> Geometry {
    try unsafe overlay("difference", geometry, other) { unsafe GEOSDifference_r($0, $1, $2) }
  }

  /// The areas within `distance`, in units of the coordinates; below 0, what lies that deep inside.
  ///
  /// A quarter of a circle becomes 24 straight lines.
  public static func buffer(
    around geometry: Geometry, distance: Double
  ) throws(GeometryError) -> Polygon {
    guard distance.isFinite else {
      throw .operationFailed(operation: "buffer", reason: "the distance is not a finite number")
    }
    let result = try unsafe transform("buffer", geometry) {
      unsafe GEOSBuffer_r($0, $1, distance, quarterCircleLines)
    }
    guard case .polygon(let polygon) = result else { return Polygon(rings: []) }
    return polygon
  }

  /// The shape with fewer vertices, none of its lines moved by more than `maxDeviation`.
  public static func generalize(
    _ geometry: Geometry, maxDeviation: Double
  ) throws(GeometryError) -> Geometry {
    guard maxDeviation.isFinite, maxDeviation >= 0 else {
      throw .operationFailed(operation: "generalization", reason: "the deviation is negative")
    }
    return try unsafe transform("generalization", geometry) {
      unsafe GEOSTopologyPreserveSimplify_r($0, $1, maxDeviation)
    }
  }

  /// The shape without crossings of itself, so that every operation works with it.
  public static func simplify(_ geometry: Geometry) throws(GeometryError) -> Geometry {
    try unsafe transform("repair", geometry) { unsafe GEOSMakeValid_r($0, $1) }
  }

  /// The smallest area without bays around the shape.
  public static func convexHull(of geometry: Geometry) throws(GeometryError) -> Geometry {
    try unsafe transform("hull", geometry) { unsafe GEOSConvexHull_r($0, $1) }
  }

  /// A position inside the shape where a label can be, or `nil` for an empty shape.
  public static func labelPoint(for geometry: Geometry) throws(GeometryError) -> Coordinate? {
    let result = try unsafe transform("label placement", geometry) {
      unsafe GEOSPointOnSurface_r($0, $1)
    }
    guard case .point(let point) = result, !result.isEmpty else { return nil }
    return point.coordinate
  }

  private static let quarterCircleLines: Int32 = 24

  private static func transform(
    _ operation: String, _ geometry: Geometry,
    _ function: (GEOSContextHandle_t, OpaquePointer) -> OpaquePointer?
  ) throws(GeometryError) -> Geometry {
    let context = try GEOSContext()
    let shape = try context.shape(of: geometry)
    let result = try unsafe context.shape(
      function(context.handle, shape.handle), from: operation)
    return try result.geometry()
  }

  /// Areas that cross themselves make an overlay fail, so it is tried once more with repaired ones.
  private static func overlay(
    _ operation: String, _ geometry: Geometry, _ other: Geometry,
    _ function: (GEOSContextHandle_t, OpaquePointer, OpaquePointer) -> OpaquePointer?
  ) throws(GeometryError) -> Geometry {
    let context = try GEOSContext()
    let first = try context.shape(of: geometry)
    let second = try context.shape(of: other)
    if let handle = unsafe function(context.handle, first.handle, second.handle) {
      return try unsafe GEOSShape(handle, in: context).geometry()
    }
    let repaired = try unsafe context.shape(
      GEOSMakeValid_r(context.handle, first.handle), from: operation)
    let otherRepaired = try unsafe context.shape(
      GEOSMakeValid_r(context.handle, second.handle), from: operation)
    let result = try unsafe context.shape(
      function(context.handle, repaired.handle, otherRepaired.handle), from: operation)
    return try result.geometry()
  }
}

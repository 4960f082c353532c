internal import CGEOS

/// Questions about shapes and operations on them, in the plane of their coordinates.
///
/// All shapes of a call must be in the same spatial reference. Heights are carried along where
/// GEOS does so, measures are lost. Every function throws
/// ``GeometryError/invalidGeometry(reason:)`` for shapes that cannot be worked with (an ordinate
/// that is not finite, a ring that is not closed), and
/// ``GeometryError/operationFailed(operation:reason:)`` where GEOS fails, which happens with
/// areas that cross themselves; see ``simplify(_:)``.
public enum GeometryEngine {
  /// Whether `geometry` holds all of `other`, and not only with its edge.
  public static func isGeometry(
    _ geometry: Geometry, containing other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("containment test", geometry, other) {
      unsafe GEOSContains_r($0, $1, $2)
    }
  }

  /// Whether all of `geometry` lies in `other`, and not only on its edge.
  public static func isGeometry(
    _ geometry: Geometry, within other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("containment test", geometry, other) {
      unsafe GEOSWithin_r($0, $1, $2)
    }
  }

  /// Whether the shapes share at least a point.
  public static func isGeometry(
    _ geometry: Geometry, intersecting other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("intersection test", geometry, other) {
      unsafe GEOSIntersects_r($0, $1, $2)
    }
  }

  /// Whether the shapes share edges or ends, but nothing of their insides.
  public static func isGeometry(
    _ geometry: Geometry, touching other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("touching test", geometry, other) {
      unsafe GEOSTouches_r($0, $1, $2)
    }
  }

  /// Whether the shapes cross: their insides share something of a lower dimension.
  public static func isGeometry(
    _ geometry: Geometry, crossing other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("crossing test", geometry, other) {
      unsafe GEOSCrosses_r($0, $1, $2)
    }
  }

  /// Whether shapes of the same dimension share a part, and each has a part of its own.
  public static func isGeometry(
    _ geometry: Geometry, overlapping other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("overlap test", geometry, other) {
      unsafe GEOSOverlaps_r($0, $1, $2)
    }
  }

  /// Whether both are the same set of points, however their vertices are arranged.
  public static func isGeometry(
    _ geometry: Geometry, equivalentTo other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe relate("equality test", geometry, other) {
      unsafe GEOSEquals_r($0, $1, $2)
    }
  }

  /// Whether lines do not cross themselves and areas neither cross nor cover themselves.
  public static func isSimple(_ geometry: Geometry) throws(GeometryError) -> Bool {
    let context = try GEOSContext()
    let shape = try context.shape(of: geometry)
    let code =
      geometry.type == .polygon
      ? unsafe GEOSisValid_r(context.handle, shape.handle)
      : unsafe GEOSisSimple_r(context.handle, shape.handle)
    return try context.answer(code, from: "test for simplicity")
  }

  private static func relate(
    _ operation: String, _ geometry: Geometry, _ other: Geometry,
    _ predicate: (GEOSContextHandle_t, OpaquePointer, OpaquePointer) -> CChar
  ) throws(GeometryError) -> Bool {
    let context = try GEOSContext()
    let first = try context.shape(of: geometry)
    let second = try context.shape(of: other)
    let code = unsafe predicate(context.handle, first.handle, second.handle)
    return try context.answer(code, from: operation)
  }
}

internal import CGEOS
internal import Synchronization

/// A shape made ready for many questions against others, for example features against an area.
///
/// It may be used from several threads, one of which waits for the other.
public final class PreparedGeometry: Sendable {
  private let prepared: Mutex<GEOSPreparedShape>

  /// Prepares a shape.
  ///
  /// - Throws: ``GeometryError/invalidGeometry(reason:)``; see ``GeometryEngine``.
  public init(_ geometry: Geometry) throws(GeometryError) {
    prepared = Mutex(try GEOSPreparedShape(geometry))
  }

  /// Whether the shapes share at least a point.
  public func intersects(_ other: Geometry) throws(GeometryError) -> Bool {
    try unsafe ask("intersection test", other) { unsafe GEOSPreparedIntersects_r($0, $1, $2) }
  }

  /// Whether the prepared shape holds all of `other`, and not only with its edge.
  public func contains(_ other: Geometry) throws(GeometryError) -> Bool {
    try unsafe ask("containment test", other) { unsafe GEOSPreparedContains_r($0, $1, $2) }
  }

  /// Whether all of the prepared shape lies in `other`, and not only on its edge.
  public func isWithin(_ other: Geometry) throws(GeometryError) -> Bool {
    try unsafe ask("containment test", other) { unsafe GEOSPreparedWithin_r($0, $1, $2) }
  }

  /// Whether the shapes come as near to each other as `distance`, in units of the coordinates.
  public func isWithin(
    distance: Double, of other: Geometry
  ) throws(GeometryError) -> Bool {
    try unsafe ask("distance test", other) {
      unsafe GEOSPreparedDistanceWithin_r($0, $1, $2, distance)
    }
  }

  private func ask(
    _ operation: String, _ other: Geometry,
    _ predicate: @Sendable (GEOSContextHandle_t, OpaquePointer, OpaquePointer) -> CChar
  ) throws(GeometryError) -> Bool {
    try prepared.withLock { prepared throws(GeometryError) in
      try unsafe prepared.ask(operation, other, predicate)
    }
  }
}

/// A shape of GEOS and the index made for it.
@safe
private struct GEOSPreparedShape: ~Copyable {
  private let shape: GEOSShape
  private let handle: OpaquePointer

  init(_ geometry: Geometry) throws(GeometryError) {
    let context = try GEOSContext()
    let shape = try context.shape(of: geometry)
    let handle = try unsafe context.owned(
      GEOSPrepare_r(context.handle, shape.handle), from: "preparation")
    self.shape = shape
    unsafe self.handle = handle
  }

  // Runs before the shape is freed, which the index refers to.
  deinit { unsafe GEOSPreparedGeom_destroy_r(shape.context.handle, handle) }

  borrowing func ask(
    _ operation: String, _ other: Geometry,
    _ predicate: @Sendable (GEOSContextHandle_t, OpaquePointer, OpaquePointer) -> CChar
  ) throws(GeometryError) -> Bool {
    let context = shape.context
    let otherShape = try context.shape(of: other)
    return try context.answer(
      unsafe predicate(context.handle, handle, otherShape.handle), from: operation)
  }
}

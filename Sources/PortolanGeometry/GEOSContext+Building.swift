internal import CGEOS

extension GEOSContext {
  /// The shape as GEOS knows it; measures are left out.
  ///
  /// - Throws: ``GeometryError/invalidGeometry(reason:)`` for ordinates that are not finite and
  ///   for lines or rings with too few vertices, which GEOS does not take.
  func shape(of geometry: Geometry) throws(GeometryError) -> GEOSShape {
    switch geometry {
    case .point(let point):
      guard !geometry.isEmpty else {
        return try unsafe shape(GEOSGeom_createEmptyPoint_r(handle), from: "empty point")
      }
      return unsafe GEOSShape(try self.point(point.coordinate, z: point.z), in: self)
    case .multipoint(let multipoint): return try points(multipoint.points)
    case .polyline(let polyline): return try lines(polyline.paths)
    case .polygon(let polygon): return try areas(polygon.parts)
    case .envelope(let envelope):
      return try areas(envelope.isEmpty ? [] : envelope.polygon.parts)
    }
  }

  private func points(_ path: Path) throws(GeometryError) -> GEOSShape {
    let list = GEOSShapeList(in: self)
    for (index, coordinate) in path.coordinates.enumerated() {
      unsafe list.append(try point(coordinate, z: path.z == nil ? nil : path.height(at: index)))
    }
    return try list.collection(GEOS_MULTIPOINT)
  }

  private func lines(_ paths: [Path]) throws(GeometryError) -> GEOSShape {
    let list = GEOSShapeList(in: self)
    for (index, path) in paths.enumerated() where path.count > 0 {
      guard path.count > 1 else {
        throw .invalidGeometry(reason: "path \(index) has a single vertex")
      }
      let line = unsafe GEOSGeom_createLineString_r(handle, try sequence(path))
      unsafe list.append(try owned(line, from: "line"))
    }
    return try list.collection(GEOS_MULTILINESTRING)
  }

  private func areas(_ parts: [Polygon.Part]) throws(GeometryError) -> GEOSShape {
    let list = GEOSShapeList(in: self)
    for part in parts where part.exterior.count > 0 {
      let holes = GEOSShapeList(in: self)
      for hole in part.holes { unsafe holes.append(try ring(hole)) }
      let exterior = try unsafe ring(part.exterior)
      unsafe list.append(try holes.area(within: exterior))
    }
    return try list.collection(GEOS_MULTIPOLYGON)
  }

  private func point(
    _ coordinate: Coordinate, z: Double?
  ) throws(GeometryError) -> OpaquePointer {
    let sequence = try unsafe sequence(Path([coordinate], z: z.map { [$0] }))
    return try unsafe owned(GEOSGeom_createPoint_r(handle, sequence), from: "point")
  }

  private func ring(_ path: Path) throws(GeometryError) -> OpaquePointer {
    guard path.isClosed else {
      throw .invalidGeometry(reason: "a ring of \(path.count) vertices is not closed")
    }
    return try unsafe owned(
      GEOSGeom_createLinearRing_r(handle, try sequence(path)), from: "ring")
  }

  private func sequence(_ path: Path) throws(GeometryError) -> OpaquePointer {
    let ordinates = try path.interleaved()
    let dimensions = path.z == nil ? 2 : 3
    guard let count = UInt32(exactly: ordinates.count / dimensions),
      let sequence = unsafe GEOSCoordSeq_copyFromBuffer_r(
        handle, ordinates, count, path.z == nil ? 0 : 1, 0)
    else { throw error(in: "list of vertices") }
    return unsafe sequence
  }

  func owned(
    _ handle: OpaquePointer?, from operation: String
  ) throws(GeometryError) -> OpaquePointer {
    guard let handle = unsafe handle else { throw error(in: operation) }
    return unsafe handle
  }
}

extension Path {
  /// The ordinates vertex by vertex, with heights if there are any.
  fileprivate func interleaved() throws(GeometryError) -> [Double] {
    var ordinates: [Double] = []
    ordinates.reserveCapacity(count * (z == nil ? 2 : 3))
    for (index, coordinate) in coordinates.enumerated() {
      guard coordinate.x.isFinite, coordinate.y.isFinite else {
        throw .invalidGeometry(reason: "vertex \(index) is not a finite number")
      }
      ordinates.append(coordinate.x)
      ordinates.append(coordinate.y)
      if let z { ordinates.append(index < z.count && z[index].isFinite ? z[index] : .nan) }
    }
    return ordinates
  }
}

/// Shapes on their way into a larger one; frees those that did not get there.
@safe
final class GEOSShapeList {
  private let context: GEOSContext
  private var handles: [OpaquePointer?]

  init(in context: GEOSContext) {
    self.context = context
    unsafe handles = []
  }

  deinit {
    while let handle = unsafe handles.popLast() {
      unsafe GEOSGeom_destroy_r(context.handle, handle)
    }
  }

  func append(_ handle: OpaquePointer) { unsafe handles.append(handle) }

  /// A multi-part shape of all.
  func collection(_ type: GEOSGeomTypes) throws(GeometryError) -> GEOSShape {
    var taken = unsafe take()
    let handle = unsafe GEOSGeom_createCollection_r(
      context.handle, Int32(type.rawValue), &taken, UInt32(taken.count))
    return try unsafe context.shape(handle, from: "collection")
  }

  /// An area with all as its holes; takes over `exterior`.
  func area(within exterior: OpaquePointer) throws(GeometryError) -> OpaquePointer {
    var taken = unsafe take()
    let handle = unsafe GEOSGeom_createPolygon_r(
      context.handle, exterior, &taken, UInt32(taken.count))
    return try unsafe context.owned(handle, from: "area")
  }

  /// GEOS owns what it is given, even where it fails.
  private func take() -> [OpaquePointer?] {
    let taken = unsafe handles
    unsafe handles = []
    return unsafe taken
  }
}

internal import CGEOS

extension GEOSShape {
  /// The shape as a value; of a mixed collection, the parts of the highest dimension.
  borrowing func geometry() throws(GeometryError) -> Geometry {
    var reader = GEOSReader(context: context)
    try unsafe reader.read(handle)
    return reader.geometry
  }
}

/// Collects the parts of a shape of GEOS.
private struct GEOSReader {
  private let context: GEOSContext
  private var points = Path([])
  private var lines: [Path] = []
  private var areas: [Polygon.Part] = []

  init(context: GEOSContext) { self.context = context }

  var geometry: Geometry {
    if !areas.isEmpty { return .polygon(Polygon(parts: areas)) }
    if !lines.isEmpty { return .polyline(Polyline(paths: lines)) }
    guard points.count == 1 else { return .multipoint(Multipoint(points: points)) }
    let position = points.coordinates[0]
    let height = points.height(at: 0)
    return .point(Point(x: position.x, y: position.y, z: height.isNaN ? nil : height))
  }

  /// Collections hold no collections of their own here but one level deep, as GEOS makes them.
  mutating func read(_ shape: OpaquePointer) throws(GeometryError) {
    guard unsafe GEOSisEmpty_r(context.handle, shape) == 0 else { return }
    let type = unsafe GEOSGeomTypeId_r(context.handle, shape)
    switch UInt32(bitPattern: type) {
    // GEOS says about each point by itself whether it has a height.
    case GEOS_POINT.rawValue: points.append(try unsafe path(shape))
    case GEOS_LINESTRING.rawValue, GEOS_LINEARRING.rawValue: lines.append(try unsafe path(shape))
    case GEOS_POLYGON.rawValue: areas.append(try unsafe part(shape))
    default:
      for index in 0..<(unsafe GEOSGetNumGeometries_r(context.handle, shape)) {
        guard let member = unsafe GEOSGetGeometryN_r(context.handle, shape, index) else { continue }
        try unsafe read(member)
      }
    }
  }

  private func part(_ shape: OpaquePointer) throws(GeometryError) -> Polygon.Part {
    guard let outline = unsafe GEOSGetExteriorRing_r(context.handle, shape) else {
      throw context.error(in: "reading of an area")
    }
    let exterior = try unsafe path(outline)
    var part = Polygon.Part(exterior: exterior.signedArea < 0 ? exterior.reversed() : exterior)
    for index in 0..<(unsafe GEOSGetNumInteriorRings_r(context.handle, shape)) {
      guard let ring = unsafe GEOSGetInteriorRingN_r(context.handle, shape, index) else { continue }
      let hole = try unsafe path(ring)
      part.holes.append(hole.signedArea > 0 ? hole.reversed() : hole)
    }
    return part
  }

  private func path(_ shape: OpaquePointer) throws(GeometryError) -> Path {
    var count: UInt32 = 0
    guard let sequence = unsafe GEOSGeom_getCoordSeq_r(context.handle, shape),
      unsafe GEOSCoordSeq_getSize_r(context.handle, sequence, &count) == 1
    else { throw context.error(in: "reading of vertices") }
    let hasZ = unsafe GEOSHasZ_r(context.handle, shape) == 1
    let stride = hasZ ? 3 : 2
    var ordinates = [Double](repeating: 0, count: Int(count) * stride)
    guard
      unsafe GEOSCoordSeq_copyToBuffer_r(
        context.handle, sequence, &ordinates, hasZ ? 1 : 0, 0) == 1
    else { throw context.error(in: "reading of vertices") }
    let starts = Swift.stride(from: 0, to: ordinates.count, by: stride)
    return Path(
      starts.map { Coordinate(x: ordinates[$0], y: ordinates[$0 + 1]) },
      z: hasZ ? starts.map { ordinates[$0 + 2] } : nil)
  }
}

extension Geometry {
  /// Reads well-known binary (ISO 19125-2, OGC 06-103r4), which GeoPackage and others hold.
  ///
  /// Both byte orders, heights and measures; the flags of PostGIS too. The first ring of each
  /// polygon is its exterior, whatever its winding. Arcs of circles become straight lines of at most 2° of
  /// them. What follows the shape is ignored.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)`` with the byte, or
  ///   ``GeometryError/unsupported(_:feature:)`` for collections and surfaces of triangles.
  public init(wellKnownBinary bytes: RawSpan) throws(GeometryError) {
    var reader = WellKnownBinaryReader()
    let header = try reader.header(bytes)
    switch header.kind {
    case 1: self = .point(try reader.point(bytes, header))
    case 2: self = .polyline(Polyline(paths: [try reader.path(bytes, header)]))
    case 3: self = .polygon(Polygon(rings: try reader.rings(bytes, header)))
    case 4: self = .multipoint(Multipoint(points: try reader.points(bytes, header)))
    case 5: self = .polyline(Polyline(paths: try reader.paths(bytes, header)))
    case 6: self = .polygon(Polygon(rings: try reader.polygons(bytes, header)))
    case 7: throw .unsupported(.wellKnownBinary, feature: "a geometry collection")
    case 8, 9: self = .polyline(Polyline(paths: [try reader.curve(bytes, header)]))
    case 10: self = .polygon(Polygon(rings: try reader.curvedRings(bytes, header)))
    case 11: self = .polyline(Polyline(paths: try reader.curves(bytes, header)))
    case 12: self = .polygon(Polygon(rings: try reader.surfaces(bytes, header)))
    case 13...17: throw .unsupported(.wellKnownBinary, feature: "a curve or surface")
    default: throw reader.malformed("the kind of shape \(header.kind) is not known")
    }
  }
}

extension WellKnownBinaryReader {
  /// The least a part of a multi-part shape takes: its byte order, kind and count.
  static let partSize = 9

  mutating func path(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> Path {
    let count = try count(bytes, header, of: header.vertexSize)
    return try vertices(bytes, header, count: count)
  }

  mutating func rings(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> [Path] {
    var rings: [Path] = []
    for _ in 0..<(try count(bytes, header, of: 4)) {
      Self.add(try path(bytes, header), to: &rings)
    }
    return rings
  }

  /// Adds a ring of an area as its exterior if it is the first, else as a hole.
  static func add(_ path: Path, to rings: inout [Path]) {
    guard let ring = path.closed else { return }
    let isWrong = rings.isEmpty ? ring.signedArea < 0 : ring.signedArea > 0
    rings.append(isWrong ? ring.reversed() : ring)
  }

  fileprivate mutating func points(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> Path {
    var all = Path([], z: header.hasZ ? [] : nil, m: header.hasM ? [] : nil)
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      let part = try self.header(bytes, part: 1, of: header)
      let point = try vertices(bytes, part, count: 1)
      all.coordinates += point.coordinates
      all.z?.append(point.height(at: 0))
      all.m?.append(point.measure(at: 0))
    }
    return all
  }

  fileprivate mutating func paths(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> [Path] {
    var paths: [Path] = []
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      paths.append(try path(bytes, try self.header(bytes, part: 2, of: header)))
    }
    return paths
  }

  fileprivate mutating func polygons(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> [Path] {
    var all: [Path] = []
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      all += try rings(bytes, try self.header(bytes, part: 3, of: header))
    }
    return all
  }

  private mutating func header(
    _ bytes: RawSpan, part kind: UInt32, of whole: Header
  ) throws(GeometryError) -> Header {
    let part = try header(bytes)
    guard part.kind == kind else {
      throw malformed("a shape of kind \(whole.kind) contains a part of kind \(part.kind)")
    }
    return part
  }
}

internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanProtobuf

/// Reads the shapes of a message.
struct PBFGeometryReader {
  let type: GeometryType?
  let hasZ: Bool
  let hasM: Bool
  let transform: PBFTransform
  /// The numbers of vertices of the parts of the shape at hand; kept to use its memory again.
  private var lengths: [Int] = []

  init(type: GeometryType?, hasZ: Bool, hasM: Bool, transform: PBFTransform) {
    self.type = type
    self.hasZ = hasZ
    self.hasM = hasM
    self.transform = transform
  }

  /// The kinds by their numbers; those of surfaces and of nothing are none.
  static func type(_ number: UInt64) -> GeometryType? {
    switch number {
    case 0: .point
    case 1: .multipoint
    case 2: .polyline
    case 3: .polygon
    default: nil
    }
  }

  /// Reads a shape; `nil` if it has no vertices.
  ///
  /// - Throws: ``PBFError`` if the message cannot be followed, ``GeometryError`` if it can
  ///   but makes no shape.
  mutating func geometry(_ message: PBFCursor) throws -> Geometry? {
    var message = message
    var coordinates: PBFCursor?
    var own = type
    lengths.removeAll(keepingCapacity: true)
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .varint): own = Self.type(try message.varint()) ?? own
      case (2, .lengthDelimited): try readLengths(try message.message())
      case (2, .varint): try appendLength(try message.varint(), message)
      case (3, .lengthDelimited): coordinates = try message.message()
      default: try message.skip(tag.type)
      }
    }
    guard let coordinates, !coordinates.isAtEnd else { return nil }
    return try geometry(own, coordinates)
  }

  private mutating func readLengths(_ list: PBFCursor) throws(PBFError) {
    var list = list
    while !list.isAtEnd { try appendLength(try list.varint(), list) }
  }

  private mutating func appendLength(
    _ length: UInt64, _ cursor: PBFCursor
  ) throws(PBFError) {
    guard let length = Int(exactly: length) else {
      throw .malformed(reason: "a part is too long", offset: cursor.offset)
    }
    lengths.append(length)
  }

  private mutating func geometry(
    _ type: GeometryType?, _ coordinates: PBFCursor
  ) throws -> Geometry {
    var coordinates = coordinates
    switch type {
    case .point?: return .point(try point(&coordinates))
    case .multipoint?:
      let points = try paths(&coordinates, isReversed: false).flatMap(\.coordinates)
      return .multipoint(Multipoint(points: Path(points)))
    case .polyline?: return .polyline(Polyline(paths: try paths(&coordinates, isReversed: false)))
    case .polygon?:
      return .polygon(Polygon(arranging: try paths(&coordinates, isReversed: true)))
    case .envelope?, nil:
      throw GeometryError.malformed(
        .pbf, place: "geometryType", reason: "shapes of that kind are not known")
    }
  }

  private func point(_ list: inout PBFCursor) throws -> Point {
    let path = try path(&list, count: 1)
    guard let position = path.coordinates.first else { throw tooShort(list) }
    let measure = path.m?.first.flatMap { $0.isNaN ? nil : $0 }
    return Point(x: position.x, y: position.y, z: path.z?.first, m: measure)
  }

  /// Without lengths all vertices are one part.
  private func paths(_ list: inout PBFCursor, isReversed: Bool) throws -> [Path] {
    guard !lengths.isEmpty else {
      return [try path(&list, count: nil).reversed(if: isReversed)]
    }
    var paths: [Path] = []
    paths.reserveCapacity(min(lengths.count, list.count))
    for length in lengths {
      paths.append(try path(&list, count: length).reversed(if: isReversed))
    }
    return paths
  }

  /// Reads vertices: x and y as the difference to the one before, the first of a part to nothing;
  /// heights and measures as they are, where a measure of 0 is none.
  private func path(_ list: inout PBFCursor, count: Int?) throws -> Path {
    // A vertex takes two bytes or more, so that what is announced can be held against what is there.
    guard count ?? 0 <= list.count / 2 else { throw tooShort(list) }
    var path = Path([], z: hasZ ? [] : nil, m: hasM ? [] : nil)
    path.coordinates.reserveCapacity(count ?? list.count / 4)
    var (x, y): (Int64, Int64) = (0, 0)
    var left = count ?? .max
    while left > 0, count != nil || !list.isAtEnd {
      x &+= try list.zigzag()
      y &+= try list.zigzag()
      path.coordinates.append(transform.coordinate(x, y))
      if hasZ {
        path.z?.append(transform.height(try list.zigzag()))
      }
      if hasM {
        let measure = try list.zigzag()
        path.m?.append(measure == 0 ? .nan : transform.measure(measure))
      }
      left -= 1
    }
    return path
  }

  private func tooShort(_ list: PBFCursor) -> GeometryError {
    .malformed(
      .pbf, place: "byte \(list.offset)", reason: "there are fewer vertices than announced")
  }
}

extension Path {
  /// The vertices in the opposite order, if asked for: services have exteriors clockwise.
  fileprivate consuming func reversed(if isReversed: Bool) -> Path {
    guard isReversed else { return self }
    coordinates.reverse()
    z?.reverse()
    m?.reverse()
    return self
  }
}

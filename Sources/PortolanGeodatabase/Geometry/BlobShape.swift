internal import PortolanGeometry

/// A shape in the whole numbers of a geometry blob, cut into parts.
struct BlobShape {
  /// A position in whole numbers.
  struct Position: Hashable {
    var x: Int64
    var y: Int64
  }

  /// The parts: a path, or an exterior ring with its holes behind it.
  private(set) var parts: [[Position]] = []
  private var z: [Int64] = []
  private var m: [Int64] = []
  /// Whether the end of the last part's rings is known when another follows.
  private var lastPartTakesHoles = false

  /// The vertices and the separators between parts.
  var pairCount: Int { parts.reduce(parts.count - 1) { $0 + $1.count } }

  /// The box around the vertices.
  private(set) var box = GeometryBlobHeader.Box(xMin: .max, yMin: .max, xMax: .min, yMax: .min)

  init(_ geometry: Geometry, for encoder: GeometryBlobEncoder) throws(GeometryBlobError) {
    var geometry = geometry
    if case .envelope(let envelope) = geometry { geometry = .polygon(envelope.polygon) }
    let expected: GeometryType =
      encoder.geometryType == .envelope ? .polygon : encoder.geometryType
    guard geometry.type == expected else {
      throw .wrongType(expected: expected, found: geometry.type)
    }
    for path in geometry.paths where path.count > 0 {
      if case .polygon = geometry {
        try add(ring: path, encoder)
      } else {
        append(try run(path, encoder), opensPart: true)
      }
    }
  }

  private mutating func add(
    ring: Path, _ encoder: GeometryBlobEncoder
  ) throws(GeometryBlobError) {
    let closed = ring.closedForBlob
    var run = try run(closed, encoder)
    let endsByItself = try run.arrangeRing() == .firstVertex
    let isHole = endsByItself && lastPartTakesHoles && closed.signedArea < 0
    append(run, opensPart: !isHole)
    lastPartTakesHoles = endsByItself
  }

  private func run(
    _ path: Path, _ encoder: GeometryBlobEncoder
  ) throws(GeometryBlobError) -> BlobRun {
    let (heights, measures) = try channels(of: path, encoder)
    return BlobRun(
      positions: try positions(of: path, encoder.precision), heights: heights, measures: measures)
  }

  private mutating func append(_ run: BlobRun, opensPart: Bool) {
    for position in run.positions { box.include(position) }
    if opensPart {
      if !parts.isEmpty { separateChannels() }
      parts.append(run.positions)
    } else {
      parts[parts.count - 1] += run.positions
    }
    z += run.heights
    m += run.measures
  }

  /// One entry for the separator, which no reader looks at; repeating takes the least bytes.
  private mutating func separateChannels() {
    if let last = z.last { z.append(last) }
    if let last = m.last { m.append(last) }
  }

  private func positions(
    of path: Path, _ precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> [Position] {
    var positions: [Position] = []
    positions.reserveCapacity(path.count)
    for coordinate in path.coordinates {
      let position = Position(
        x: try CoordinatePrecision.number(
          of: coordinate.x, origin: precision.xOrigin, scale: precision.xyScale),
        y: try CoordinatePrecision.number(
          of: coordinate.y, origin: precision.yOrigin, scale: precision.xyScale))
      positions.append(position)
    }
    return positions
  }

  private func channels(
    of path: Path, _ encoder: GeometryBlobEncoder
  ) throws(GeometryBlobError) -> (z: [Int64], m: [Int64]) {
    let precision = encoder.precision
    var (heights, measures): ([Int64], [Int64]) = ([], [])
    if encoder.hasZ {
      // A point has no other way to say that its height is not known; others without any are flat.
      let isFlat = path.z == nil && encoder.geometryType != .point
      for index in path.coordinates.indices {
        heights.append(
          try Self.number(
            of: isFlat ? 0 : path.height(at: index), origin: precision.zOrigin,
            scale: precision.zScale))
      }
    }
    if encoder.hasM {
      for index in path.coordinates.indices {
        measures.append(
          try Self.number(
            of: path.measure(at: index), origin: precision.mOrigin,
            scale: precision.mScale))
      }
    }
    return (heights, measures)
  }

  private static func number(
    of value: Double, origin: Double, scale: Double
  ) throws(GeometryBlobError) -> Int64 {
    guard !value.isNaN else { return CoordinatePrecision.missingNumber }
    return try CoordinatePrecision.number(of: value, origin: origin, scale: scale)
  }

  /// The numbers behind the header: pairs with separators, then heights, then measures.
  func stream(hasZ: Bool, hasM: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * pairCount + 16)
    var last = Position(x: 0, y: 0)
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.appendDelta(to: Position(x: -1, y: 0), from: &last) }
      for position in part { bytes.appendDelta(to: position, from: &last) }
    }
    if hasZ { bytes.appendDeltas(of: z) }
    if hasM { bytes.appendDeltas(of: m) }
    return bytes
  }
}

extension GeometryBlobHeader.Box {
  fileprivate mutating func include(_ position: BlobShape.Position) {
    xMin = min(xMin, position.x)
    yMin = min(yMin, position.y)
    xMax = max(xMax, position.x)
    yMax = max(yMax, position.y)
  }
}

extension Path {
  /// The ring with its first vertex at its end, where it is not there already.
  fileprivate var closedForBlob: Path {
    guard let first = coordinates.first, coordinates.last != first else { return self }
    return Path(
      coordinates + [first], z: z.map { $0 + $0.prefix(1) }, m: m.map { $0 + $0.prefix(1) })
  }
}

extension Array where Element == UInt8 {
  @inline(__always)
  fileprivate mutating func appendDelta(
    to position: BlobShape.Position, from last: inout BlobShape.Position
  ) {
    appendVarint(position.x - last.x)
    appendVarint(position.y - last.y)
    last = position
  }

  fileprivate mutating func appendDeltas(of numbers: [Int64]) {
    var last: Int64 = 0
    for number in numbers {
      appendVarint(number - last)
      last = number
    }
  }
}

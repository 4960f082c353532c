/// Lines and areas with arcs of circles, which become straight lines.
extension WellKnownBinaryReader {
  /// The most arcs of one shape, each of which may become a hundred lines and more.
  static let mostArcs = 20_000

  /// A line, some arcs, or both one after the other.
  mutating func curve(_ bytes: RawSpan, _ header: Header) throws(GeometryError) -> Path {
    switch header.kind {
    case 2: return try path(bytes, header)
    case 8: return try drawn(try path(bytes, header))
    case 9:
      var whole = Path([], z: header.hasZ ? [] : nil, m: header.hasM ? [] : nil)
      for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
        let part = try self.header(bytes)
        guard part.kind == 2 || part.kind == 8 else { throw misplaced(part, in: header) }
        whole.join(try curve(bytes, part))
      }
      return whole
    default: throw malformed("a line of kind \(header.kind) is not known")
    }
  }

  /// The rings of an area whose edges may be curves.
  mutating func curvedRings(_ bytes: RawSpan, _ header: Header) throws(GeometryError) -> [Path] {
    var rings: [Path] = []
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      Self.add(try curve(bytes, try self.header(bytes)), to: &rings)
    }
    return rings
  }

  /// Several lines that may be curves.
  mutating func curves(_ bytes: RawSpan, _ header: Header) throws(GeometryError) -> [Path] {
    var paths: [Path] = []
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      paths.append(try curve(bytes, try self.header(bytes)))
    }
    return paths
  }

  /// The rings of several areas whose edges may be curves.
  mutating func surfaces(_ bytes: RawSpan, _ header: Header) throws(GeometryError) -> [Path] {
    var all: [Path] = []
    for _ in 0..<(try count(bytes, header, of: Self.partSize)) {
      let part = try self.header(bytes)
      switch part.kind {
      case 3: all += try rings(bytes, part)
      case 10: all += try curvedRings(bytes, part)
      default: throw misplaced(part, in: header)
      }
    }
    return all
  }

  private func misplaced(_ part: Header, in whole: Header) -> GeometryError {
    malformed("a shape of kind \(whole.kind) contains a part of kind \(part.kind)")
  }

  /// Arcs, each through every second vertex, as straight lines.
  private mutating func drawn(_ path: Path) throws(GeometryError) -> Path {
    guard path.count > 2 else { return path }
    arcCount += path.count / 2
    guard arcCount <= Self.mostArcs else {
      throw .unsupported(.wellKnownBinary, feature: "a shape of more than \(Self.mostArcs) arcs")
    }
    var drawn = Path([], z: path.z == nil ? nil : [], m: path.m == nil ? nil : [])
    drawn.append([], before: 0, of: path)
    for index in stride(from: 2, to: path.count, by: 2) {
      let (start, middle) = (path.coordinates[index - 2], path.coordinates[index - 1])
      let halves = EsriJSONCurve.halves(from: start, through: middle, to: path.coordinates[index])
      drawn.append(halves.first, before: index - 1, of: path)
      drawn.append(halves.second, before: index, of: path)
    }
    // The last of an even number of vertices ends no arc.
    if path.count % 2 == 0 { drawn.append([], before: path.count - 1, of: path) }
    return drawn
  }
}

extension Path {
  /// Adds a vertex of a path, and before it positions along which heights and measures change evenly.
  fileprivate mutating func append(
    _ positions: [Coordinate], before index: Int, of path: Path
  ) {
    func ordinates(from first: Double?, to last: Double) -> [Double] {
      guard let first else { return [last] }
      let step = (last - first) / Double(positions.count + 1)
      return positions.indices.map { first + step * Double($0 + 1) } + [last]
    }
    let heights = ordinates(from: z?.last, to: path.height(at: index))
    let measures = ordinates(from: m?.last, to: path.measure(at: index))
    z?.append(contentsOf: heights)
    m?.append(contentsOf: measures)
    coordinates += positions + [path.coordinates[index]]
  }

  /// Goes on with a path that starts where this one ends.
  fileprivate mutating func join(_ path: Path) {
    let start = coordinates.last != nil && coordinates.last == path.coordinates.first ? 1 : 0
    for index in start..<max(start, path.count) { append([], before: index, of: path) }
  }
}

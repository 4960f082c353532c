/// Lines and areas with arcs of circles, which become straight lines.
extension WellKnownBinaryReader {
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
    arcCount += path.arcCount
    guard arcCount <= Path.mostArcs else {
      throw .unsupported(.wellKnownBinary, feature: "a shape of more than \(Path.mostArcs) arcs")
    }
    return path.drawingArcs()
  }
}

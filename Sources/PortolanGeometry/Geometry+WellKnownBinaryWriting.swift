extension Geometry {
  /// The shape in ISO well-known binary, little-endian.
  ///
  /// Lines and areas are always written as the multi-part kind, so that a table holds one kind
  /// only. Missing heights and measures are not-a-number, as is all of an empty point. A box
  /// becomes a polygon.
  public func wellKnownBinary() -> [UInt8] {
    var writer = WellKnownBinaryWriter(
      hasZ: paths.contains { $0.z != nil }, hasM: paths.contains { $0.m != nil })
    switch self {
    case .point: writer.points(paths[0])
    case .multipoint(let multipoint):
      writer.header(kind: 4, count: multipoint.points.count)
      writer.points(multipoint.points)
    case .polyline(let polyline):
      writer.header(kind: 5, count: polyline.paths.count)
      for path in polyline.paths {
        writer.header(kind: 2, count: path.count)
        writer.vertices(path)
      }
    case .polygon(let polygon): writer.parts(polygon.parts)
    case .envelope(let envelope): writer.parts(envelope.isEmpty ? [] : envelope.polygon.parts)
    }
    return writer.bytes
  }
}

/// Collects the bytes of one shape.
private struct WellKnownBinaryWriter {
  let hasZ: Bool
  let hasM: Bool
  private(set) var bytes: [UInt8] = []

  init(hasZ: Bool, hasM: Bool) {
    self.hasZ = hasZ
    self.hasM = hasM
  }

  mutating func header(kind: UInt32) {
    bytes.append(1)
    append(kind + (hasZ ? 1000 : 0) + (hasM ? 2000 : 0))
  }

  mutating func header(kind: UInt32, count: Int) {
    header(kind: kind)
    append(UInt32(clamping: count))
  }

  mutating func parts(_ parts: [Polygon.Part]) {
    header(kind: 6, count: parts.count)
    for part in parts {
      header(kind: 3, count: part.rings.count)
      for ring in part.rings {
        append(UInt32(clamping: ring.count))
        vertices(ring)
      }
    }
  }

  mutating func points(_ path: Path) {
    for index in path.coordinates.indices {
      header(kind: 1)
      vertex(path, index)
    }
  }

  mutating func vertices(_ path: Path) {
    for index in path.coordinates.indices { vertex(path, index) }
  }

  private mutating func vertex(_ path: Path, _ index: Int) {
    append(path.coordinates[index].x.bitPattern)
    append(path.coordinates[index].y.bitPattern)
    if hasZ { append((path.z?[index] ?? .nan).bitPattern) }
    if hasM { append((path.m?[index] ?? .nan).bitPattern) }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

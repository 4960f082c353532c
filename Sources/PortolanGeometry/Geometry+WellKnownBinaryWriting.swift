extension Geometry {
  /// The shape in ISO well-known binary, little-endian.
  ///
  /// With heights and measures if any part has them; see ``appendWellKnownBinary(to:hasZ:hasM:)``.
  public func wellKnownBinary() -> [UInt8] {
    var bytes: [UInt8] = []
    appendWellKnownBinary(
      to: &bytes, hasZ: paths.contains { $0.z != nil }, hasM: paths.contains { $0.m != nil })
    return bytes
  }

  /// Appends the shape in ISO well-known binary, little-endian.
  ///
  /// Lines and areas are always written as the multi-part kind, so that a table holds one kind
  /// only; rings are closed where they are open. Missing heights and measures are not-a-number, as
  /// is all of an empty point; those that are not asked for are left out. A box becomes a polygon.
  public func appendWellKnownBinary(to bytes: inout [UInt8], hasZ: Bool, hasM: Bool) {
    var writer = WellKnownBinaryWriter(hasZ: hasZ, hasM: hasM)
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    switch self {
    case .point(let point): writer.point(point)
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
  }
}

/// Collects the bytes of one shape.
private struct WellKnownBinaryWriter {
  let hasZ: Bool
  let hasM: Bool
  var bytes: [UInt8] = []

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
      let rings = part.rings.compactMap(\.closed)
      header(kind: 3, count: rings.count)
      for ring in rings {
        append(UInt32(clamping: ring.count))
        vertices(ring)
      }
    }
  }

  mutating func point(_ point: Point) {
    header(kind: 1)
    append(point.x.bitPattern)
    append(point.y.bitPattern)
    if hasZ { append((point.z ?? .nan).bitPattern) }
    if hasM { append((point.m ?? .nan).bitPattern) }
  }

  mutating func points(_ path: Path) {
    for index in path.coordinates.indices {
      header(kind: 1)
      vertex(path, index)
    }
  }

  mutating func vertices(_ path: Path) {
    bytes.reserveCapacity(bytes.count + path.count * (16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0)))
    for index in path.coordinates.indices { vertex(path, index) }
  }

  private mutating func vertex(_ path: Path, _ index: Int) {
    append(path.coordinates[index].x.bitPattern)
    append(path.coordinates[index].y.bitPattern)
    if hasZ { append(path.height(at: index).bitPattern) }
    if hasM { append(path.measure(at: index).bitPattern) }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

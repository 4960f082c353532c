/// Reads one shape from well-known binary; never beyond the bytes, and never allocates for a count
/// that they cannot hold.
struct WellKnownBinaryReader {
  /// The header of each shape, and of each of its parts.
  struct Header {
    let isBigEndian: Bool
    let kind: UInt32
    let hasZ: Bool
    let hasM: Bool

    /// The bytes of a vertex.
    var vertexSize: Int { 16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0) }
  }

  /// The place of the next byte.
  private(set) var offset = 0
  /// The number of arcs that were replaced by straight lines.
  var arcCount = 0

  /// Reads the kind of a shape: ISO codes (1001 with heights, 2001 with measures, 3001 with both)
  /// or the flag bits of PostGIS, whose reference id is skipped.
  mutating func header(_ bytes: RawSpan) throws(GeometryError) -> Header {
    let order = try load(bytes, as: UInt8.self)
    guard order <= 1 else { throw malformed("the byte order is neither 0 nor 1") }
    let isBigEndian = order == 0
    let code = try integer(bytes, isBigEndian: isBigEndian)
    if code & 0x2000_0000 != 0 { _ = try integer(bytes, isBigEndian: isBigEndian) }
    let plain = code & 0x0FFF_FFFF
    let family = plain / 1000
    guard family <= 3 else { throw malformed("the kind of shape \(code) is not known") }
    return Header(
      isBigEndian: isBigEndian, kind: plain % 1000,
      hasZ: family == 1 || family == 3 || code & 0x8000_0000 != 0,
      hasM: family >= 2 || code & 0x4000_0000 != 0)
  }

  /// Reads a number of parts, each of which takes at least `size` bytes.
  mutating func count(
    _ bytes: RawSpan, _ header: Header, of size: Int
  ) throws(GeometryError) -> Int {
    let count = Int(try integer(bytes, isBigEndian: header.isBigEndian))
    guard count <= (bytes.byteCount - offset) / size else {
      throw malformed("\(count) parts are announced, for which there are not enough bytes")
    }
    return count
  }

  /// Reads a vertex as a point, without ordinates that are not-a-number.
  mutating func point(_ bytes: RawSpan, _ header: Header) throws(GeometryError) -> Point {
    var point = Point(x: try double(bytes, header), y: try double(bytes, header))
    if header.hasZ {
      let z = try double(bytes, header)
      point.z = z.isNaN ? nil : z
    }
    if header.hasM {
      let m = try double(bytes, header)
      point.m = m.isNaN ? nil : m
    }
    return point
  }

  /// Reads `count` vertices, whose bytes are known to be there.
  mutating func vertices(
    _ bytes: RawSpan, _ header: Header, count: Int
  ) throws(GeometryError) -> Path {
    if !header.hasZ, !header.hasM, !header.isBigEndian, UInt16(littleEndian: 1) == 1 {
      return try positions(bytes, count: count)
    }
    var path = Path([], z: header.hasZ ? [] : nil, m: header.hasM ? [] : nil)
    path.coordinates.reserveCapacity(count)
    path.z?.reserveCapacity(count)
    path.m?.reserveCapacity(count)
    for _ in 0..<count {
      let x = try double(bytes, header)
      path.coordinates.append(Coordinate(x: x, y: try double(bytes, header)))
      if header.hasZ { path.z?.append(try double(bytes, header)) }
      if header.hasM { path.m?.append(try double(bytes, header)) }
    }
    return path
  }

  /// Reads positions alone in the order of this machine, which are as they are in memory.
  private mutating func positions(
    _ bytes: RawSpan, count: Int
  ) throws(GeometryError) -> Path {
    let size = count * MemoryLayout<Coordinate>.stride
    guard size <= bytes.byteCount - offset else { throw malformed("the bytes end too early") }
    let part = bytes.extracting(offset..<(offset + size))
    offset += size
    return Path(
      unsafe [Coordinate](unsafeUninitializedCapacity: count) { positions, initialized in
        unsafe part.withUnsafeBytes { bytes in
          unsafe UnsafeMutableRawBufferPointer(positions).copyMemory(from: bytes)
        }
        initialized = count
      })
  }

  func malformed(_ reason: String) -> GeometryError {
    .malformed(.wellKnownBinary, place: "byte \(offset)", reason: reason)
  }

  private mutating func integer(
    _ bytes: RawSpan, isBigEndian: Bool
  ) throws(GeometryError) -> UInt32 {
    let value = try load(bytes, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
  }

  private mutating func double(
    _ bytes: RawSpan, _ header: Header
  ) throws(GeometryError) -> Double {
    let value = try load(bytes, as: UInt64.self)
    return Double(
      bitPattern: header.isBigEndian ? UInt64(bigEndian: value) : UInt64(littleEndian: value))
  }

  private mutating func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: RawSpan, as type: Value.Type
  ) throws(GeometryError) -> Value {
    let size = MemoryLayout<Value>.size
    guard size <= bytes.byteCount - offset else { throw malformed("the bytes end too early") }
    defer { offset += size }
    // Every bit pattern is an integer.
    return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
  }
}

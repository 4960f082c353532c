internal import PortolanGeodatabase
internal import PortolanGeometry

/// The values of a geometry column in a GeoPackage: a header with an optional box, then
/// well-known binary.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1; [GeoPackageBinary](https://www.geopackage.org/spec131/#gpb_format)
enum GeoPackageBinary {
  /// The header before the well-known binary.
  struct Header {
    /// The offset of the well-known binary.
    let size: Int
    /// The box around the shape, if it is there and holds something.
    let extent: Envelope?
    let isEmpty: Bool
  }

  /// The first two bytes of every value.
  static let mark: (UInt8, UInt8) = (0x47, 0x50)
  private static let fixedSize = 8
  /// The bytes before the well-known binary of all shapes but points.
  static let sizeOfHeaderWithBox = fixedSize + 32
  /// The bytes of the box by its kind: none, xy, xyz, xym, xyzm.
  private static let boxSizes = [0, 32, 48, 48, 64]

  /// Reads a shape; `nil` if it has no vertices.
  static func geometry(
    of bytes: UnsafeRawBufferPointer
  ) throws(StoredShapeError) -> Geometry? {
    let header = try unsafe header(of: bytes)
    let shape = unsafe UnsafeRawBufferPointer(rebasing: bytes[header.size...])
    do {
      let geometry = try unsafe Geometry(wellKnownBinary: shape.bytes)
      return geometry.isEmpty ? nil : geometry
    } catch {
      throw StoredShapeError(error)
    }
  }

  /// The box around a shape, from the header where it has one; `nil` if there are no vertices.
  static func extent(
    of bytes: UnsafeRawBufferPointer
  ) throws(StoredShapeError) -> Envelope? {
    let header = try unsafe header(of: bytes)
    if header.isEmpty { return nil }
    if let extent = header.extent { return extent }
    return try unsafe geometry(of: bytes)?.extent
  }

  /// Reads what precedes the well-known binary.
  ///
  /// The number of the spatial reference is not looked at: that of the table holds.
  private static func header(
    of bytes: UnsafeRawBufferPointer
  ) throws(StoredShapeError) -> Header {
    guard bytes.count > fixedSize, unsafe bytes[0] == mark.0, unsafe bytes[1] == mark.1 else {
      throw .damaged(reason: "the shape does not begin as shapes in GeoPackages do")
    }
    let flags = unsafe bytes[3]
    guard flags & 0x20 == 0 else { throw .unsupported(feature: "an extended kind of shape") }
    let kind = Int(flags >> 1 & 7)
    guard kind < boxSizes.count else {
      throw .damaged(reason: "the kind of its box, \(kind), is not known")
    }
    let size = fixedSize + boxSizes[kind]
    guard size < bytes.count else { throw .damaged(reason: "the shape ends too early") }
    let isLittleEndian = flags & 1 == 1
    return unsafe Header(
      size: size, extent: kind == 0 ? nil : extent(in: bytes, isLittleEndian),
      isEmpty: flags & 0x10 != 0)
  }

  /// The box, whose edges are in the order west, east, south, north.
  private static func extent(
    in bytes: UnsafeRawBufferPointer, _ isLittleEndian: Bool
  ) -> Envelope? {
    func edge(_ index: Int) -> Double {
      let bits = unsafe bytes.loadUnaligned(
        fromByteOffset: fixedSize + 8 * index, as: UInt64.self)
      return Double(
        bitPattern: isLittleEndian ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
    }
    let extent = Envelope(xMin: edge(0), yMin: edge(2), xMax: edge(1), yMax: edge(3))
    return extent.isEmpty ? nil : extent
  }
}

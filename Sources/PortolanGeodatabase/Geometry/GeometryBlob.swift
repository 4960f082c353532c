package import PortolanGeometry

/// Shapes as mobile geodatabases store them ("geometryblob", ST_Geometry for SQLite).
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
package enum GeometryBlob {
  /// A shape that was read, with what could not be understood.
  package struct Decoded: Hashable, Sendable {
    /// The shape; `nil` if the blob says that there is none.
    package var geometry: Geometry?

    /// The bytes that follow the coordinates; empty for nearly all shapes.
    ///
    /// Probably curves, annotation or CAD data, whose form is not known.
    package var unknownBytes: [UInt8]
  }

  /// Reads a shape.
  ///
  /// Rings come out closed; where a part holds several, the first is its exterior. Memory is
  /// taken only after the vertices promised have been compared with the bytes there are.
  package static func decode(
    _ bytes: RawSpan, precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> Decoded {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(GeometryBlobError) in
      try unsafe decode(bytes, precision: precision)
    }
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> Decoded {
    let header = try unsafe GeometryBlobHeader(bytes)
    guard !header.isNil else { return Decoded(geometry: nil, unknownBytes: []) }
    var reader = unsafe VarintReader(bytes, in: header.stream)
    let channels = try BlobChannels(&reader, header: header, precision: precision)
    return Decoded(
      geometry: channels.geometry(of: header.shapeClass),
      unknownBytes: unsafe Array(bytes[reader.offset...]))
  }

  /// The box around a shape, or `nil` if there is none; from the header where it has one.
  package static func extent(
    of bytes: RawSpan, precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> Envelope? {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(GeometryBlobError) in
      try unsafe extent(of: bytes, precision: precision)
    }
  }

  static func extent(
    of bytes: UnsafeRawBufferPointer, precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> Envelope? {
    let header = try unsafe GeometryBlobHeader(bytes)
    guard !header.isNil, let box = try unsafe box(of: bytes, header) else { return nil }
    return Envelope(
      xMin: precision.x(box.xMin), yMin: precision.y(box.yMin), xMax: precision.x(box.xMax),
      yMax: precision.y(box.yMax))
  }

  private static func box(
    of bytes: UnsafeRawBufferPointer, _ header: GeometryBlobHeader
  ) throws(GeometryBlobError) -> GeometryBlobHeader.Box? {
    if let box = header.box { return box }
    var pairs = unsafe PairReader(bytes, header)
    var box = GeometryBlobHeader.Box(xMin: .max, yMin: .max, xMax: .min, yMax: .min)
    while try pairs.advance() {
      if pairs.isSeparator, header.shapeClass.hasSeparators { continue }
      box.xMin = min(box.xMin, pairs.x)
      box.yMin = min(box.yMin, pairs.y)
      box.xMax = max(box.xMax, pairs.x)
      box.yMax = max(box.yMax, pairs.y)
    }
    return box.xMin <= box.xMax ? box : nil
  }
}

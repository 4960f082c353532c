package import PortolanGeometry

/// Writes shapes as mobile geodatabases store them.
///
/// Coordinates are snapped to the grid of the precision; what was read from a blob is written
/// byte for byte as it was, but for the bits that no reader knows the meaning of.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
package struct GeometryBlobEncoder: Sendable {
  /// A shape as bytes, with its box for the spatial index.
  package struct Encoded: Hashable, Sendable {
    /// The blob.
    package var bytes: [UInt8]
    /// The box around the snapped coordinates; `nil` if there is no shape.
    package var extent: Envelope?
  }

  /// The grid.
  package let precision: CoordinatePrecision
  /// The number that the blobs name their spatial reference by, of which 24 bits are kept.
  package let srid: Int
  /// The type of the table's shapes.
  package let geometryType: GeometryType
  /// Whether heights are written; missing ones become 0, but those of points stay so.
  package let hasZ: Bool
  /// Whether measures are written; missing ones stay so.
  package let hasM: Bool

  /// Creates an encoder for the shapes of one table.
  package init(
    precision: CoordinatePrecision, srid: Int, geometryType: GeometryType, hasZ: Bool = false,
    hasM: Bool = false
  ) {
    self.precision = precision
    self.srid = srid
    self.geometryType = geometryType
    self.hasZ = hasZ
    self.hasM = hasM
  }

  /// Writes a shape; `nil` and shapes without vertices become the nil shape.
  package func encode(_ geometry: Geometry?) throws(GeometryBlobError) -> Encoded {
    guard let geometry, !geometry.isEmpty else { return Encoded(bytes: nilShape, extent: nil) }
    let shape = try BlobShape(geometry, for: self)
    return Encoded(
      bytes: try blob(of: shape, entity: entity(of: shape)), extent: envelope(of: shape.box))
  }

  var shapeClass: GeometryBlobHeader.ShapeClass {
    switch geometryType {
    case .point: .point
    case .multipoint: .multipoint
    case .polyline: .line
    case .polygon, .envelope: .polygon
    }
  }

  private var dimensions: UInt8 { (hasZ ? 1 : 0) | (hasM ? 2 : 0) }

  private var kind: UInt8 { shapeClass.rawValue << 2 | (hasZ ? 2 : 0) | (hasM ? 1 : 0) }

  private var nilShape: [UInt8] {
    start(pairCount: 0, entity: 0) + [0, 0, 0, 0, 1, dimensions, 0, 0]
  }

  private func start(pairCount: Int, entity: UInt8) -> [UInt8] {
    let id = UInt32(truncatingIfNeeded: srid)
    let count = UInt32(truncatingIfNeeded: pairCount)
    return [
      GeometryBlobHeader.mark, UInt8(truncatingIfNeeded: id), UInt8(truncatingIfNeeded: id >> 8),
      UInt8(truncatingIfNeeded: id >> 16), UInt8(truncatingIfNeeded: count),
      UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count >> 16),
      UInt8(truncatingIfNeeded: count >> 24), kind, entity,
    ]
  }

  private func entity(of shape: BlobShape) -> UInt8 {
    let base: UInt8 =
      switch shapeClass {
      case .point, .multipoint: 1
      case .polygon: 8
      case .line: LineSelfContact(shape.parts).isSimple ? 4 : 2
      }
    let isMultipart =
      shapeClass == .multipoint ? shape.pairCount > 1 : shape.parts.count > 1
    return isMultipart ? base | GeometryBlobHeader.multipartBit : base
  }

  private func blob(of shape: BlobShape, entity: UInt8) throws(GeometryBlobError) -> [UInt8] {
    let stream = shape.stream(hasZ: hasZ, hasM: hasM)
    guard stream.count < 1 << 27, shape.pairCount <= Int32.max else {
      throw .tooLarge(vertexCount: shape.pairCount)
    }
    var bytes = start(pairCount: shape.pairCount, entity: entity)
    bytes.reserveCapacity(stream.count + 64 + 5 * shape.parts.count)
    if shape.pairCount > GeometryBlobHeader.mostVerticesWithoutBox {
      for edge in [shape.box.xMin, shape.box.yMin, shape.box.xMax, shape.box.yMax] {
        bytes.appendVarint(edge)
      }
    }
    if shape.parts.count > 1 {
      bytes.appendVarint(Int64(shape.parts.count - 1))
      for part in shape.parts.dropLast() { bytes.appendVarint(Int64(part.count + 1)) }
    }
    let slot = bytes.count
    bytes.appendVarint(Int64(stream.count))
    while bytes.count < slot + 4 { bytes.append(0) }
    bytes += [1, dimensions, 0, 0]
    bytes += stream
    return bytes
  }

  private func envelope(of box: GeometryBlobHeader.Box) -> Envelope {
    Envelope(
      xMin: precision.x(box.xMin), yMin: precision.y(box.yMin), xMax: precision.x(box.xMax),
      yMax: precision.y(box.yMax))
  }
}

internal import PortolanGeodatabase
internal import PortolanGeometry

/// Writes shapes as GeoPackages store them: a header with the box, then well-known binary.
///
/// Points have no box, which would say the same again. Exterior rings run counter-clockwise.
///
/// - SeeAlso: ``GeoPackageBinary``
struct GeoPackageBinaryEncoder {
  /// The number of the spatial reference.
  let srsID: Int32
  /// The type of the table's shapes.
  let geometryType: GeometryType
  /// Whether heights are written.
  let hasZ: Bool
  /// Whether measures are written.
  let hasM: Bool
  /// Whether a shape that has no heights, or no measures, is written without; those of the others are
  /// not-a-number where they are missing.
  var keepsDimensions = false
  /// Whether a shape that has no heights is written without, whatever becomes of measures.
  var mayLackHeights = false

  /// An encoded shape.
  struct Encoded {
    /// The box; `nil` if there is no shape.
    var extent: Envelope?
    /// Whether it has heights or measures that the table has no place for.
    var isCut = false
    /// Whether it is written without heights although the table has them.
    var lacksHeights = false
    /// Whether it is written without measures although the table has them.
    var lacksMeasures = false
  }

  /// Writes a shape into `bytes`, whose room is used again; empty for `nil` and for shapes without
  /// vertices.
  ///
  /// - Throws: ``StoredShapeError`` if the shape is of another kind, or a coordinate no number.
  func encode(
    _ geometry: Geometry?, into bytes: inout [UInt8]
  ) throws(StoredShapeError) -> Encoded {
    bytes.removeAll(keepingCapacity: true)
    guard let geometry else { return Encoded() }
    if case .point(let point) = geometry { return try encode(point, into: &bytes) }
    guard let extent = try extent(of: geometry) else { return Encoded() }
    try checkType(of: geometry)
    appendHeader(withBox: true, to: &bytes)
    for edge in [extent.xMin, extent.xMax, extent.yMin, extent.yMax] {
      append(edge.bitPattern, to: &bytes)
    }
    return append(geometry, extent, to: &bytes)
  }

  private func encode(
    _ point: Point, into bytes: inout [UInt8]
  ) throws(StoredShapeError) -> Encoded {
    if point.x.isNaN { return Encoded() }
    guard point.x.isFinite, point.y.isFinite else { throw Self.notFinite }
    try checkType(of: .point(point))
    appendHeader(withBox: false, to: &bytes)
    let extent = Envelope(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y)
    return append(.point(point), extent, to: &bytes)
  }

  private func append(
    _ geometry: Geometry, _ extent: Envelope, to bytes: inout [UInt8]
  ) -> Encoded {
    let needsZ = !keepsDimensions && !mayLackHeights
    let writesZ = hasZ && (needsZ || geometry.paths.contains { $0.z.isKnown })
    let writesM = hasM && (!keepsDimensions || geometry.paths.contains { $0.m.isKnown })
    geometry.appendWellKnownBinary(to: &bytes, hasZ: writesZ, hasM: writesM)
    return Encoded(
      extent: extent,
      isCut: geometry.paths.contains { (!hasZ && $0.z != nil) || (!hasM && $0.m != nil) },
      lacksHeights: hasZ && !writesZ, lacksMeasures: hasM && !writesM)
  }

  private func checkType(of geometry: Geometry) throws(StoredShapeError) {
    let type = geometry.type == .envelope ? GeometryType.polygon : geometry.type
    guard type == geometryType else {
      throw .damaged(reason: "a \(type.word) does not fit a table of \(geometryType.word)s")
    }
  }

  /// The box around a shape, whose coordinates are all looked at.
  private func extent(of geometry: Geometry) throws(StoredShapeError) -> Envelope? {
    var extent = Envelope.empty
    if case .envelope(let envelope) = geometry { extent = envelope }
    // Stays 0 as long as all are finite.
    var sum = 0.0
    for path in geometry.paths {
      for coordinate in path.coordinates {
        extent.include(coordinate)
        sum += coordinate.x * 0 + coordinate.y * 0
      }
    }
    guard !extent.isEmpty || sum != 0 else { return nil }
    guard sum == 0, extent.xMin.isFinite, extent.yMin.isFinite, extent.xMax.isFinite,
      extent.yMax.isFinite
    else { throw Self.notFinite }
    return extent
  }

  private static let notFinite = StoredShapeError.damaged(reason: "a coordinate is no number")

  private func appendHeader(withBox hasBox: Bool, to bytes: inout [UInt8]) {
    bytes.append(GeoPackageBinary.mark.0)
    bytes.append(GeoPackageBinary.mark.1)
    bytes.append(0)
    bytes.append(hasBox ? 0b011 : 0b001)
    append(srsID, to: &bytes)
  }

  private func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

extension [Double]? {
  /// Whether there are heights or measures, and one at least is a number.
  fileprivate var isKnown: Bool { self?.contains { !$0.isNaN } == true }
}

extension GeometryType {
  /// The name of the kind in messages.
  fileprivate var word: String {
    switch self {
    case .point: "point"
    case .multipoint: "multipoint"
    case .polyline: "polyline"
    case .polygon, .envelope: "polygon"
    }
  }
}

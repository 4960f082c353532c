internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// Writes the shapes of a table of a GeoPackage.
struct GeoPackageShapeWriter: ShapeWriting {
  private let encoder: GeoPackageBinaryEncoder
  /// Whether the column is declared to hold single lines or areas.
  private let holdsSingleParts: Bool

  init(_ encoder: GeoPackageBinaryEncoder, holdsSingleParts: Bool = false) {
    self.encoder = encoder
    self.holdsSingleParts = holdsSingleParts
  }

  /// The range of coordinates that the spatial index can hold.
  var range: CoordinateRange {
    CoordinateRange(x: SpatialIndexBox.edgeRange, y: SpatialIndexBox.edgeRange)
  }

  func write(_ geometry: Geometry?, into bytes: inout [UInt8]) throws -> WrittenShape {
    let encoded = try encoder.encode(geometry, into: &bytes)
    if let extent = encoded.extent {
      try SpatialIndexBox.check(extent)
      if holdsSingleParts, let geometry { try Self.takeFromCollection(geometry, in: &bytes) }
    }
    return WrittenShape(
      extent: encoded.extent, isCut: encoded.isCut, lacksHeights: encoded.lacksHeights,
      lacksMeasures: encoded.lacksMeasures)
  }

  /// Removes the head of the collection that a shape of one part is written in.
  private static func takeFromCollection(
    _ geometry: Geometry, in bytes: inout [UInt8]
  ) throws(StoredShapeError) {
    let partCount: Int
    switch geometry {
    case .polyline(let polyline): partCount = polyline.paths.count
    case .polygon(let polygon): partCount = polygon.parts.count
    case .envelope: partCount = 1
    default: return
    }
    guard partCount == 1 else {
      throw .damaged(reason: "the table holds shapes of a single part")
    }
    // After the header with a box: byte order, kind and number of parts.
    bytes.removeSubrange(
      GeoPackageBinary.sizeOfHeaderWithBox..<GeoPackageBinary.sizeOfHeaderWithBox + 9)
  }
}

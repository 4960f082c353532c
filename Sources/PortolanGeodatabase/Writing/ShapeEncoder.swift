internal import PortolanFeatures
internal import PortolanGeometry

/// Writes the values of a table for the format of its file, as far as formats differ.
struct ShapeEncoder {
  private let blobs: GeometryBlobEncoder?
  private let packages: GeoPackageBinaryEncoder?
  /// The bytes of the last shape; empty if there is none, where the format writes `NULL` for it.
  private(set) var bytes: [UInt8] = []
  /// How many shapes have heights or measures that the table has no place for.
  private(set) var cutCount = 0

  /// Creates an encoder for the shapes of a table.
  init(_ shapes: TableLayout.Shapes, format: TableFormat) {
    switch format {
    case .geodatabase:
      blobs = GeometryBlobEncoder(
        precision: shapes.reference.precision, srid: Int(shapes.reference.srid),
        geometryType: shapes.type, hasZ: shapes.hasZ, hasM: shapes.hasM)
      packages = nil
    case .geoPackage:
      blobs = nil
      packages = GeoPackageBinaryEncoder(
        srsID: Int32(truncatingIfNeeded: shapes.reference.srid), geometryType: shapes.type,
        hasZ: shapes.hasZ, hasM: shapes.hasM)
    }
  }

  /// Writes a shape into ``bytes`` and returns its box; `nil` if there is no shape.
  mutating func encode(_ geometry: Geometry?) throws -> Envelope? {
    if let packages {
      let encoded = try packages.encode(geometry, into: &bytes)
      if let extent = encoded.extent { try SpatialIndexBox.check(extent) }
      if encoded.isCut { cutCount += 1 }
      return encoded.extent
    }
    guard let encoded = try blobs?.encode(geometry) else { return nil }
    bytes = encoded.bytes
    return encoded.extent
  }
}

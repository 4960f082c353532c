package import PortolanFeatureTables
package import PortolanFeatures
package import PortolanGeodatabase
package import PortolanGeometry
package import PortolanJSON
package import PortolanSQLite

/// GeoPackages.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
package struct GeoPackageFormat: TableFormat {
  package init() {}

  package var name: String { "GeoPackage" }
  package var editing: any FormatEditing { GeoPackageEditing() }

  /// `GPKG`, and `GP10` and `GP11` in the first releases of the standard.
  package var applicationIDs: Set<Int32> { [0x4750_4B47, 0x4750_3130, 0x4750_3131] }
  package var telltaleTables: [String] { ["gpkg_contents"] }
  package var systemPrefix: String? { "gpkg" }

  package var dialect: any SQLDialect { ISO8601Dialect() }

  /// The name without case.
  package func key(_ name: String) -> String { name.lowercased() }

  package func makeSchemaReader() -> any SchemaReading { GeoPackageSchemaReader() }

  /// The one that ``GeoPackageWriter`` kept beside the table.
  package func layerResource(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> JSONObject? {
    try GeoPackageTables.layerResources(of: table, connection).first?.json.object
  }

  /// Moments are stored as text.
  package func stored(_ value: AttributeValue, as type: ColumnType) -> SQLValue? {
    guard case .date(let date) = value, type == .realDate else { return type.stored(value) }
    return DateTimeText.text(of: date).map { .text($0) }
  }

  // MARK: - Shapes

  package var spatialIndexKey: String { "id" }
  package var storesGeometryBlobs: Bool { false }

  package func geometry(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Geometry? {
    try unsafe GeoPackageBinary.geometry(of: bytes)
  }

  package func extent(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Envelope? {
    try unsafe GeoPackageBinary.extent(of: bytes)
  }

  package func makeShapeWriter(_ shapes: TableLayout.Shapes) -> any ShapeWriting {
    GeoPackageShapeWriter(
      GeoPackageBinaryEncoder(
        srsID: Int32(truncatingIfNeeded: shapes.reference.srid), geometryType: shapes.type,
        hasZ: shapes.hasZ, hasM: shapes.hasM, keepsDimensions: true))
  }
}

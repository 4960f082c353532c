internal import Foundation
internal import PortolanFeatureTables
package import PortolanFeatures
package import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite

/// Mobile geodatabases.
///
/// - SeeAlso: Docs/FORMATS.md, 2
struct GeodatabaseFormat: TableFormat {
  var name: String { "geodatabase" }
  var editing: any FormatEditing { GeodatabaseEditingRules() }

  /// `Esri`.
  var applicationIDs: Set<Int32> { [0x4573_7269] }
  var telltaleTables: [String] { ["st_geometry_columns", "GDB_Items"] }
  var systemPrefix: String? { nil }

  var dialect: any SQLDialect { JulianDayDialect() }
  var spatialIndexKey: String { "pkid" }
  var storesGeometryBlobs: Bool { true }

  /// The name without case and without qualifiers.
  func key(_ name: String) -> String { TableName.key(name) }

  func makeSchemaReader() -> any SchemaReading { SchemaReader() }

  func layerResource(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> JSONObject? {
    try ServiceItems.json(in: "ItemInfo", of: table, connection)
  }

  func stored(_ value: AttributeValue, as type: ColumnType) -> SQLValue? { type.stored(value) }

  // MARK: - Shapes

  func geometry(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Geometry? {
    guard let precision = column.precision else {
      throw .damaged(reason: "nothing says how the coordinates of the table are stored")
    }
    do { return try unsafe GeometryBlob.decode(bytes, precision: precision).geometry } catch {
      throw StoredShapeError(error)
    }
  }

  func extent(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Envelope? {
    guard let precision = column.precision else { return nil }
    do { return try unsafe GeometryBlob.extent(of: bytes, precision: precision) } catch {
      throw StoredShapeError(error)
    }
  }

  func makeShapeWriter(_ shapes: TableLayout.Shapes) -> any ShapeWriting {
    GeometryBlobEncoder(
      precision: shapes.reference.precision, srid: Int(shapes.reference.srid),
      geometryType: shapes.type, hasZ: shapes.hasZ, hasM: shapes.hasM)
  }
}

extension GeometryBlobEncoder: ShapeWriting {
  package var range: CoordinateRange { precision.range }

  package func write(
    _ geometry: Geometry?, into bytes: inout [UInt8]
  ) throws -> WrittenShape {
    let encoded = try encode(geometry)
    bytes = encoded.bytes
    return WrittenShape(extent: encoded.extent)
  }
}

package import PortolanFeatureTables
package import PortolanFeatures
package import PortolanGeometry
package import PortolanJSON
package import PortolanSQLite

/// The differences between the formats of feature tables in SQLite, for reading and filling them.
///
/// - SeeAlso: ``FormatEditing``
package protocol TableFormat: Sendable {
  /// The name of the format in messages.
  var name: String { get }
  /// The differences of the format for editing.
  var editing: any FormatEditing { get }

  // MARK: Telling files apart

  /// The application ids in the header of a file.
  var applicationIDs: Set<Int32> { get }
  /// The tables that only files of the format have, of which one is enough.
  var telltaleTables: [String] { get }
  /// How the names of tables begin in whose place no view may be, since they are read without being
  /// asked for; `nil` if views there cannot be read anyway.
  var systemPrefix: String? { get }

  // MARK: Tables

  /// How moments are stored in columns.
  var dialect: any SQLDialect { get }
  /// The name of a table as a key.
  func key(_ name: String) -> String
  /// A reader of what a file says about its tables.
  func makeSchemaReader() -> any SchemaReading
  /// The layer resource that the file holds of a table; `nil` if there is none in JSON.
  func layerResource(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> JSONObject?

  // MARK: Values

  /// A value as a column stores it; `nil` if it does not fit.
  func stored(_ value: AttributeValue, as type: ColumnType) -> SQLValue?

  // MARK: Shapes

  /// The column of a spatial index that holds the key of a row.
  var spatialIndexKey: String { get }
  /// Whether shapes are stored as Esri's geometry blobs, which are hit without being decoded.
  var storesGeometryBlobs: Bool { get }
  /// The shape that a value holds; `nil` if it has no vertices.
  func geometry(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Geometry?
  /// The box around the shape that a value holds; `nil` if it has no vertices.
  func extent(
    of bytes: UnsafeRawBufferPointer, in column: GeometryColumn
  ) throws(StoredShapeError) -> Envelope?
  /// Writes the shapes of a new table.
  func makeShapeWriter(_ shapes: TableLayout.Shapes) -> any ShapeWriting
}

extension TableFormat {
  /// Refuses files of another format, from the first page where that is enough.
  func check(
    _ connection: borrowing Connection, _ location: GeodatabaseLocation
  ) throws(FeatureStoreError) {
    let (isForged, isKnown): (Bool, Bool)
    do {
      isForged = try hasForgedTables(connection)
      isKnown = try isOfFormat(connection)
    } catch {
      throw location.failure(error, in: "its header")
    }
    guard !isForged else {
      throw .unsupported(file: location.name, feature: "views in the place of system tables")
    }
    guard !isKnown else { return }
    throw .unsupported(file: location.name, feature: "tables that are not those of a \(name)")
  }

  private func isOfFormat(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
    if applicationIDs.contains(try connection.applicationID()) { return true }
    for table in telltaleTables
    where try !SystemTables.columns(of: table, connection).isEmpty {
      return true
    }
    return false
  }

  private func hasForgedTables(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    guard let systemPrefix else { return false }
    let query = try connection.query(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name LIKE ?1 || '%' LIMIT 1",
      .text(systemPrefix))
    return try query.step()
  }
}

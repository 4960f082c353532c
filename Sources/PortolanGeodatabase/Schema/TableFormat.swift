internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanSQLite

/// The formats whose tables this module reads, and in what they differ.
enum TableFormat: Hashable, Sendable {
  case geodatabase
  case geoPackage

  /// How moments lie in columns.
  var dialect: any SQLDialect {
    switch self {
    case .geodatabase: JulianDayDialect()
    case .geoPackage: ISO8601Dialect()
    }
  }

  /// The column of a spatial index that holds the key of a row.
  var spatialIndexKey: String {
    switch self {
    case .geodatabase: "pkid"
    case .geoPackage: "id"
    }
  }

  /// A reader of what a file says about its tables.
  func makeSchemaReader() -> any SchemaReading {
    switch self {
    case .geodatabase: SchemaReader()
    case .geoPackage: GeoPackageSchemaReader()
    }
  }

  /// The name of a table as a key: without case, in geodatabases also without qualifiers.
  func key(_ name: String) -> String {
    switch self {
    case .geodatabase: TableName.key(name)
    case .geoPackage: name.lowercased()
    }
  }

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

  /// Whether views stand where system tables are due, which are read without being asked for.
  private func hasForgedTables(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    guard self == .geoPackage else { return false }
    let query = try connection.query(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name LIKE 'gpkg%' LIMIT 1")
    return try query.step()
  }

  /// What the header says in files of the format: `Esri`; `GPKG`, and `GP10` and `GP11` in the
  /// first releases of GeoPackage.
  private var applicationIDs: Set<Int32> {
    switch self {
    case .geodatabase: [0x4573_7269]
    case .geoPackage: [0x4750_4B47, 0x4750_3130, 0x4750_3131]
    }
  }

  /// The tables that only files of the format have, of which one is enough.
  private var telltaleTables: [String] {
    switch self {
    case .geodatabase: ["st_geometry_columns", "GDB_Items"]
    case .geoPackage: ["gpkg_contents"]
    }
  }

  private var name: String {
    switch self {
    case .geodatabase: "geodatabase"
    case .geoPackage: "GeoPackage"
    }
  }
}

/// Puts together what a file says about its tables.
///
/// What is read once may be kept while the reader lives, so that all tables cost little more than
/// one.
protocol SchemaReading {
  /// The tables that people are meant to see, in the order of the file.
  mutating func tableNames(_ connection: borrowing Connection) throws(DatabaseError) -> [String]

  /// How a table is laid out; `nil` if there is no such table.
  mutating func storage(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage?

  /// What a table holds.
  mutating func schema(
    of storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema

  /// The attachments of a table, if it has any.
  mutating func attachmentTable(
    of storage: TableStorage, globalIDField: String?, _ connection: borrowing Connection
  ) throws(DatabaseError) -> AttachmentTable?
}

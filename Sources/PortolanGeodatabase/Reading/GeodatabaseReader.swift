public import PortolanFeatures
public import PortolanSQLite

public import struct Foundation.URL

/// Reads a mobile geodatabase, or a GeoPackage, on a connection of its own, synchronously.
///
/// For work that makes many small calls, such as identify: ``FileFeatureStore/read(_:)`` lends a
/// reader off the cooperative pool. One thread uses it at a time. Every function throws
/// `FeatureStoreError`: `cancelled` when the lending task is cancelled, `damaged` with the table
/// and, where it is known, the row.
///
/// - SeeAlso: Docs/FORMATS.md, 2
public struct GeodatabaseReader: ~Copyable {
  package let connection: Connection
  package let source: GeodatabaseSource
  let statements = StatementCache()

  /// Opens a geodatabase; see ``Geodatabase``.
  ///
  /// - Throws: `FeatureStoreError`.
  public init(at url: URL) throws(FeatureStoreError) {
    try self.init(GeodatabaseSource(.file(url)))
  }

  /// Opens a geodatabase that lies uncompressed in another file.
  public init(at region: FileRegion) throws(FeatureStoreError) {
    try self.init(GeodatabaseSource(.region(region)))
  }

  package init(_ source: GeodatabaseSource) throws(FeatureStoreError) {
    try self.init(source, on: source.location.connect())
  }

  /// Reads on a connection that is open already, and may be one for editing.
  init(
    _ source: GeodatabaseSource, on connection: consuming Connection
  ) throws(FeatureStoreError) {
    try source.format.check(connection, source.location)
    self.connection = connection
    self.source = source
  }

  /// Runs SQLite calls, with errors that name the file and the place.
  func translating<T>(
    _ place: @autoclosure () -> String, _ body: () throws(DatabaseError) -> T
  ) throws(FeatureStoreError) -> T {
    do { return try body() } catch { throw source.location.failure(error, in: place()) }
  }
}

extension GeodatabaseReader {
  /// Moves a query to its next row, with errors that name the file and the place.
  borrowing func step(
    _ query: borrowing Query, _ place: @autoclosure () -> String
  ) throws(FeatureStoreError) -> Bool {
    do { return try query.step() } catch { throw source.location.failure(error, in: place()) }
  }

  /// Moves a query along the rows of a table or view, which may have some that cannot be computed.
  borrowing func step(
    _ query: borrowing Query, alongRowsOf table: String
  ) throws(FeatureStoreError) -> Bool {
    do { return try query.step() } catch { throw source.location.failure(error, inRowsOf: table) }
  }
}

// MARK: - Tables

extension GeodatabaseReader {
  /// The tables, in the order of the file; attachment tables are not among them.
  public borrowing func schemas() throws(FeatureStoreError) -> [FeatureTableSchema] {
    var reader = source.format.makeSchemaReader()
    var schemas: [FeatureTableSchema] = []
    for name in try tableNames(&reader) {
      // A service may describe tables that the file does not hold.
      guard let storage = try existingStorage(of: name) else { continue }
      schemas.append(try schema(of: storage, &reader))
    }
    return schemas
  }

  /// The content that the tables do not show, in the order of the file.
  public borrowing func gaps() throws(FeatureStoreError) -> [TableGap] {
    var reader = source.format.makeSchemaReader()
    var gaps: [TableGap] = []
    for name in try tableNames(&reader) {
      if let storage = try existingStorage(of: name) {
        guard storage.geometry?.holdsForeignShapes == true,
          try schema(of: storage, &reader).geometryType == nil
        else { continue }
        gaps.append(TableGap(table: storage.name, .shapes))
      } else if let gap = try viewGap(of: name) {
        gaps.append(gap)
      }
    }
    return gaps
  }

  /// Why a view is not shown; `nil` if there is no view of that name.
  private borrowing func viewGap(of view: String) throws(FeatureStoreError) -> TableGap? {
    try translating("the list of tables") { () throws(DatabaseError) in
      try SchemaItem.gap(of: view, connection)
    }
  }

  /// The schema of a table, also of one that is not listed.
  public borrowing func schema(of table: String) throws(FeatureStoreError) -> FeatureTableSchema {
    var reader = source.format.makeSchemaReader()
    return try schema(of: storage(of: table), &reader)
  }

  private borrowing func schema(
    of storage: TableStorage, _ reader: inout any SchemaReading
  ) throws(FeatureStoreError) -> FeatureTableSchema {
    let key = source.format.key(storage.name)
    if let schema = source.schema(key) { return schema }
    let schema = try translating("the definition of \(storage.name)") { () throws(DatabaseError) in
      try reader.schema(of: storage, connection)
    }
    source.keep(schema, for: key)
    return schema
  }

  private borrowing func tableNames(
    _ reader: inout any SchemaReading
  ) throws(FeatureStoreError) -> [String] {
    if let names = source.tableNames { return names }
    let names = try translating("the list of tables") { () throws(DatabaseError) in
      try reader.tableNames(connection)
    }
    source.tableNames = names
    return names
  }

  /// How a table is laid out.
  borrowing func storage(of table: String) throws(FeatureStoreError) -> TableStorage {
    if let storage = try existingStorage(of: table) { return storage }
    var reader = source.format.makeSchemaReader()
    throw .noSuchTable(name: table, available: try tableNames(&reader))
  }

  private borrowing func existingStorage(
    of table: String
  ) throws(FeatureStoreError) -> TableStorage? {
    let key = source.format.key(table)
    if let storage = source.storage(key) { return storage }
    let storage = try translating("the definition of \(table)") { () throws(DatabaseError) in
      try connection.readTransaction { connection throws(DatabaseError) in
        var reader = source.format.makeSchemaReader()
        return try reader.storage(of: table, connection)
      }
    }
    if let storage { source.keep(storage, for: key) }
    return storage
  }

  /// The attachments of a table, if it has any.
  borrowing func attachmentTable(
    of table: String
  ) throws(FeatureStoreError) -> AttachmentTable? {
    let key = source.format.key(table)
    if let known = source.attachmentTable(key) { return known }
    let (storage, schema) = (try storage(of: table), try schema(of: table))
    let found = try translating("the attachments of \(table)") { () throws(DatabaseError) in
      var reader = source.format.makeSchemaReader()
      return try reader.attachmentTable(
        of: storage, globalIDField: schema.globalIDField, connection)
    }
    source.keep(found, for: key)
    return found
  }
}

public import Foundation
public import PortolanFeatures
public import PortolanGeometry
public import PortolanJSON
public import PortolanSQLite

/// A mobile geodatabase, opened for reading.
///
/// The file is opened as immutable, and nobody may write to it meanwhile, unless there is a
/// journal beside it: then it is read with locks, and what the journal holds is seen. Several
/// tasks are answered at once, each on a connection of its own, off the cooperative pool. Opening
/// reads no table; each is looked at when it is first asked for. Tables that keep their history
/// show current rows.
///
/// - SeeAlso: Docs/FORMATS.md, 2
public final class Geodatabase: ChangeTrackingStore {
  private let pool: ReaderPool

  private init(_ location: GeodatabaseLocation) throws(FeatureStoreError) {
    pool = try ReaderPool(GeodatabaseSource(location), mostSessions: 4)
  }

  /// Opens a file.
  ///
  /// - Throws: ``FeatureStoreError``: `unreadable` if it is absent or may not be read, `damaged`
  ///   if it is no SQLite file, `unsupported` if it is one of another kind.
  public static func open(at url: URL) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.file(url))
  }

  /// Opens a geodatabase that lies uncompressed in another file, such as a package.
  public static func open(at region: FileRegion) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.region(region))
  }

  /// Lends a reader for several synchronous calls; see ``GeodatabaseReader``.
  ///
  /// Cancelling the task stops the running statement.
  public func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await pool.withSession { session throws(FeatureStoreError) in
      try await session.lend(body)
    }
  }

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await read { reader throws(FeatureStoreError) in try reader.schemas() }
  }

  /// What a table holds; any table of the file can be asked for.
  public func schema(of table: String) async throws(FeatureStoreError) -> FeatureTableSchema {
    try await read { reader throws(FeatureStoreError) in try reader.schema(of: table) }
  }

  /// The name of the table that packages refer to by `?itemId=`; `nil` if there is none.
  public func tableName(ofServiceLayer id: Int) async throws(FeatureStoreError) -> String? {
    try await read { reader throws(FeatureStoreError) in try reader.tableName(ofServiceLayer: id) }
  }

  /// The layer resource of a table as the service described it; `nil` if it did not.
  ///
  /// Its `drawingInfo` is what to draw with where a map says nothing.
  public func layerResource(of table: String) async throws(FeatureStoreError) -> JSONObject? {
    try await read { reader throws(FeatureStoreError) in try reader.layerResource(of: table) }
  }

  /// The `drawingInfo` of a table with CIM symbols; `nil` if there is none.
  public func advancedDrawingInfo(
    of table: String
  ) async throws(FeatureStoreError) -> JSONObject? {
    try await read { reader throws(FeatureStoreError) in
      try reader.advancedDrawingInfo(of: table)
    }
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [pool] in
      let cursor = PendingCursor(pool, table: table, query: query)
      return { () throws(FeatureStoreError) in try await cursor.nextPage() }
    }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await read { reader throws(FeatureStoreError) in
      try reader.count(in: table, matching: query)
    }
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await read { reader throws(FeatureStoreError) in
      try reader.extent(of: table, matching: query)
    }
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try await read { reader throws(FeatureStoreError) in
      try reader.relatedFeatures(to: objectID, in: table, through: relationship)
    }
  }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try await read { reader throws(FeatureStoreError) in
      try reader.attachments(of: objectID, in: table)
    }
  }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try await read { reader throws(FeatureStoreError) in
      try reader.data(of: attachment, in: table)
    }
  }

  /// The object ids of the features that a tap meets; see
  /// ``GeodatabaseReader/objectIDs(in:touching:within:limit:)``.
  public func objectIDs(
    in table: String, touching place: Coordinate, within tolerance: Double, limit: Int = .max
  ) async throws(FeatureStoreError) -> [Int64] {
    try await read { reader throws(FeatureStoreError) in
      try reader.objectIDs(in: table, touching: place, within: tolerance, limit: limit)
    }
  }
}

public import Foundation
public import PortolanFeatures
public import PortolanJSON
public import PortolanSQLite

/// A mobile geodatabase, opened for reading.
///
/// The file is opened as immutable, and nobody may write to it meanwhile, unless there is a
/// journal beside it: then it is read with locks, and what the journal holds is seen. Opening
/// reads no table; each is looked at when it is first asked for. Tables that keep their history
/// show current rows.
///
/// - SeeAlso: Docs/FORMATS.md, 2
public final class Geodatabase: FileFeatureStore, ChangeTrackingStore {
  private let pool: ReaderPool

  private init(
    _ location: GeodatabaseLocation, _ sideIndexes: SideIndexFolder?
  ) throws(FeatureStoreError) {
    let source = GeodatabaseSource(location, sideIndexes: sideIndexes)
    pool = try ReaderPool(source, mostSessions: 4)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - sideIndexes: Where ``buildSideIndexes(leastRows:)`` keeps what makes taps fast; without a
  ///     folder there is no such thing.
  /// - Returns: The geodatabase, of which no table was read.
  /// - Throws: ``FeatureStoreError``: `unreadable` if it is absent or may not be read, `damaged`
  ///   if it is no SQLite file, `unsupported` if it is one of another kind.
  public static func open(
    at url: URL, sideIndexes: SideIndexFolder? = nil
  ) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.file(url), sideIndexes)
  }

  /// Opens a geodatabase that lies uncompressed in another file, such as a package.
  public static func open(
    at region: FileRegion, sideIndexes: SideIndexFolder? = nil
  ) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.region(region), sideIndexes)
  }

  /// Makes the side indexes of tables with many shapes, by which taps find these some five times
  /// as fast; those of the file as it is are kept.
  ///
  /// Takes seconds for a million shapes, on a connection of its own, so that others go on reading;
  /// they use an index as soon as it is complete. Cancelling the task leaves the tables done so far.
  ///
  /// - Parameter leastRows: The fewest rows of a table that gets one; in smaller tables the spatial
  ///   index of the file does as well.
  /// - Returns: The tables that have an index now.
  /// - Throws: ``FeatureStoreError``; taps are answered all the same.
  @discardableResult
  public func buildSideIndexes(
    leastRows: Int = 5_000
  ) async throws(FeatureStoreError) -> [String] {
    guard pool.source.sideIndexes != nil else { return [] }
    let tables = try await read { reader throws(FeatureStoreError) in
      try reader.buildSideIndexes(leastRows: leastRows)
    }
    pool.source.sideIndexes?.removeStale()
    return tables
  }

  public func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await pool.read(body)
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    pool.features(in: table, matching: query)
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
}

public import Foundation
public import PortolanFeatures
public import PortolanJSON
public import PortolanSQLite

/// A mobile geodatabase, opened for reading.
///
/// Others may write to the file meanwhile: each call sees what was committed last, and each walk
/// along features one state of the file to its end. Opening reads no table; each is looked at when
/// it is first requested. Tables with archiving show current rows.
///
/// - SeeAlso: Docs/FORMATS.md, 2
public final class Geodatabase: ReadOnlyFileStore {
  public let pool: ReaderPool

  private init(_ location: GeodatabaseLocation) throws(FeatureStoreError) {
    pool = try ReaderPool(opening: GeodatabaseSource(location), mostShared: 4)
  }

  /// Opens a file.
  ///
  /// - Parameter url: The file.
  /// - Returns: The geodatabase, of which no table was read.
  /// - Throws: `FeatureStoreError`: `unreadable` if it is absent or may not be read, `damaged`
  ///   if it is no SQLite file, `unsupported` if it is one of another kind.
  public static func open(at url: URL) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.file(url))
  }

  /// Opens a geodatabase that lies uncompressed in another file, such as a package.
  public static func open(at region: FileRegion) throws(FeatureStoreError) -> Geodatabase {
    try Geodatabase(.region(region))
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

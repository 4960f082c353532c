public import Foundation
public import PortolanFeatures
public import PortolanGeodatabase
public import PortolanJSON
public import PortolanSQLite

/// A GeoPackage, opened for reading.
///
/// Read leniently: what the standard demands beside the rows themselves may be missing or wrong.
/// Tables of features and of attributes are shown, views as well; tiles are not. Media tables are
/// the attachments of the first table they belong to. Shapes are tested against a box through the
/// spatial index where there is one, else through the boxes that each shape carries. Curves and
/// collections are refused in the row that holds one; the rows after it can be read.
///
/// Others may write to the file meanwhile, as with a `Geodatabase`.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1; [OGC 12-128r18](https://www.geopackage.org/spec131/)
public final class GeoPackage: ReadOnlyFileStore {
  public let pool: ReaderPool

  private init(_ location: GeodatabaseLocation) throws(FeatureStoreError) {
    pool = try ReaderPool(
      opening: GeodatabaseSource(location, format: GeoPackageFormat()), mostShared: 4)
  }

  /// Opens a file.
  ///
  /// - Throws: `FeatureStoreError`: `unreadable` if it is absent or may not be read, `damaged`
  ///   if it is no SQLite file, `unsupported` if it is one of another kind.
  public static func open(at url: URL) throws(FeatureStoreError) -> GeoPackage {
    try GeoPackage(.file(url))
  }

  /// Opens a GeoPackage that lies uncompressed in another file.
  public static func open(at region: FileRegion) throws(FeatureStoreError) -> GeoPackage {
    try GeoPackage(.region(region))
  }

  /// The layer resource that ``GeoPackageWriter`` kept beside a table; `nil` if there is none.
  public func layerResource(of table: String) async throws(FeatureStoreError) -> JSONObject? {
    try await read { reader throws(FeatureStoreError) in
      try reader.layerResource(of: table)
    }
  }
}

extension GeodatabaseReader {
  /// Opens a GeoPackage; see ``GeoPackage``.
  public init(atGeoPackage url: URL) throws(FeatureStoreError) {
    try self.init(GeodatabaseSource(.file(url), format: GeoPackageFormat()))
  }
}

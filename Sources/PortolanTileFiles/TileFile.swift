public import Foundation
public import PortolanArchives
internal import PortolanSQLite
public import PortolanTiles

/// A file or folder of tiles of any kind that is read; the kind is detected by content.
public enum TileFile: Sendable {
  /// A tile package, a cache or a vector tile package.
  case package(TilePackageFile)
  case mbtiles(MBTilesFile)
  case pmtiles(PMTilesFile)
  /// A GeoPackage, which may have no tables of tiles, or several.
  case geoPackage(GeoPackageTiles)
  /// A folder with a file for each tile, `Z/X/Y.png`.
  case folder(TileFolderSource)

  /// Opens a file or folder.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - access: How bytes are read.
  /// - Returns: The file, of whose tiles none or one was read.
  /// - Throws: `TileError.unsupported(file:reason:)` if it holds no tiles that are known.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> TileFile {
    guard !FolderTileContainer.isFolder(url) else {
      guard !TileFolderSource.isOne(url) else { return .folder(try TileFolderSource.open(url)) }
      return .package(try TilePackageFile.open(url, access: access))
    }
    // A database may be open in this program, whose locks on it would go with a descriptor of its own. What cannot
    // be read says so below.
    if let head = try? LockedFileBytes.bytes(of: url, in: 0..<16), isDatabase(head) {
      return try database(at: url, access: access)
    }
    let source: FileByteSource
    do { source = try FileByteSource(at: url, access: access) } catch { throw TileError(error) }
    let head = try source.bytes(0..<min(source.count, 16))
    if PMTilesFile.isBeginning(head) {
      return .pmtiles(try PMTilesFile.open(source))
    }
    guard isDatabase(head) else { return .package(try TilePackageFile.open(source)) }
    return try database(at: url, access: access)
  }

  private static func isDatabase(_ head: Data) -> Bool {
    head.starts(with: Data("SQLite format 3\0".utf8))
  }

  private static func database(
    at url: URL, access: FileByteSource.Access
  ) throws(TileError) -> TileFile {
    let database = try TileDatabase(at: url, access: access)
    return try database.declaration(of: "gpkg_contents") != nil
      ? .geoPackage(GeoPackageTiles(database)) : .mbtiles(MBTilesFile(database))
  }

  /// The sets of tiles in it.
  public var sources: [any TileSource] {
    switch self {
    case .package(let package): [package.source]
    case .mbtiles(let file): [file]
    case .pmtiles(let file): [file]
    case .geoPackage(let file): file.tables
    case .folder(let folder): [folder]
    }
  }
}

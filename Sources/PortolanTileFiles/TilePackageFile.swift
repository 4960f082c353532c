public import Foundation
public import PortolanArchives
public import PortolanTiles

/// A tile package of either kind, which is detected by content.
public enum TilePackageFile: Sendable {
  /// Pictures.
  case raster(TilePackage)
  /// Vector tiles with their style.
  case vector(VectorTilePackage)

  /// Opens a file or folder.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - access: How bytes are read: `FileByteSource.Access.mapped` makes reading tiles twice as
  ///     fast, and is for files that no other program truncates.
  /// - Returns: The package, of whose tiles none was read.
  /// - Throws: `TileError.unsupported(file:reason:)` if it is no tile package at all.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> TilePackageFile {
    try open(PackageOpening.contents(of: url, access: access))
  }

  /// Opens an archive that is part of another file, for example a package stored in a mobile map
  /// package, or in memory.
  public static func open(_ source: any ByteSource) throws(TileError) -> TilePackageFile {
    try open(PackageOpening.contents(of: source))
  }

  /// Opens an archive whose directory was read already.
  public static func open(_ archive: ZIPArchive) throws(TileError) -> TilePackageFile {
    try open(ArchiveTileContainer(archive))
  }

  /// Whether a folder holds the document that describes a cache, be it damaged.
  public static func isCache(_ folder: URL) -> Bool {
    documents.contains { !paths(named: $0, in: folder).isEmpty }
  }

  /// Whether a folder holds several caches or unpacked packages, each in a folder of its own, and is none
  /// itself.
  public static func holdsSeveral(_ folder: URL) -> Bool {
    // Whatever folders it has, a folder with item information is one package.
    guard !FolderTileContainer.isFolder(folder.appending(path: "esriinfo")) else { return false }
    // Most caches say at the top what they are, so that nothing has to be searched.
    let isOne = documents.contains { name in
      FileManager.default.fileExists(
        atPath: folder.appending(path: name).path(percentEncoded: false))
    }
    guard !isOne else { return false }
    let found = documents.flatMap { paths(named: $0, in: folder) }
    guard found.allSatisfy({ $0.contains("/") }) else { return false }
    return Set(found.compactMap { $0.split(separator: "/").first }).count > 1
  }

  /// The names of the documents that describe a cache.
  private static let documents = ["root.json", "conf.xml"]

  private static func paths(named name: String, in folder: URL) -> [String] {
    // What cannot be listed holds nothing that can be read.
    (try? FolderTileContainer(folder, access: .copying).paths(named: name)) ?? []
  }

  /// The tiles, whichever they are.
  public var source: any TileSource {
    switch self {
    case .raster(let package): package
    case .vector(let package): package
    }
  }

  private static func open(_ contents: any TileContainer) throws(TileError) -> TilePackageFile {
    let document = try CacheDocument.find(in: contents)
    return document.isVector
      ? .vector(try VectorTilePackage(contents, document))
      : .raster(try TilePackage(contents, document))
  }
}

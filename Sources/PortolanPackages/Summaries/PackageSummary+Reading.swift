public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanTileFiles
internal import PortolanTiles

extension PackageSummary {
  /// Reads the metadata of a file or folder.
  ///
  /// - Parameter url: The file or folder.
  /// - Returns: The summary; `nil` if it is of no kind that is known.
  /// - Throws: ``PackageError`` if it is of a known kind, by its content or its name, and cannot be
  ///   read.
  public static func read(at url: URL) throws(PackageError) -> PackageSummary? {
    if Self.isFolder(url) { return try FolderSummary(url: url).summary() }
    do {
      return try file(at: url)
    } catch let error as PackageError {
      throw error
    } catch {
      throw .unreadable(file: url.lastPathComponent, reason: error.plainReason)
    }
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(
      atPath: url.path(percentEncoded: false), isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func file(at url: URL) throws -> PackageSummary? {
    let title = url.deletingPathExtension().lastPathComponent
    // A database may be open in this program, and is not opened by its bytes.
    if let found = FileSignature.head(of: url).map(FileSignature.init), found.isDatabase {
      return try DatabaseSummary(url: url, title: title, signature: found).summary()
    }
    let source = try FileByteSource(at: url)
    let signature = FileSignature(try source.read(0..<min(source.count, FileSignature.length)))
    switch signature {
    case .geodatabase, .geoPackage, .otherDatabase:
      return try DatabaseSummary(url: url, title: title, signature: signature).summary()
    case .archive:
      return try ArchiveSummary(archive: ZIPArchive(source), title: title).summary()
    case .pmtiles: return PackageSummary(.pmtiles, of: try PMTilesFile.open(source).info)
    case .object where isMap(url), .geoJSON where isMap(url):
      return PackageSummary(kind: .map, title: title)
    case .geoJSON,
      .object where isGeoJSON(url):
      guard try isClosed(source) else {
        throw PackageError.damaged(
          file: url.lastPathComponent, place: "its end", reason: "it was cut off")
      }
      return PackageSummary(kind: .geoJSON, title: title)
    case .locator: return PackageSummary(kind: .locator, title: title)
    case .object, .unknown:
      guard knownExtensions.contains(url.pathExtension.lowercased()) || isGeoJSON(url) else {
        return nil
      }
      throw PackageError.damaged(
        file: url.lastPathComponent, place: "its first bytes",
        reason: source.count == 0 ? "it is empty" : "they are not those of such a file")
    }
  }

  private static func isMap(_ url: URL) -> Bool { url.pathExtension.lowercased() == "mmap" }

  private static func isGeoJSON(_ url: URL) -> Bool {
    url.pathExtension.lowercased() == "geojson"
  }

  /// Whether a document, or the last one of a sequence, ends as JSON objects do.
  private static func isClosed(_ source: FileByteSource) throws -> Bool {
    let tail = try source.read(max(0, source.count - FileSignature.length)..<source.count)
    return tail.last { $0 > UInt8(ascii: " ") } == UInt8(ascii: "}")
  }

  /// The extensions of files that can be packages, maps or data.
  static let knownExtensions: Set<String> = [
    "geodatabase", "gpkg", "mbtiles", "pmtiles", "mmpk", "mmap", "tpk", "tpkx", "vtpk",
  ]
}

extension PackageSummary {
  /// The metadata of a set of tiles.
  init(_ kind: FileKind, of info: TileSourceInfo) {
    self.init(
      kind: info.isVector && kind == .tilePackage ? .vectorTilePackage : kind, title: info.name)
    levels = info.levels
    extent = info.fullExtent.flatMap {
      Extent($0, wkid: info.scheme.spatialReference.currentWKID)
    }
  }
}

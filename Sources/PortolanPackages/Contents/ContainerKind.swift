internal import Foundation
internal import PortolanSQLite

/// The kind of container that a file or folder is, by its first bytes.
enum ContainerKind {
  case folder
  /// A ZIP archive.
  case archive
  /// A SQLite file with Esri's mark.
  case geodatabase
  /// Another SQLite file.
  case database
  /// A PMTiles archive.
  case tileArchive
  /// Text that begins like a JSON object.
  case json

  /// The endings of files that features are converted from.
  private static let featureFiles: Set = ["shp", "fgb", "csv", "tsv"]

  /// Looks at what is at `url`.
  init(of url: URL) throws(PackageError) {
    let path = url.path(percentEncoded: false)
    // What has no attributes is not there, or may not be looked at.
    let type = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))[.type]
    guard let type = type as? FileAttributeType else {
      throw .noSuchFile(path)
    }
    if type == .typeDirectory {
      self = .folder
      return
    }
    let head: Data
    do { head = try LockedFileBytes.bytes(of: url, in: 0..<72) } catch {
      throw .unreadable(file: path, reason: error.message)
    }
    switch FileSignature(head) {
    case .archive: self = .archive
    case .geodatabase: self = .geodatabase
    case .geoPackage, .otherDatabase: self = .database
    case .pmtiles: self = .tileArchive
    case .object: self = .json
    case .geoJSON:
      throw .notAPackage(
        file: url.lastPathComponent,
        reason: "it holds GeoJSON features and no map; converted to a GeoPackage it can be opened")
    case .unknown where Self.featureFiles.contains(url.pathExtension.lowercased()) && !head.isEmpty:
      throw .notAPackage(
        file: url.lastPathComponent,
        reason: "it holds features and no map; converted to a GeoPackage it can be opened")
    case .locator, .unknown:
      throw .notAPackage(
        file: url.lastPathComponent,
        reason: head.isEmpty
          ? "it is empty" : "it is neither an archive, nor a database, nor a map document")
    }
  }
}

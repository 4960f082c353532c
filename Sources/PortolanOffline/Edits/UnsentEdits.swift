public import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanLibrary
internal import PortolanPackages

/// Counts the edits of stored maps that no service has received yet.
public enum UnsentEdits {
  /// The edits in the geodatabases and GeoPackages of a map.
  ///
  /// - Parameter map: The folder of an unpacked package, or such a file, whatever its name says;
  ///   packages that are archives are never edited.
  /// - Returns: How many features differ from what was synchronized last.
  /// - Throws: Whatever keeps a folder or a file from being read, for edits may be in it;
  ///   ``LibraryError/beingWritten(file:by:)`` of a file that another program keeps locked.
  public static func count(in map: URL) async throws -> Int {
    var count = 0
    let isDatabase = try EditableMapFile(at: map) != nil
    for url in isDatabase ? [map] : try featureFiles(in: map) {
      do {
        count += try await store(at: url).localChanges().changes.count
      } catch FeatureStoreError.busy(_, let holder) {
        throw LibraryError.beingWritten(file: url.path(percentEncoded: false), by: holder)
      }
    }
    return count
  }

  private static func store(at url: URL) throws -> any ChangeTrackingStore {
    if isGeoPackage(url) { return try GeoPackage.open(at: url) }
    if isGeodatabase(url) { return try Geodatabase.open(at: url) }
    guard case .database? = try EditableMapFile(at: url) else {
      return try Geodatabase.open(at: url)
    }
    // What is no GeoPackage is for the next reader, which says what is wrong with it.
    if let package = try? GeoPackage.open(at: url) { return package }
    return try Geodatabase.open(at: url)
  }

  /// Fails as a whole where a folder cannot be read, which an enumerator would skip.
  private static func featureFiles(in place: URL) throws -> [URL] {
    let path = place.path(percentEncoded: false)
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
    guard type as? FileAttributeType == .typeDirectory else {
      guard isGeodatabase(place) || isGeoPackage(place) else { return [] }
      // A link that leads nowhere holds no edits, and must not keep its map as it is for ever.
      return try FileStatus(at: place, links: .followed)?.kind == .file ? [place] : []
    }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap {
      try featureFiles(in: place.appending(path: $0))
    }
  }

  private static func isGeodatabase(_ url: URL) -> Bool {
    url.pathExtension.lowercased() == "geodatabase"
  }

  private static func isGeoPackage(_ url: URL) -> Bool {
    url.pathExtension.lowercased() == "gpkg"
  }
}

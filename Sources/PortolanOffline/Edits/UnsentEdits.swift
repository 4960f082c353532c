public import Foundation
internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase

/// Counts the edits of stored maps that no service has received yet.
public enum UnsentEdits {
  /// The edits in the geodatabases and GeoPackages of a map.
  ///
  /// - Parameter map: The folder of an unpacked package, or such a file; packages in one file are
  ///   never edited.
  /// - Returns: How many features differ from what was synchronized last.
  /// - Throws: Whatever keeps a folder or a file from being read, for edits may be in it.
  public static func count(in map: URL) async throws -> Int {
    var count = 0
    for url in try featureFiles(in: map) {
      let store: any ChangeTrackingStore =
        isGeoPackage(url) ? try GeoPackage.open(at: url) : try Geodatabase.open(at: url)
      count += try await store.localChanges().changes.count
    }
    return count
  }

  /// Fails as a whole where a folder cannot be read, which an enumerator would skip.
  private static func featureFiles(in place: URL) throws -> [URL] {
    let path = place.path(percentEncoded: false)
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
    guard type as? FileAttributeType == .typeDirectory else {
      let isGeodatabase = place.pathExtension.lowercased() == "geodatabase"
      return isGeodatabase || isGeoPackage(place) ? [place] : []
    }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap {
      try featureFiles(in: place.appending(path: $0))
    }
  }

  private static func isGeoPackage(_ url: URL) -> Bool {
    url.pathExtension.lowercased() == "gpkg"
  }
}

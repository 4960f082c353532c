public import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// Counts the edits of stored maps that no service has received yet.
public enum UnsentEdits {
  /// The edits in the geodatabases of a map.
  ///
  /// - Parameter map: The folder of an unpacked package; packages in one file are never edited.
  /// - Returns: How many rows differ from what was synchronized last; of tables without history
  ///   nothing is known.
  /// - Throws: Whatever keeps a folder or a geodatabase from being read, for edits may be in it.
  public static func count(in map: URL) async throws -> Int {
    var count = 0
    for url in try geodatabases(in: map) {
      count += try await Geodatabase.open(at: url).localChanges().changes.count
    }
    return count
  }

  /// Fails as a whole where a folder cannot be read, which an enumerator would skip.
  private static func geodatabases(in place: URL) throws -> [URL] {
    let path = place.path(percentEncoded: false)
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
    guard type as? FileAttributeType == .typeDirectory else {
      return place.pathExtension.lowercased() == "geodatabase" ? [place] : []
    }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap {
      try geodatabases(in: place.appending(path: $0))
    }
  }
}

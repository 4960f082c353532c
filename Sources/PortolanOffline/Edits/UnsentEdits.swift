public import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// Counts the edits of stored maps that no service has got yet.
public enum UnsentEdits {
  /// The edits in the geodatabases of a map.
  ///
  /// - Parameter map: The folder of an unpacked package; packages in one file are never edited.
  /// - Returns: How many rows differ from what was synchronized last; of tables without history
  ///   nothing is known.
  public static func count(in map: URL) async -> Int {
    var count = 0
    for url in geodatabases(in: map) {
      do {
        count += try await Geodatabase.open(at: url).localChanges().changes.count
      } catch {
        // A geodatabase that cannot be read holds nothing that could be sent.
        continue
      }
    }
    return count
  }

  private static func geodatabases(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "geodatabase" } ?? []
  }
}

internal import PortolanFeatures
internal import PortolanGeodatabase

/// The geodatabases and GeoPackages of a package that is an archive.
///
/// Edits may be in them that were not sent, as in one that was exported from another device.
public struct ArchivedDatabases: Sendable {
  /// What the names of databases that people may edit end with, in small letters.
  private static let formats: [(ending: String, format: FeatureFileSlot.Format)] = [
    (".geodatabase", .geodatabase), (".gpkg", .geoPackage),
  ]

  private let contents: any PackageContents

  init(_ contents: any PackageContents) { self.contents = contents }

  /// Counts the edits that no service has received, whether a layer shows their table or not.
  ///
  /// - Returns: How many features differ from what was synchronized last.
  /// - Throws: Whatever keeps a database from being read, for edits may be in it; so they may in a
  ///   journal beside one, which is not read in an archive.
  @concurrent public func editCount() async throws -> Int {
    var count = 0
    for path in contents.paths where !path.isHiddenInPackage {
      if path.isJournalOfDatabase {
        throw PackageError.damaged(
          file: contents.name, place: path, reason: "it is a journal, which may hold edits")
      }
      guard let format = Self.format(of: path) else { continue }
      let slot = FeatureFileSlot(
        .readOnly(try contents.location(of: path), format, reason: "the package is an archive"))
      count += try await Self.editCount(in: slot)
    }
    return count
  }

  private static func editCount(in slot: FeatureFileSlot) async throws -> Int {
    do {
      let count = try await slot.store().localChanges().changes.count
      await slot.close()
      return count
    } catch {
      await slot.close()
      throw error
    }
  }

  private static func format(of path: String) -> FeatureFileSlot.Format? {
    let path = path.lowercased()
    return formats.first { path.hasSuffix($0.ending) }?.format
  }
}

extension String {
  /// Whether a part of a path begins with a dot, so that it is none of a map.
  var isHiddenInPackage: Bool { split(separator: "/").contains { $0.hasPrefix(".") } }

  /// Whether it is the path of a journal that lies beside a database which people may edit.
  fileprivate var isJournalOfDatabase: Bool {
    let path = lowercased()
    return [".geodatabase", ".gpkg"].contains { ending in
      path.hasSuffix(ending + "-wal") || path.hasSuffix(ending + "-journal")
    }
  }
}

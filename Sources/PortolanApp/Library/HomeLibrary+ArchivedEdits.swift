internal import PortolanLibrary
internal import PortolanPackages

extension HomeLibrary {
  /// The edits in a map that an older Portolan has brought in as an archive: nothing else counts those.
  ///
  /// - Returns: The edits; `nil` if there are none, the map was not brought in so, or its file is gone.
  /// - Throws: ``LibraryError/cancelled``.
  func archivedEdits(in map: StoredMap) async throws(LibraryError) -> ArchivedEdits? {
    guard map.isImportedArchive else { return nil }
    do {
      return try await ArchivedEdits(
        in: try await packages.openToInspect(maps.layout.place(of: map)))
    } catch PackageError.noSuchFile {
      return nil
    } catch {
      guard !Task.isCancelled else { throw .cancelled }
      return .unknown
    }
  }
}

extension StoredMap {
  /// Up to how many bytes an archive is looked into on occasion: what is compressed in it has to be unpacked
  /// first.
  private static let smallArchive = 32 << 20

  /// Whether it is an archive that was brought in, which may hold edits that were made elsewhere.
  var isImportedArchive: Bool { isImported && form == .file }

  /// Whether edits in it are counted in a moment.
  var isSmallImportedArchive: Bool { isImportedArchive && byteCount <= Self.smallArchive }
}

internal import Foundation

extension MapLibrary {
  /// Records the digests of those files of a map that were not read when the map was recorded, as of a
  /// home that an older Portolan has made; databases that people may edit have none.
  ///
  /// From then on a change of these files is found. Does nothing where another process moves maps
  /// about, or the map is not as it was: the next time will do.
  ///
  /// - Parameters:
  ///   - map: What is recorded of it.
  ///   - progress: Called with the number of bytes of each chunk that is read.
  /// - Throws: ``LibraryError`` if a file cannot be read, or the catalogue fails.
  func completeDigests(
    of map: StoredMap, _ progress: @Sendable (Int) -> Void
  ) async throws(LibraryError) {
    guard storage.readOnlyReason == nil, let known = try await version(of: map),
      known.files.contains(where: \.lacksDigest)
    else { return }
    let place = layout.place(of: map)
    var files: [StoredFile] = []
    for file in known.files {
      guard file.lacksDigest else {
        files.append(file)
        continue
      }
      let digest = try FileDigest.digest(of: file.url(in: place), progress)
      files.append(file.with(digest: digest))
    }
    let lock = try await HomeLock(ifFree: layout, clock: clock, in: self.files, tell: { _ in })
    guard let lock else { return }
    defer { lock.release() }
    guard try await storage.storedMap(map.id) == map, var version = try await version(of: map),
      version.files == known.files,
      // Recording this version would forget that the next one is being stored.
      try await !storage.installations().contains(where: { $0.map.id == map.id })
    else { return }
    version.files = files
    try await storage.install(version, replacing: nil)
  }

  private func version(of map: StoredMap) async throws(LibraryError) -> MapVersion? {
    try await storage.versions(of: map.id).first { $0.number == map.version }
  }
}

extension StoredFile {
  fileprivate var lacksDigest: Bool { digest == nil && !isEditableDatabase }
}

internal import Foundation
internal import PortolanFiles

extension MapLibrary {
  /// What deleting a map would free in the end, in bytes.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)``, ``LibraryError/inUse(map:by:)``,
  ///   ``LibraryError/unsentEdits(map:count:)``, ``LibraryError/editsUnknown(map:reason:)``.
  public func deletion(
    of id: MapID, discardingEdits: Bool = false
  ) async throws(LibraryError) -> Int {
    let map = try await storedMap(id)
    for lock in try exclusiveLocks(on: places(of: map), of: map) { lock.release() }
    if !discardingEdits { try await requireSettled(map) }
    return layout.trashMoves(of: map).reduce(0) {
      $0 + DiskUsage.freed(byRemoving: $1.place).allocatedByteCount
    }
  }

  /// Refuses to delete edits that no service has received, in whichever version.
  private func requireSettled(_ map: StoredMap) async throws(LibraryError) {
    let place = layout.place(of: map)
    if files.exists(place) { try await requireNoEdits(of: map, at: place) }
    try await requireOthersSettled(map)
  }

  /// Throws if edits in versions other than the current one would be lost: edits that the current
  /// version lacks, and all edits in unrecorded versions, which may not have been taken over.
  func requireOthersSettled(_ map: StoredMap) async throws(LibraryError) {
    let known = try await storage.versions(of: map.id)
    for version in known where version.number != map.version { try await requireSettled(version) }
    for place in try unrecordedPlaces(of: map, besides: known) {
      try await requireNoEdits(of: map, at: place)
    }
  }

  /// Where the versions of a map are that no record knows, or none that can be read.
  func unrecordedPlaces(
    of map: StoredMap, besides known: [MapVersion]
  ) throws(LibraryError) -> [URL] {
    guard map.version > 0 else { return [] }
    let numbers = Set(known.map(\.number) + [map.version])
    return try versions(of: map.id).filter { !numbers.contains($0.number) }.map(\.url)
  }

  /// Where the versions of a map are.
  func places(of map: StoredMap) throws(LibraryError) -> [URL] {
    guard map.version > 0 else { return [layout.place(of: map)] }
    return try versions(of: map.id).map(\.url)
  }

  /// The versions of a map that are there, in either form.
  func versions(of id: MapID) throws(LibraryError) -> [(number: Int, url: URL)] {
    var versions: [(number: Int, url: URL)] = []
    for form in [StoredMap.Form.folder, .file] {
      versions += try layout.versions(in: layout.container(of: id, form), in: files)
    }
    return versions
  }

  /// Moves a map to the trash, with its earlier versions.
  ///
  /// - Throws: as ``deletion(of:discardingEdits:)`` does.
  public func delete(_ id: MapID, discardingEdits: Bool = false) async throws(LibraryError) {
    let lock = try await lockHome()
    defer { lock.release() }
    let unrecorded = try await finishInstallations()
    let map = try await storedMap(id)
    let locks = try exclusiveLocks(on: places(of: map), of: map)
    defer { for lock in locks { lock.release() } }
    if !discardingEdits {
      try await requireSettled(map)
      if unrecorded[id] != nil { await removeUnrecordedUpdate(of: map) }
    }
    try await moveToTrash(map)
  }

  /// Removes an update that has taken its place and cannot be recorded, as on a full disk, and that was
  /// found to hold no edits: once the deletion is recorded nothing says what it is.
  private func removeUnrecordedUpdate(of map: StoredMap) async {
    do throws(LibraryError) {
      guard let installation = try await unfinishedInstallation(of: map.id),
        installation.map.version > map.version, map.version > 0
      else { return }
      try remove(layout.place(of: installation.map))
    } catch {
      // It goes to the trash with the map; once that is restored, the audit finds it.
    }
  }

  /// Records that a map is deleted, and moves its files; it is not open anywhere.
  func moveToTrash(_ map: StoredMap) async throws(LibraryError) {
    var deleted = map
    deleted.deleted = now()
    deleted.deletedOn = try await dayOfUse()
    try await storage.save(deleted)
    report(.deleteRecorded)
    var moved: [(place: URL, trash: URL)] = []
    do throws(LibraryError) { try await moveFilesToTrash(map, &moved) } catch {
      // Whatever was moved is put back, or else stays deleted, where it can be restored.
      for (place, trash) in moved { try move(trash, to: place) }
      try await storage.save(map)
      throw error
    }
    report(.deleteMoved)
  }

  /// Moves the files of a map to the trash; `moved` is what has been moved so far, also where the rest
  /// fails.
  func moveFilesToTrash(
    _ map: StoredMap, _ moved: inout [(place: URL, trash: URL)]
  ) async throws(LibraryError) {
    for (place, trash) in layout.trashMoves(of: map)
    where files.exists(place) && !layout.isStray(place, of: map, in: files) {
      if files.exists(trash) { try await clear(trash, of: map) }
      do { try files.move(place, to: trash) } catch FileError.durabilityUnknown {
        // It is deleted; after a power cut the next start moves it again.
      } catch {
        throw LibraryError(error)
      }
      moved.append((place, trash))
    }
  }

  /// Restores a map from the trash.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)`` if it is not there.
  public func undoDeletion(of id: MapID) async throws(LibraryError) {
    let lock = try await lockHome()
    defer { lock.release() }
    // It may have been downloaded again since.
    try await finishInstallation(of: id)
    guard var map = try await storage.storedMap(id) else { throw .noSuchMap(id.text) }
    guard map.deleted != nil else { throw .notInTrash(map.title) }
    try putBack(map)
    map.deleted = nil
    map.deletedOn = nil
    try await storage.save(map)
  }

  /// Moves the files of a map from the trash to their places.
  ///
  /// It comes back as it was deleted, also with the version before only: repairing makes that the
  /// current one.
  func putBack(_ map: StoredMap) throws(LibraryError) {
    for (place, trash) in layout.trashMoves(of: map) where try isKnown(trash) {
      removeEmptyContainers(of: map.id)
      guard !files.exists(place) else {
        try putBackVersions(of: map, from: trash, to: place)
        continue
      }
      try putBack(trash, to: place)
    }
    guard try !places(of: map).filter(files.exists).isEmpty else {
      throw .filesMissing(map: map.title)
    }
    report(.undoMoved)
  }

  /// Moves the versions of a map from the trash to where others are that no record knows.
  private func putBackVersions(
    of map: StoredMap, from trash: URL, to place: URL
  ) throws(LibraryError) {
    guard map.version > 0, layout.isContainer(place) else { return }
    let versions = try layout.versions(in: trash, in: files).map(\.url)
    // The current one is the last: as long as it is in the trash, what is in place is left alone.
    let current = layout.deletedPlace(of: map).lastPathComponent
    let ordered =
      versions.filter { $0.lastPathComponent != current }
      + versions.filter { $0.lastPathComponent == current }
    for url in ordered {
      let target = place.appending(path: url.lastPathComponent)
      if !files.exists(target) { try putBack(url, to: target) }
    }
    if try layout.versions(in: trash, in: files).isEmpty { try remove(trash) }
  }

  private func putBack(_ source: URL, to place: URL) throws(LibraryError) {
    do { try files.move(source, to: place) } catch FileError.durabilityUnknown {
      // It is in its place; after a power cut the next start moves it again.
    } catch {
      throw LibraryError(error)
    }
  }

  /// Whether something is there; what may not be looked at is not moved.
  private func isKnown(_ url: URL) throws(LibraryError) -> Bool {
    do { return try FileStatus(at: url) != nil } catch { throw LibraryError(reading: error) }
  }

  /// Removes for good what was deleted, and the versions before updates, as far as they are not
  /// being read and no edit is lost.
  ///
  /// - Returns: The bytes that were freed on the disk.
  @discardableResult
  public func emptyTrash() async throws(LibraryError) -> Int {
    let lock = try await lockHome()
    defer { lock.release() }
    var freed = 0
    var failure: LibraryError?
    let unfinished = try await unfinishedInstallations()
    for map in try await deletedMaps() {
      // One that cannot be removed keeps no other in the trash.
      do throws(LibraryError) {
        if isUnmoved(map), !unfinished.contains(map.id) {
          try await finishDeletion(of: map)
          // On no list once its record is gone, it would be hidden.
          guard !isUnmoved(map) else { continue }
        }
        freed += try await removeDeleted(map)
      } catch {
        switch error {
        case .unreadable, .unwritable, .notOurs, .diskFull: failure = failure ?? error
        default: throw error
        }
      }
    }
    freed += try await retireEarlierVersions()
    if let failure { throw failure }
    return freed
  }

  /// Whether files of a deleted map are in their place still, as after a crash or on a full disk.
  func isUnmoved(_ map: StoredMap) -> Bool {
    layout.trashMoves(of: map).contains { files.exists($0.place) && !files.exists($0.trash) }
  }

  /// Removes a deleted map; its files go first, which makes space on a full disk for the record.
  func removeDeleted(_ map: StoredMap) async throws(LibraryError) -> Int {
    var freed = 0
    for (_, trash) in layout.trashMoves(of: map) where files.exists(trash) {
      let condemned = try condemn(trash)
      freed += DiskUsage.freed(byRemoving: condemned).allocatedByteCount
      try erase(condemned)
    }
    try await storage.removeStoredMap(map.id)
    report(.trashForgotten)
    forgetRecords(of: map.id)
    return freed
  }
}

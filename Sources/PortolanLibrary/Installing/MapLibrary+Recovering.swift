internal import Foundation
internal import PortolanFiles

// What is done after a crash.
extension MapLibrary {
  /// Finishes what a crash has interrupted, migrates a home of an older Portolan, and removes
  /// for good what was deleted many days of use ago.
  ///
  /// What a job was writing is for the job that it belongs to, or for the audit; what a killed import was
  /// writing is removed. Does nothing in a home that can only be read.
  public func recover() async throws(LibraryError) {
    guard storage.readOnlyReason == nil else { return }
    isRecoveryDue = true
    let lock = try await HomeLock(layout, clock: clock, in: files, tell: tell)
    defer { lock.release() }
    try await finishWhatIsDue()
  }

  /// Recovers, unless another process is moving maps about or writing to the catalogue, or the disk is full
  /// or fails.
  ///
  /// Callers that only read do not wait for it; what is due is done before anything is changed, or
  /// once there is space.
  public func recoverUnlessBusy() async throws(LibraryError) {
    guard storage.readOnlyReason == nil else { return }
    isRecoveryDue = true
    guard let lock = try await HomeLock(ifFree: layout, clock: clock, in: files, tell: tell) else {
      return
    }
    defer { lock.release() }
    do throws(LibraryError) { try await finishWhatIsDue() } catch .busyCatalogue, .diskFull,
      .unwritable, .unreadable
    {
      // It is still due.
    }
  }

  /// Waits for the right to move maps about, and finishes what is due.
  ///
  /// On a full disk that waits: nothing else could make space.
  func lockHome() async throws(LibraryError) -> HomeLock {
    let lock = try await HomeLock(layout, clock: clock, in: files, tell: tell)
    do throws(LibraryError) { try await finishWhatIsDue() } catch .diskFull {
      // It is still due.
    }
    return lock
  }

  private func finishWhatIsDue() async throws(LibraryError) {
    guard isRecoveryDue else { return }
    let unrecorded = try await finishInstallations()
    try await finishDeletions()
    try await finishMigrations()
    try await removeExpired()
    for version in try await storage.earlierVersions() {
      // What a rollback was copying there when it was killed: until it can be removed it takes space.
      try? CarriedGeodatabases.removeDraft(in: layout.place(of: version.map))
    }
    for url in layout.contents(of: .trash) where layout.isCondemned(url) {
      // What cannot be removed takes space and does no harm; the audit finds it.
      try? erase(url)
    }
    removeAbandonedImports()
    for folder in [layout.home, layout.records] { StagedFile.removeAbandoned(in: folder) }
    try await noteMissingRecords()
    try await removeStaleRecords()
    // What could not be recorded, as on a full disk, is still due.
    isRecoveryDue = !unrecorded.isEmpty
  }

  /// How old the folder of an import is at least when it counts as abandoned: one that begins has made
  /// its folder a moment before it holds it.
  private static let youngestAbandoned: TimeInterval = 60

  /// Removes what imports have left whose processes were killed: nothing goes on with them.
  private func removeAbandonedImports() {
    for url in layout.contents(of: .staging) where HomeLayout.isOfImport(url) {
      guard let status = FileStatus(url),
        now().timeIntervalSince1970 - Double(status.modified) / 1e9 > Self.youngestAbandoned,
        !isHeld(staged: url)
      else { continue }
      // What cannot be removed takes space and does no harm; the audit finds it.
      try? removeStaged(url.lastPathComponent)
    }
  }

  private func finishDeletions() async throws(LibraryError) {
    // What cannot be listed may hold files to be put back.
    let isTrashEmpty = (try? layout.list(layout.folder(.trash), in: files).isEmpty) ?? false
    let unfinished = try await unfinishedInstallations()
    for map in try await storage.storedMaps() where !unfinished.contains(map.id) {
      do throws(LibraryError) {
        if map.deleted != nil {
          try await finishDeletion(of: map)
        } else if !isTrashEmpty {
          try finishUndoing(map)
        }
      } catch .unreadable, .unwritable, .notOurs, .diskFull {
        // One map is no reason to refuse all others; the audit finds it, and the next start tries again.
      }
    }
  }

  /// The maps of which another version has perhaps taken its place, which the disk did not confirm yet.
  ///
  /// What is recorded of them is older than what is there.
  func unfinishedInstallations() async throws(LibraryError) -> Set<MapID> {
    Set(try await storage.installations().map(\.map.id))
  }

  func finishDeletion(of map: StoredMap) async throws(LibraryError) {
    // What is open is moved the next time.
    if let locks = try? exclusiveLocks(on: places(of: map), of: map) {
      defer { for lock in locks { lock.release() } }
      // What a download has left that did not come to its end takes no place in the trash.
      removeEmptyContainers(of: map.id)
      var moved: [(place: URL, trash: URL)] = []
      try await moveFilesToTrash(map, &moved)
    }
    let places = layout.trashMoves(of: map).flatMap { [$0.place, $0.trash] }
    // Emptying the trash was interrupted, or the files were removed by hand.
    if !places.contains(where: files.exists) { try await storage.removeStoredMap(map.id) }
  }

  /// Moves a map back that is on the list, and whose files are in the trash only: a power cut came
  /// after it was restored.
  private func finishUndoing(_ map: StoredMap) throws(LibraryError) {
    guard !files.exists(layout.place(of: map)), files.exists(layout.deletedPlace(of: map)) else {
      return
    }
    try putBack(map)
  }

  private func removeExpired() async throws(LibraryError) {
    let today = try await dayOfUse()
    let unfinished = try await unfinishedInstallations()
    for var map in try await deletedMaps() where !unfinished.contains(map.id) {
      guard let day = map.deletedOn, day <= today else {
        // Deleted by an older Portolan: its days are counted from now on.
        map.deletedOn = today
        try await storage.save(map)
        continue
      }
      guard today - day >= retentionDays, !isUnmoved(map) else { continue }
      do throws(LibraryError) { _ = try await removeDeleted(map) } catch .unreadable, .unwritable,
        .notOurs
      {
        // It stays in the trash until it can be removed.
      }
    }
    let earlier = try await storage.earlierVersions()
    for version in earlier where today - (version.replacedOn ?? today) >= retentionDays {
      // One that is open, or holds edits, goes later.
      _ = try? await retire(version)
    }
  }
}

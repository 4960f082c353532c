public import Foundation

extension MapLibrary {
  /// What deleting a map would free in the end, in bytes.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)``, ``LibraryError/inUse(map:)``,
  ///   ``LibraryError/unsentEdits(map:count:)``, ``LibraryError/editsUnknown(map:reason:)``.
  public func deletion(
    of id: MapID, discardingEdits: Bool = false
  ) async throws(LibraryError) -> Int {
    guard let map = try await storage.storedMap(id), map.deleted == nil else {
      throw .noSuchMap(id.text)
    }
    let place = layout.place(of: map)
    guard MapUse.excluding(place, { true }) != nil else { throw .inUse(map: map.title) }
    if !discardingEdits { try await requireNoEdits(of: map, at: place) }
    return DiskUsage.freed(byRemoving: place).allocatedByteCount
  }

  /// Moves a map to the trash.
  ///
  /// - Throws: as ``deletion(of:discardingEdits:)`` does.
  public func delete(_ id: MapID, discardingEdits: Bool = false) async throws(LibraryError) {
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    try await finishInstallations()
    _ = try await deletion(of: id, discardingEdits: discardingEdits)
    guard var map = try await storage.storedMap(id) else { throw .noSuchMap(id.text) }
    let before = map
    map.deleted = now()
    try await storage.save(map)
    tell(.deleteRecorded)
    do throws(LibraryError) {
      guard try moveToTrash(map) else { throw LibraryError.inUse(map: map.title) }
    } catch {
      try await storage.save(before)
      throw error
    }
    tell(.deleteMoved)
  }

  /// Moves the files of a map to the trash; answers whether that is done, for it is not while a
  /// process has the map open.
  private func moveToTrash(_ map: StoredMap) throws(LibraryError) -> Bool {
    let (place, trash) = (layout.place(of: map), layout.trashPlace(of: map))
    guard DurableMove.exists(place) else { return true }
    if DurableMove.exists(trash) { try remove(trash) }
    let moved: Void? = try MapUse.excluding(place) { () throws(LibraryError) in
      try DurableMove.move(place, to: trash)
    }
    return moved != nil
  }

  /// Takes a map back from the trash.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)`` if it is not there.
  public func undoDeletion(of id: MapID) async throws(LibraryError) {
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    guard var map = try await storage.storedMap(id), map.deleted != nil else {
      throw .noSuchMap(id.text)
    }
    let (place, trash) = (layout.place(of: map), layout.trashPlace(of: map))
    if !DurableMove.exists(place) {
      guard DurableMove.exists(trash) else { throw .filesMissing(map: map.title) }
      try DurableMove.move(trash, to: place)
      tell(.undoMoved)
    }
    map.deleted = nil
    try await storage.save(map)
  }

  /// Removes for good what was deleted before a date.
  ///
  /// - Returns: The bytes that were freed on the disk.
  @discardableResult
  public func emptyTrash(deletedBefore date: Date) async throws(LibraryError) -> Int {
    let lock = try await HomeLock(layout, clock: clock)
    defer { lock.release() }
    var freed = 0
    for map in try await deletedMaps() where map.deleted.map({ $0 <= date }) ?? false {
      let trash = layout.trashPlace(of: map)
      let condemned = DurableMove.exists(trash) ? try condemn(trash) : nil
      try await storage.removeStoredMap(map.id)
      tell(.trashForgotten)
      guard let condemned else { continue }
      freed += DiskUsage.freed(byRemoving: condemned).allocatedByteCount
      try DurableMove.erase(condemned)
    }
    return freed
  }

  /// Until when a deleted map can be taken back; `nil` if it was not deleted.
  public nonisolated func undoEnd(of map: StoredMap) -> Date? {
    map.deleted?.addingTimeInterval(trashRetention / .seconds(1))
  }

  // MARK: - After a crash

  /// Finishes installations and deletions that a crash has interrupted, and removes for good what
  /// was deleted long ago.
  ///
  /// What a job was writing is for the job that it belongs to, or for the audit.
  public func recover() async throws(LibraryError) {
    do {
      let lock = try await HomeLock(layout, clock: clock)
      defer { lock.release() }
      try await finishInstallations()
      try await finishDeletions()
    }
    try await emptyTrash(deletedBefore: now().addingTimeInterval(-(trashRetention / .seconds(1))))
    for url in layout.contents(of: .trash) where layout.isCondemned(url) {
      try DurableMove.erase(url)
    }
  }

  private func finishDeletions() async throws(LibraryError) {
    for map in try await deletedMaps() {
      // What is open is moved the next time.
      _ = try moveToTrash(map)
      let places = [layout.place(of: map), layout.trashPlace(of: map)]
      // Emptying the trash was interrupted, or somebody has removed the files.
      guard places.contains(where: DurableMove.exists) else {
        try await storage.removeStoredMap(map.id)
        continue
      }
    }
  }
}

internal import Foundation
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension MapLibrary {
  /// How often a map is looked for that another process is about to move.
  private static let attempts = 50
  /// How often what is locked is compared with what has its place: there are file systems that number a
  /// file anew each time.
  private static let comparisons = 10
  private static let pause = Duration.milliseconds(20)

  /// Finds a stored map and keeps it from being deleted for as long as the lease lives.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)`` if there is no record of it,
  ///   ``LibraryError/filesMissing(map:)``, ``LibraryError/inUse(map:by:)`` while a process is moving
  ///   it, ``LibraryError/unreadable(file:reason:)``.
  public func open(_ id: MapID) async throws(LibraryError) -> MapLease {
    for attempt in 1..<Self.attempts {
      let map = try await storedMap(id)
      if let lease = try readingLease(of: map) {
        // Another process may have moved or replaced it before the lock was there.
        let now = try await storedMap(id)
        if now.version == map.version, now.form == map.form, files.exists(lease.url),
          // A map of an older home becomes a version in a folder of that name.
          !layout.isContainer(lease.url)
        {
          // Or removed it, and stored it anew in the same place.
          if attempt > Self.comparisons { return lease }
          if try lease.isInPlace() { return lease }
        }
      }
      do { try await clock.sleep(for: Self.pause) } catch { throw .cancelled }
    }
    let map = try await storedMap(id)
    let place = layout.place(of: map)
    guard files.exists(place) else { throw .filesMissing(map: map.title) }
    throw .inUse(map: map.title, by: Self.holder(of: place))
  }

  /// A map that is stored and not deleted.
  func storedMap(_ id: MapID) async throws(LibraryError) -> StoredMap {
    guard let map = try await storage.storedMap(id), map.deleted == nil else {
      throw .noSuchMap(id.text)
    }
    return map
  }

  /// A lease on a map; `nil` while a process is moving it.
  private func readingLease(of map: StoredMap) throws(LibraryError) -> MapLease? {
    var map = map
    // A process died while it moved the map of an older home into a folder of versions.
    if map.version == 0, layout.isContainer(layout.place(of: map)) { map.version = 1 }
    let place = layout.place(of: map)
    do {
      guard let lock = try FileLock.attempt(.shared, on: .item(place), in: files) else {
        return nil
      }
      return MapLease(map, at: place, lock)
    } catch .absent {
      guard layout.trashMoves(of: map).contains(where: { files.exists($0.trash) }) else {
        throw .filesMissing(map: map.title)
      }
      return nil
    } catch {
      throw LibraryError(reading: error)
    }
  }

  // MARK: - Editing

  /// Takes the right to edit the map of a lease, which one process has at a time; does nothing if the
  /// lease has it.
  ///
  /// - Throws: ``LibraryError/beingEdited(map:by:)``, ``LibraryError/outdated(map:)`` if a newer version
  ///   has replaced the one that is open, ``LibraryError/noSuchMap(_:)``,
  ///   ``LibraryError/readOnlyHome(file:reason:)``,
  ///   ``LibraryError/durabilityUnknown(file:reason:)`` while it is not known whether one has.
  public func beginEditing(_ lease: MapLease) async throws(LibraryError) {
    guard !lease.isEditing else { return }
    if let reason = storage.readOnlyReason {
      throw .readOnlyHome(file: layout.catalogue.path(percentEncoded: false), reason: reason)
    }
    let lock = try editingLock(of: lease.map)
    do throws(LibraryError) {
      try await finishAnnounced(lease.map.id)
      let now = try await storedMap(lease.map.id)
      guard now.version == lease.map.version else { throw .outdated(map: lease.map.title) }
      // Before the first edit: whatever differs from what was installed is then known to be an edit.
      try await storage.markEdited(lease.map.version, of: lease.map.id)
    } catch {
      lock.release()
      throw error
    }
    lease.begin(lock)
  }

  /// Records a version that is in its place already, if the process that put it there ended before
  /// it did so: edits made in the previous version from then on would not be in the map.
  private func finishAnnounced(_ id: MapID) async throws(LibraryError) {
    guard try await unfinishedInstallation(of: id) != nil else { return }
    let home = try await lockHome()
    defer { home.release() }
    try await finishInstallation(of: id)
  }

  /// Keeps everyone from editing a version of a map.
  ///
  /// - Throws: ``LibraryError/beingEdited(map:by:)`` if it is being edited,
  ///   ``LibraryError/homeWithoutLocks(_:)`` where anyone could.
  func editingLock(of map: StoredMap) throws(LibraryError) -> FileLock {
    let file = layout.editingLock(of: map)
    let lock: FileLock?
    do { lock = try FileLock.attempt(.exclusive, on: .lockFile(file), in: files) } catch {
      throw LibraryError(error)
    }
    guard let lock else { throw .beingEdited(map: map.title, by: Self.holder(of: file)) }
    try lock.requireEffective(in: layout)
    return lock
  }

  /// Keeps everyone from editing a version of a map while its databases are only read, also in a home
  /// that can only be read.
  ///
  /// - Returns: `nil` where this process cannot make the file for the lock, and nobody has: nobody edits
  ///   the version then.
  /// - Throws: ``LibraryError/beingEdited(map:by:)`` if it is being edited, and what keeps that from being
  ///   known.
  func copyingLock(of map: StoredMap) throws(LibraryError) -> FileLock? {
    do throws(LibraryError) { return try editingLock(of: map) } catch {
      switch error {
      case .unwritable, .readOnlyHome: break
      default: throw error
      }
    }
    let file = layout.editingLock(of: map)
    let lock: FileLock?
    do throws(FileError) {
      lock = try FileLock.attempt(.shared, on: .item(file), in: files)
    } catch {
      if case .absent = error { return nil }
      throw LibraryError(reading: error)
    }
    guard let lock else { throw .beingEdited(map: map.title, by: Self.holder(of: file)) }
    return lock
  }

  /// Keeps a version of a map from being edited; one whose files are missing needs no lock.
  func editingLock(ifThereIs map: StoredMap) throws(LibraryError) -> FileLock? {
    files.exists(layout.place(of: map)) ? try editingLock(of: map) : nil
  }

  // MARK: - Moving

  /// Keeps everyone from opening some versions of a map; what is not there is open nowhere.
  ///
  /// - Throws: ``LibraryError/inUse(map:by:)`` if one of them is open.
  func exclusiveLocks(
    on urls: [URL], of map: StoredMap
  ) throws(LibraryError) -> [FileLock] {
    var locks: [FileLock] = []
    for url in urls {
      do {
        guard let lock = try FileLock.attempt(.exclusive, on: .item(url), in: files) else {
          throw LibraryError.inUse(map: map.title, by: Self.holder(of: url))
        }
        locks.append(lock)
      } catch FileError.absent {
        continue
      } catch let error as LibraryError {
        throw error
      } catch {
        throw .unreadable(file: url.path(percentEncoded: false), reason: error.plainReason)
      }
    }
    return locks
  }

  /// Who holds a lock, in words; `nil` if the system does not say.
  static func holder(of url: URL) -> String? {
    FileLockHolder.find(for: url)?.description
  }
}

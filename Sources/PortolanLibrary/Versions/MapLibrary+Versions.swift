public import Foundation
internal import PortolanFiles

// Versions that are not the current one: kept until their space is needed, then removed when no
// process reads them.
extension MapLibrary {
  /// The versions of a map that can be restored: first the one that the current one has replaced,
  /// then the others, the latest first.
  public func earlierVersions(of id: MapID) async throws(LibraryError) -> [MapVersion] {
    let map = try await storedMap(id)
    return Self.ordered(try await storage.versions(of: id), current: map.version).filter {
      files.exists(layout.place(of: $0.map))
    }
  }

  /// The versions that are not the current one, the version before first, which need not be the one
  /// with the highest number: an update may have been rolled back.
  static func ordered(_ versions: [MapVersion], current: Int?) -> [MapVersion] {
    versions.filter { $0.number != current }.sorted { first, second in
      let (isFirst, isSecond) = (first.replacedBy == current, second.replacedBy == current)
      return isFirst == isSecond ? first.number > second.number : isFirst
    }
  }

  /// Makes the version before an update the current one again; the update can be restored in the
  /// same way.
  ///
  /// Readers of the current version keep reading it. Databases that one version has taken over
  /// from the other go along as they are now: what was synchronized since stays so.
  ///
  /// - Returns: What is recorded of the map now.
  /// - Throws: ``LibraryError/noEarlierVersion(map:)``,
  ///   ``LibraryError/damagedVersion(map:reason:)``, ``LibraryError/damaged(file:reason:)`` for a
  ///   database of the current version, ``LibraryError/unreadable(file:reason:)``,
  ///   ``LibraryError/beingEdited(map:by:)``, ``LibraryError/unsentEdits(map:count:)`` if the
  ///   current version holds edits that were not sent, ``LibraryError/inUse(map:by:)`` if another
  ///   process has the version before open whose databases are to be replaced.
  @discardableResult
  public func rollBack(_ id: MapID) async throws(LibraryError) -> StoredMap {
    if let reason = storage.readOnlyReason {
      throw .readOnlyHome(file: layout.catalogue.path(percentEncoded: false), reason: reason)
    }
    let lock = try await lockHome()
    defer { lock.release() }
    try await finishInstallation(of: id)
    let map = try await storedMap(id)
    guard var earlier = try await earlierVersions(of: id).first else {
      throw .noEarlierVersion(map: map.title)
    }
    let editing = try editingLock(ifThereIs: map)
    defer { editing?.release() }
    var current = try await recordedVersion(of: map)
    try await settle(&current, replacedBy: earlier)
    try await requireUndamaged(earlier)
    try await bringAlong(current, into: earlier)
    (current.replacedOn, current.replacedBy) = (try await dayOfUse(), earlier.number)
    (earlier.replacedOn, earlier.replacedBy) = (nil, nil)
    // What was registered with it meanwhile went along.
    earlier.map.portal = earlier.map.portal ?? current.map.portal
    // Before it is recorded: what is said of the current version otherwise is put right at the next start.
    if current.number > earlier.number { noteTakenBack(current.map) }
    try await storage.install(earlier, replacing: current)
    report(.rollbackRecorded)
    forgetTakenBack(earlier.map)
    noteRecord(of: earlier.map)
    return earlier.map
  }

  /// Makes sure that a version holds no edits that were not sent and that the other lacks; a version
  /// without edits holds none but those that it has taken over.
  private func settle(
    _ version: inout MapVersion, replacedBy other: MapVersion
  ) async throws(LibraryError) {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return }
    let recorded = version
    let hasTakenOver = other.hasCarried && other.number > version.number && holdsDatabases(other)
    for path in try geodatabases(of: recorded.map, at: place) {
      let url = StoredFile.url(of: path, in: place)
      version.settled[path] = try await seenState(of: url) { () async throws(LibraryError) in
        let state = try GeodatabaseState(of: url)
        let isSettled = hasTakenOver && state.isUnchanged(since: recorded.settled[path])
        if !isSettled, !isAsInstalled(path, of: recorded, state) {
          try await requireNoEdits(of: recorded.map, at: url)
        }
        return state
      }
    }
  }

  /// What is recorded of the current version of a map; of its files, nothing is known in some homes.
  func recordedVersion(of map: StoredMap) async throws(LibraryError) -> MapVersion {
    try await storage.versions(of: map.id).first { $0.number == map.version }
      ?? MapVersion(map: map, files: [])
  }

  /// Whether the files that a stored map was installed with are there, and none was cut.
  ///
  /// Databases that people may edit may have any length.
  public func isWhole(_ map: StoredMap) async throws(LibraryError) -> Bool {
    let place = layout.place(of: map)
    guard files.exists(place) else { return false }
    return try await recordedVersion(of: map).files.allSatisfy { file in
      guard let status = FileStatus(file.url(in: place)), status.kind == .file else { return false }
      return file.isEditableDatabase || status.byteCount == file.byteCount
    }
  }

  /// Records how the current version of a map was downloaded, where the same was downloaded otherwise.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)``, and what keeps the catalogue from being written.
  public func setOptions(
    _ options: StoredAreaOptions?, of id: MapID
  ) async throws(LibraryError) {
    let lock = try await lockHome()
    defer { lock.release() }
    try await finishInstallation(of: id)
    var version = try await recordedVersion(of: storedMap(id))
    guard version.map.options != options else { return }
    version.map.options = options
    try await record(version)
  }

  /// Records which portal's credentials a map is synchronized with, where no portal is known of it.
  ///
  /// - Throws: ``LibraryError/noSuchMap(_:)``, and what keeps the catalogue from being written.
  public func setPortal(_ portal: URL, of id: MapID) async throws(LibraryError) {
    guard try await storedMap(id).portal == nil else { return }
    let lock = try await lockHome()
    defer { lock.release() }
    try await finishInstallation(of: id)
    var version = try await recordedVersion(of: storedMap(id))
    guard version.map.portal == nil else { return }
    version.map.portal = portal
    try await record(version)
  }

  private func record(_ version: MapVersion) async throws(LibraryError) {
    try await version.map.version > 0
      ? storage.install(version, replacing: nil) : storage.save(version.map)
    noteRecord(of: version.map)
  }
}

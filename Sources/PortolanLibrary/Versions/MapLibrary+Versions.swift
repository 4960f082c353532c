public import Foundation
internal import PortolanFiles
internal import PortolanJobs

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
  private static func ordered(_ versions: [MapVersion], current: Int?) -> [MapVersion] {
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

  /// How many edits of the maps that may hold some no service has received.
  ///
  /// Maps whose databases are as they were installed are left out, and none of them is opened.
  ///
  /// - Returns: The counts; `nil` where one cannot be known.
  ///
  /// - Throws: The catalogue's errors, and ``LibraryError/cancelled``.
  public func unsentEdits() async throws(LibraryError) -> [MapID: Int?] {
    var counts: [MapID: Int?] = [:]
    for map in try await maps() {
      let versions = try await storage.versions(of: map.id)
      // A map that is one file now may have been a folder, whose versions are kept.
      let mayHoldSome =
        versions.isEmpty ? map.form == .folder : versions.contains(where: mayHoldEdits)
      guard mayHoldSome || hasUnrecordedVersion(map, besides: versions) else { continue }
      counts[map.id] = .some(try await unsentEdits(of: map.id))
    }
    return counts
  }

  /// Whether a version of a map is there that no record knows, or may be.
  private func hasUnrecordedVersion(_ map: StoredMap, besides known: [MapVersion]) -> Bool {
    do throws(LibraryError) {
      return try !unrecordedPlaces(of: map, besides: known).isEmpty
    } catch {
      return true
    }
  }

  /// Whether edits may be in a version that no service has received; what cannot be looked at may hold
  /// some.
  private func mayHoldEdits(_ version: MapVersion) -> Bool {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return false }
    guard !version.mayHoldEdits else { return true }
    // What cannot be looked at may hold some.
    guard let paths = try? geodatabases(of: version.map, at: place) else { return true }
    return paths.contains { path in
      // Likewise.
      guard let state = try? GeodatabaseState(of: StoredFile.url(of: path, in: place)) else {
        return true
      }
      return !isAsInstalled(path, of: version, state)
    }
  }

  /// Whether no database of a version was edited, with any program.
  private nonisolated func isAsInstalled(
    _ path: String, of version: MapVersion, _ state: GeodatabaseState
  ) -> Bool {
    guard !version.isEdited, !state.hasJournal,
      let file = version.files.first(where: { $0.path == path }),
      let status = FileStatus(file.url(in: layout.place(of: version.map)))
    else { return false }
    return status.byteCount == file.byteCount && status.modified == file.modified
      && (file.changeCounter == nil || file.changeCounter == state.changeCounter)
  }

  /// How many edits go with an earlier version: those that its successor lacks and no service has
  /// received.
  ///
  /// - Returns: The count; `nil` where it cannot be known.
  /// - Throws: ``LibraryError/cancelled``.
  public func unsentEdits(onlyIn version: MapVersion) async throws(LibraryError) -> Int? {
    do throws(LibraryError) { return try await countEdits(onlyIn: version) } catch {
      guard error != .cancelled else { throw error }
      return nil
    }
  }

  /// Refuses to remove a version that holds edits which its successor lacks.
  func requireSettled(_ version: MapVersion) async throws(LibraryError) {
    let count = try await countEdits(onlyIn: version)
    guard count == 0 else { throw .unsentEdits(map: version.map.title, count: count) }
  }

  /// Counts the edits of a version that its successor lacks.
  ///
  /// Where the databases of the current version are gone, so are the edits that it has taken over.
  private func countEdits(onlyIn version: MapVersion) async throws(LibraryError) -> Int {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return 0 }
    var hasSuccessor = false
    if let current = try await storage.storedMap(version.map.id) {
      hasSuccessor = try await canReadDatabases(of: recordedVersion(of: current))
    }
    var count = 0
    for path in try geodatabases(of: version.map, at: place) {
      let url = StoredFile.url(of: path, in: place)
      let state = try GeodatabaseState(of: url)
      guard !hasSuccessor || !state.isUnchanged(since: version.settled[path]) else { continue }
      count += try await countEdits(of: version.map, at: url)
    }
    return count
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

  /// Whether the databases that a version was installed with are there.
  func holdsDatabases(_ version: MapVersion) -> Bool {
    let place = layout.place(of: version.map)
    return files.exists(place)
      && version.files.filter(\.isEditableDatabase).allSatisfy { files.exists($0.url(in: place)) }
  }

  /// Whether those databases can be read, too: cut short, they have lost what they had taken over.
  private func canReadDatabases(of version: MapVersion) async throws(LibraryError) -> Bool {
    guard holdsDatabases(version) else { return false }
    do throws(LibraryError) {
      _ = try await countEdits(of: version.map, at: layout.place(of: version.map))
      return true
    } catch .editsUnknown {
      return false
    }
  }

  /// Forgets that a version whose databases are missing has taken over the edits of the versions before:
  /// they are in those only.
  func distrustSettling(by version: MapVersion) async throws(LibraryError) {
    for var earlier in try await storage.versions(of: version.map.id)
    where earlier.number != version.number && !earlier.settled.isEmpty {
      earlier.settled = [:]
      try await storage.install(version, replacing: earlier)
    }
  }

  /// Removes the versions before updates, as far as they are not being read and no edit is lost,
  /// since their space is needed.
  ///
  /// - Returns: The bytes that were freed on the disk.
  @discardableResult
  public func reclaimSpace() async throws(LibraryError) -> Int {
    let lock = try await lockHome()
    defer { lock.release() }
    return try await retireEarlierVersions()
  }

  /// Removes the versions of all maps that are not the current ones.
  func retireEarlierVersions() async throws(LibraryError) -> Int {
    var freed = 0
    for id in Set(try await storage.earlierVersions().map(\.map.id)) {
      freed += try await retireVersions(of: id, keeping: 0)
    }
    return freed
  }

  /// Removes the earlier versions of a map but for the latest; those that are open or hold edits stay.
  ///
  /// - Returns: The bytes that were freed on the disk.
  @discardableResult
  func retireVersions(of id: MapID, keeping count: Int) async throws(LibraryError) -> Int {
    let current = try await storage.storedMap(id)?.version
    let earlier = Self.ordered(try await storage.versions(of: id), current: current)
    let there = earlier.filter { files.exists(layout.place(of: $0.map)) }
    var freed = 0
    for version in earlier where !there.contains(version) {
      try await storage.removeVersion(version.number, of: id)
      forgetRecord(of: version.number, of: id)
    }
    for version in there.dropFirst(count) {
      do throws(LibraryError) { freed += try await retire(version) } catch {
        switch error {
        case .inUse, .beingEdited, .unsentEdits, .editsUnknown, .unreadable: continue
        default: throw error
        }
      }
    }
    return freed
  }

  /// Where the versions of a map are but for one.
  private func otherPlaces(
    than place: URL, _ version: MapVersion
  ) throws(LibraryError) -> [URL] {
    let path = place.standardizedFileURL.path
    return try versions(of: version.map.id).map(\.url).filter {
      $0.standardizedFileURL.path != path
    }
  }

  /// Removes an earlier version; services that registered it as a replica are notified.
  ///
  /// - Returns: The bytes that were freed on the disk.
  func retire(_ version: MapVersion) async throws(LibraryError) -> Int {
    let place = layout.place(of: version.map)
    var freed = 0
    if files.exists(place) {
      let locks = try exclusiveLocks(on: [place], of: version.map)
      defer { for lock in locks { lock.release() } }
      try await requireSettled(version)
      let messages = await releases(version.map, place, try otherPlaces(than: place, version))
      let condemned = try condemn(place)
      report(.versionRetired)
      // What could not be noted is no reason to keep it: services forget unused copies in time.
      for message in messages { try? await storage.post(message) }
      freed = DiskUsage.freed(byRemoving: condemned).allocatedByteCount
      try erase(condemned)
    }
    try await storage.removeVersion(version.number, of: version.map.id)
    forgetRecord(of: version.number, of: version.map.id)
    return freed
  }
}

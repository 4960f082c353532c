internal import Foundation
internal import PortolanFiles

// Versions that are not the current one: kept until their space is needed, then removed when nobody
// reads them.
extension MapLibrary {
  /// The versions of a map that can be brought back, the latest first.
  public func earlierVersions(of id: MapID) async throws(LibraryError) -> [MapVersion] {
    let map = try await storedMap(id)
    return try await storage.versions(of: id).filter {
      $0.number != map.version && files.exists(layout.place(of: $0.map))
    }.sorted { $0.number > $1.number }
  }

  /// Makes the version before an update the current one again; the update can be brought back in the
  /// same way.
  ///
  /// Who reads the current version goes on reading it.
  ///
  /// - Returns: What is recorded of the map now.
  /// - Throws: ``LibraryError/noEarlierVersion(map:)``, ``LibraryError/beingEdited(map:by:)``,
  ///   ``LibraryError/unsentEdits(map:count:)`` if the current version holds edits that were not sent.
  @discardableResult
  public func rollBack(_ id: MapID) async throws(LibraryError) -> StoredMap {
    let lock = try await lockHome()
    defer { lock.release() }
    try await finishInstallations()
    let map = try await storedMap(id)
    guard var earlier = try await earlierVersions(of: id).first else {
      throw .noEarlierVersion(map: map.title)
    }
    let editing = try editingLock(ifThereIs: map)
    defer { editing?.release() }
    var current =
      try await storage.versions(of: id).first { $0.number == map.version }
      ?? MapVersion(map: map, files: [])
    try await settle(&current)
    current.replacedOn = try await dayOfUse()
    earlier.replacedOn = nil
    try await storage.install(earlier, replacing: current)
    report(.rollbackRecorded)
    return earlier.map
  }

  /// Makes sure that a version holds no edits that were not sent; what nobody has edited holds none
  /// but those that it has taken over.
  private func settle(_ version: inout MapVersion) async throws(LibraryError) {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return }
    let isUnedited = !version.isEdited && !version.files.isEmpty
    if !isUnedited { try await requireNoEdits(of: version.map, at: place) }
    for path in try geodatabases(of: version.map, at: place) {
      version.settled[path] = try GeodatabaseState(of: StoredFile.url(of: path, in: place))
    }
  }

  /// Refuses to remove a version that holds edits which its successor lacks.
  func requireSettled(_ version: MapVersion) async throws(LibraryError) {
    let place = layout.place(of: version.map)
    guard files.exists(place) else { return }
    for path in try geodatabases(of: version.map, at: place) {
      let url = StoredFile.url(of: path, in: place)
      guard version.settled[path] != (try GeodatabaseState(of: url)) else { continue }
      try await requireNoEdits(of: version.map, at: url)
    }
  }

  /// Removes the versions before updates, as far as nobody reads them and no edit is lost, since their
  /// space is needed.
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
    let earlier = try await storage.versions(of: id)
      .filter { $0.number != current }.sorted { $0.number > $1.number }
    let there = earlier.filter { files.exists(layout.place(of: $0.map)) }
    var freed = 0
    for version in earlier where !there.contains(version) {
      try await storage.removeVersion(version.number, of: id)
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

  /// Removes an earlier version.
  ///
  /// - Returns: The bytes that were freed on the disk.
  func retire(_ version: MapVersion) async throws(LibraryError) -> Int {
    let place = layout.place(of: version.map)
    var freed = 0
    if files.exists(place) {
      let locks = try exclusiveLocks(on: [place], of: version.map)
      defer { for lock in locks { lock.release() } }
      try await requireSettled(version)
      let condemned = try condemn(place)
      report(.versionRetired)
      freed = DiskUsage.freed(byRemoving: condemned).allocatedByteCount
      try erase(condemned)
    }
    try await storage.removeVersion(version.number, of: version.map.id)
    return freed
  }
}

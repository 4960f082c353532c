internal import Foundation
internal import PortolanFiles
internal import PortolanJobs

// Earlier versions are removed when their space is needed and no process reads them.
extension MapLibrary {
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
        case .inUse, .beingEdited, .beingWritten, .unsentEdits, .editsUnknown, .unreadable: continue
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

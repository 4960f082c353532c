internal import Foundation
internal import PortolanFiles

// What is announced, moved and then recorded, also after a crash between these steps.
extension MapLibrary {
  /// Completes installations that a crash has interrupted after the files took their place, and
  /// forgets those whose files did not: they are where they were.
  ///
  /// One of which that cannot be known, or recorded, now stays announced: it does not prevent
  /// opening other maps, nor deleting them where the disk is full.
  ///
  /// - Returns: Why some could not be recorded, by their maps.
  @discardableResult
  func finishInstallations() async throws(LibraryError) -> [MapID: LibraryError] {
    var unrecorded: [MapID: LibraryError] = [:]
    for installation in try await storage.installations() {
      do throws(FileError) {
        guard try hasMoved(installation) else {
          await withdraw(installation)
          removeEmptyContainers(of: installation.map.id)
          continue
        }
        try confirm(installation)
      } catch {
        continue
      }
      do throws(LibraryError) { try await record(installation) } catch {
        switch error {
        // The next who changes something tries again.
        case .diskFull, .catalogue, .unreadable, .unwritable:
          unrecorded[installation.map.id] = error
        default: throw error
        }
      }
    }
    return unrecorded
  }

  /// The version of a map of which it is not known yet whether it has taken its place.
  func unfinishedInstallation(of id: MapID) async throws(LibraryError) -> MapInstallation? {
    try await storage.installations().first { $0.map.id == id }
  }

  /// Makes sure that it is known which version of a map is the current one: what is recorded of it
  /// otherwise takes the place of what is announced.
  ///
  /// - Throws: ``LibraryError/durabilityUnknown(file:reason:)``, and what keeps it from being recorded.
  func finishInstallation(of id: MapID) async throws(LibraryError) {
    if let error = try await finishInstallations()[id] { throw error }
    guard let installation = try await unfinishedInstallation(of: id) else { return }
    throw .durabilityUnknown(
      file: layout.place(of: installation.map).path(percentEncoded: false),
      reason: "until it does, \"\(installation.map.title)\" stays as it is")
  }

  private func withdraw(_ installation: MapInstallation) async {
    // Announced once more at the next start, if the catalogue cannot be written now.
    try? await storage.withdraw(installation)
  }

  /// Whether the files of an installation are in their place.
  private func hasMoved(_ installation: MapInstallation) throws(FileError) -> Bool {
    let place = try FileStatus(at: layout.place(of: installation.map))
    // The number of a version is never used twice; older places are.
    return installation.version == nil
      ? place?.identity == installation.file : place != nil
  }

  /// Has the disk confirm that files have moved.
  private func confirm(_ installation: MapInstallation) throws(FileError) {
    let place = layout.place(of: installation.map)
    for folder in [place.deletingLastPathComponent(), layout.folder(.staging)] {
      try files.syncFolder(folder)
    }
  }

  /// Records what has taken its place, and removes what is no longer needed.
  func record(_ installation: MapInstallation) async throws(LibraryError) {
    guard let version = installation.version else {
      return try await recordFlat(installation)
    }
    var previous = installation.previous
    previous?.replacedOn = try await dayOfUse()
    previous?.replacedBy = version.number
    try await storage.install(version, replacing: previous)
    report(.installRecorded)
    // Another version had its number, where a map was removed and is stored again.
    forgetDamage(of: version.map)
    noteRecord(of: version.map)
    // A version that cannot be removed now is removed at the next start.
    try? await removeLeftovers(of: version.map)
  }

  /// Removes what was deleted of a map before it was stored again, and versions that are too old.
  private func removeLeftovers(of map: StoredMap) async throws(LibraryError) {
    for (_, trash) in layout.trashMoves(of: map) where files.exists(trash) {
      try await clear(trash, of: map)
    }
    try await retireVersions(of: map.id, keeping: 1)
  }

  /// Removes what was deleted of a map before; with edits that were not sent it is set aside, for
  /// no question has mentioned their loss.
  func clear(_ trash: URL, of map: StoredMap) async throws(LibraryError) {
    guard try await mayHoldEdits(trash, of: map) else { return try remove(trash) }
    try await noteKeptFiles(of: map, in: trash)
    try setAside(trash, as: map.id.text, isDeleted: true)
  }

  /// Whether a deleted map may hold edits that were not sent, in any of its versions; what cannot be
  /// counted may.
  private func mayHoldEdits(_ trash: URL, of map: StoredMap) async throws(LibraryError) -> Bool {
    // Whatever form the map has now: that of what was deleted may be another.
    let versions = try layout.versions(in: trash, in: files).map(\.url)
    for place in versions.isEmpty ? [trash] : versions {
      do throws(LibraryError) {
        guard try await countEdits(of: map, at: place) == 0 else { return true }
      } catch .cancelled {
        throw .cancelled
      } catch {
        return true
      }
    }
    return false
  }

  /// Completes what an older Portolan has announced, in the place that it chose.
  private func recordFlat(_ installation: MapInstallation) async throws(LibraryError) {
    let staged = layout.folder(.staging).appending(path: installation.staged)
    if files.exists(staged) {
      // The version before, which has changed places with it; it may hold edits.
      try move(staged, to: layout.keptPlace(of: installation.map.id.text))
    }
    try await storage.save(installation.map)
  }
}

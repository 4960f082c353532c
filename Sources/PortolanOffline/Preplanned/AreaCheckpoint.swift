internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary

/// The checkpoint of the download of an area: whether it has stored the map already.
///
/// Written before the map is stored. A process may die after that and before the job is recorded as
/// done; storing the map once more would replace the version before with a copy of the new one.
struct AreaCheckpoint: Codable {
  /// The number of the version that was the current one before.
  let version: Int
  /// How the job ends.
  let failedItems: [JobFailedItem]

  init(version: Int, failedItems: [JobFailedItem]) {
    self.version = version
    self.failedItems = failedItems
  }

  /// Reads the checkpoint of a job; `nil` if there is none.
  init?(of job: Job) {
    guard let data = job.checkpoint,
      // One that cannot be read says nothing: the job stores the map once more.
      let checkpoint = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = checkpoint
  }

  /// Whether a job has stored its map: its folder has become a later version.
  func isStored(_ map: MapID, by job: Job, in library: MapLibrary) async throws -> Bool {
    guard let stored = try await current(map, after: job, in: library) else { return false }
    return stored.version > version
  }

  /// Whether a job has stored its map as a version that is not the current one any more, since the one before
  /// was restored; it can be restored in the same way.
  func isTakenBack(_ map: MapID, by job: Job, in library: MapLibrary) async throws -> Bool {
    guard let stored = try await current(map, after: job, in: library), stored.version <= version
    else { return false }
    return try await library.earlierVersions(of: map).contains { $0.number > version }
  }

  /// What is recorded of a map, where nothing is staged of it by a job any more; `nil` if it is not on the list.
  private func current(
    _ map: MapID, after job: Job, in library: MapLibrary
  ) async throws -> StoredMap? {
    // An installation that a crash has interrupted is completed first.
    try await library.recover()
    let staging = library.layout.staging(job.id.text)
    guard !FileManager.default.fileExists(atPath: staging.path(percentEncoded: false)),
      let stored = try await library.storage.storedMap(map), stored.deleted == nil
    else { return nil }
    return stored
  }
}

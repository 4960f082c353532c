internal import Foundation
internal import PortolanGeodatabase
internal import PortolanJobs
internal import PortolanLibrary

extension OfflineEnvironment {
  /// Lets a map that a job has downloaded take its place, and reports which edits of the version before were
  /// taken along.
  ///
  /// - Parameters:
  ///   - staged: The folder of the job, or a file in it.
  ///   - map: What to record.
  ///   - reporter: The log of the job.
  ///   - homes: The identities of the homes that have asked services for geodatabases, by the paths of those;
  ///     the home in which the job began has asked for the others.
  /// - Throws: ``LibraryError``; a failure that says what helps where edits that no service takes keep
  ///   the map from being replaced.
  func store(
    _ staged: URL, as map: StoredMap, reporting reporter: JobReporter,
    requestedIn homes: [String: String] = [:]
  ) async throws {
    try await noteHome(in: staged, of: map, requestedIn: homes)
    do {
      try await library.install(staged, as: map)
    } catch LibraryError.unsentEdits(let title, let count) {
      let error = LibraryError.unsentEdits(map: title, count: count)
      var failure = JobFailure(error, kind: .device)
      // Whether a service takes the edits of a map that cannot be read is unknown.
      let takesEdits = try? await OfflineMapSyncTask(self).takesEdits(map.id)
      if takesEdits == false {
        failure.advice =
          "No service takes them. Export the map to keep them, then delete it and download it again. "
          + "Nothing was changed."
      }
      throw JobInterruption.failed(failure)
    }
    // What cannot be counted here is counted by the next replacement of the map.
    guard let count = try? await library.unsentEdits(of: map.id), count > 0 else { return }
    await reporter.message(
      "\(count == 1 ? "An edit that was" : "\(count) edits that were") not sent yet "
        + "\(count == 1 ? "is" : "are") part of it.")
  }

  /// What distinguishes a map from copies of it: of the home in which its job began.
  private func identity(of map: MapID, begunIn folder: URL) async throws -> String {
    guard let home = try beginning(in: folder) else { return try await library.identity(of: map) }
    return HomeLayout.identity(of: map, in: home)
  }

  /// Notes in the copies that services have made for a map for which map of which home they were
  /// registered: a copy of the map or the home, be it made before anything was synchronized, then registers
  /// its own.
  private func noteHome(
    in folder: URL, of map: StoredMap, requestedIn homes: [String: String]
  ) async throws {
    guard map.form == .folder else { return }
    for path in try OfflineMapSyncTask.geodatabases(in: folder) {
      let file = folder.appending(path: path)
      // What was taken over from the version before says so itself, and has to stay as it was taken.
      guard !library.layout.isCarried(file) else { continue }
      do {
        try await OfflineMapSyncTask.using(file, surroundings) { store in
          guard let state = try await store.syncState(), state.isRegistered else { return }
          let home =
            if let asking = homes[path] {
              HomeLayout.identity(of: map.id, in: asking)
            } else {
              try await identity(of: map.id, begunIn: folder)
            }
          if state.home != home { try await store.setHome(home) }
        }
      } catch {
        // In a file that cannot be edited it is noted by the first synchronization.
        guard !Task.isCancelled, case .failed = JobInterruption(error) else { throw error }
      }
    }
  }
}

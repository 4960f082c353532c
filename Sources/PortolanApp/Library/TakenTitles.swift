internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline

/// The titles that another map cannot have.
struct TakenTitles: Hashable, Sendable {
  /// The titles of the maps on this device.
  var stored: Set<String>
  /// The titles of the maps that jobs of any process bring.
  var coming: Set<String>

  /// A title if it is free, else the first like it that is.
  func free(like title: String) -> String {
    FreeName.like(title) { stored.contains($0) || coming.contains($0) }
  }
}

extension HomeLibrary {
  /// The titles of the maps that are on this device or on their way; hold
  /// ``PortolanLibrary/MapLibrary/holdTitles()`` until one of those that are free is taken.
  ///
  /// - Parameter id: The map that takes a title: its own is free for it.
  /// - Returns: The titles.
  /// - Throws: The errors of the catalogue.
  func takenTitles(besides id: String? = nil) async throws -> TakenTitles {
    // The jobs first: a map that is stored between the two looks is in both lists, and not in neither.
    let cancelled = Set(
      try await storage.requests().filter { $0.intent == .cancel }.map(\.job))
    let jobs = try await storage.jobs().filter { job in
      job.storesMap && !job.state.isFinal && job.intent != .cancel && job.subject != id
        && !cancelled.contains(job.id)
    }
    let stored = try await maps.maps().filter { $0.id.text != id }
    return TakenTitles(stored: Set(stored.map(\.title)), coming: Set(jobs.map(\.title)))
  }
}

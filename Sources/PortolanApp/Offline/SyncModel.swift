internal import Foundation
public import Observation
internal import PortolanFeatures
internal import PortolanGeodatabase
public import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPortal

/// The screen on which stored maps are synchronized with their services, and on which the user
/// decides about edits that could not be exchanged.
@MainActor
@Observable
public final class SyncModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The map whose conflicts are shown.
    public var map: String?
    /// Its title.
    public var title: String?
    /// Its edits that could not be exchanged.
    public var conflicts: [Conflict] = []
    /// The last problem.
    public var problem: Problem?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private let library: HomeLibrary
  @ObservationIgnored private let portals: any PortalConnecting
  @ObservationIgnored private var found: [OfflineMapSyncTask.Conflict] = []

  /// Creates the screen; nothing is read yet.
  ///
  /// - Parameters:
  ///   - library: What is stored.
  ///   - portals: Connects to portals.
  public init(library: HomeLibrary, portals: any PortalConnecting) {
    self.library = library
    self.portals = portals
  }

  private var task: OfflineMapSyncTask { OfflineMapSyncTask(library.offline) }

  // MARK: - Synchronizing

  /// Asks for the job that synchronizes a stored map.
  ///
  /// - Parameters:
  ///   - map: The id of the map.
  ///   - direction: In which directions changes go.
  /// - Returns: The job, and whether it is a new one.
  /// - Throws: A problem if the map is not stored, or no service knows it as its copy.
  @discardableResult
  public func sync(
    _ map: String, _ direction: Direction = .bidirectional
  ) async throws(Problem) -> (job: Job, isNew: Bool) {
    do {
      let (job, isNew) = try await submit(map, direction)
      // One that waits for a network or a sign-in tries again, since it is requested.
      if !isNew, job.state.canResume { try await library.queue.resume(job.id) }
      return (job, isNew)
    } catch {
      throw ended(error)
    }
  }

  /// Starts the jobs that synchronize all stored maps with replicas, one after the other.
  ///
  /// A job that waits for a network looks for it again; running jobs, and those that the user has
  /// paused, are left alone.
  public func startAll() async {
    // If a single map is requested, what prevents it is reported.
    for map in (try? await synchronizedMaps()) ?? [] {
      // as said above
      guard let (job, isNew) = try? await submit(map, .bidirectional), !isNew,
        case .waiting(.network) = job.state
      else { continue }
      try? await library.queue.resume(job.id)  // as said above
    }
  }

  private func submit(_ map: String, _ direction: Direction) async throws -> (job: Job, isNew: Bool)
  {
    let stored = try await storedMap(map)
    guard try await task.isSynchronized(stored.id) else {
      let isItsMode = try await task.isKeptWithoutUpdates(stored.id)
      throw isItsMode
        ? OfflineMapError.keptWithoutUpdates(map: stored.title)
        : OfflineMapError.notSynchronized(file: stored.title)
    }
    let portal = try await portal(of: stored)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: portal, map: map, direction: direction.task),
      title: stored.title)
    return try await library.queue.submit(order)
  }

  /// The portal with whose credentials the services of a map are asked.
  ///
  /// A package of this device names its services, and no portal. The one in use provides the accounts
  /// at all portals with a sign-in, each for its own servers.
  private func portal(of map: StoredMap) async throws(PortalError) -> URL {
    if let portal = map.portal { return portal }
    return try await portals.portal(at: nil).url
  }

  /// The ids of the stored maps that a service knows as its copies, except imported ones that
  /// were never synchronized: only reading one registers nothing at its service.
  ///
  /// - Throws: A problem if the catalogue cannot be read.
  public func synchronizedMaps() async throws(Problem) -> [String] {
    do {
      var ids: [String] = []
      for map in try await library.maps.maps() where map.portal != nil {
        // A map that cannot be opened is reported where its own synchronization is requested.
        if (try? await task.isSynchronized(map.id)) ?? true { ids.append(map.id.text) }
      }
      return ids
    } catch {
      throw ended(error)
    }
  }

  // MARK: - Conflicts

  /// Reads the edits of a map that could not be exchanged.
  ///
  /// - Throws: A problem, which the state has as well.
  public func loadConflicts(of map: String) async throws(Problem) {
    do {
      let stored = try await storedMap(map)
      found = try await task.conflicts(of: stored.id)
      state = State(map: map, title: stored.title, conflicts: found.map(Conflict.init))
    } catch {
      throw ended(error)
    }
  }

  /// The conflict as the list shows it; `nil` if it is not listed.
  public func seen(_ number: Int) -> SeenConflict? {
    found.first { $0.id == number }.map { SeenConflict($0) }
  }

  /// Resolves one of the listed edits; the next synchronization sends what is to be sent.
  ///
  /// - Parameters:
  ///   - number: The number of the edit.
  ///   - resolution: What is done about it.
  ///   - seen: What the user has seen of it; `nil` for what the list shows.
  /// - Throws: A problem, which the state has as well; one that says that either side was changed since
  ///   lists the conflicts anew and resolves nothing.
  public func resolve(
    _ number: Int, as resolution: Resolution, ifStill seen: SeenConflict? = nil
  ) async throws(Problem) {
    try await resolve(number, ifStill: seen) { conflict, map in
      try await self.task.resolve(
        conflict, of: map, as: resolution == .mine ? .mine : .theirs)
    }
  }

  /// Changes the feature of one of the listed edits, which is then sent as it is.
  ///
  /// - Parameters:
  ///   - number: The number of the edit.
  ///   - values: The values as a person types them, by the names or labels of the fields.
  ///   - codes: The fields whose values are codes and no names, as where they were chosen from a list.
  ///   - seen: What the user has seen of the edit; `nil` for what the list shows.
  /// - Throws: A problem, which the state has as well; the edit stays on the list then.
  public func resolve(
    _ number: Int, setting values: [(field: String, text: String)], codes: Set<String> = [],
    ifStill seen: SeenConflict? = nil
  ) async throws(Problem) {
    try await resolve(number, ifStill: seen) { conflict, map in
      let attributes = try conflict.attributes(typed: values, codes: codes)
      try await self.task.resolve(conflict, of: map, changing: attributes)
    }
  }

  private func resolve(
    _ number: Int, ifStill seen: SeenConflict?,
    _ body: (OfflineMapSyncTask.Conflict, MapID) async throws -> Void
  ) async throws(Problem) {
    guard let map = state.map, let id = MapID(map),
      let listed = found.first(where: { $0.id == number })
    else {
      throw ended(
        Problem(
          message: "There is no conflict \(number).", suggestion: "Check the list of conflicts.",
          kind: .absence))
    }
    do {
      let conflicts = try await task.conflicts(of: id)
      // An edit that was made since the user looked would be discarded unseen.
      guard let conflict = conflicts.first(where: { $0.id == number }),
        SeenConflict(conflict) == seen ?? SeenConflict(listed)
      else {
        try await loadConflicts(of: map)
        throw Self.changedMeanwhile
      }
      try await body(conflict, id)
    } catch FeatureEditError.conflictChanged(_) {
      // Neither is one discarded that was made since it was compared.
      try await loadConflicts(of: map)
      throw ended(Self.changedMeanwhile)
    } catch {
      throw ended(error)
    }
    try await loadConflicts(of: map)
  }

  private static let changedMeanwhile = Problem(
    .changedMeanwhile, message: "The conflict was changed or resolved meanwhile.",
    suggestion: "Look at the list of conflicts again, and decide once more.")

  // MARK: - Maps

  private func storedMap(_ id: String) async throws -> StoredMap {
    let maps = try await library.maps.maps()
    guard let map = maps.first(where: { $0.id.text == id }) else {
      throw LibraryError.noSuchMap(id)
    }
    return map
  }

  private func ended(_ error: any Error) -> Problem {
    let problem = error as? Problem ?? Problem(error)
    state.problem = problem
    return problem
  }
}

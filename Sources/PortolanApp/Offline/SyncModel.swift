public import Observation
internal import PortolanGeodatabase
public import PortolanJobs
internal import PortolanLibrary
public import PortolanOffline

/// The screen on which stored maps are brought together with their services, and on which somebody
/// decides about edits that could not be exchanged.
@MainActor
@Observable
public final class SyncModel {
  /// An edit that could not be exchanged.
  public struct Conflict: Hashable, Sendable, Identifiable {
    /// Its number on the list, from 1.
    public var id: Int
    /// The table of the feature.
    public var table: String
    /// The feature.
    public var objectID: Int64
    /// What was done to it here: `add`, `update`, `delete` or `attachments`.
    public var edit: String
    /// What is in the way, a sentence for people.
    public var reason: String
    /// The feature as the service has it, as Esri JSON; `nil` where it is gone or as it was.
    public var theirs: String?
    /// Whether others have edited it, and not the service refused it.
    public var isConflict: Bool
  }

  /// What is done about an edit that could not be exchanged.
  public enum Resolution: String, Hashable, Sendable, CaseIterable {
    /// It is sent again as it stands now; edit it before to change it.
    case mine
    /// It is given up for what the service has.
    case theirs
  }

  /// What the screen shows.
  public struct State: Hashable, Sendable {
    /// The title of the map whose conflicts are shown.
    public var title: String?
    /// Its edits that could not be exchanged.
    public var conflicts: [Conflict] = []
    /// What went wrong last.
    public var problem: Problem?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private let library: HomeLibrary
  @ObservationIgnored private var found: [OfflineMapSyncTask.Conflict] = []

  /// Creates the screen; nothing is read yet.
  public init(library: HomeLibrary) { self.library = library }

  /// Asks for the job that synchronizes a stored map.
  ///
  /// - Parameters:
  ///   - map: The id of the map.
  ///   - direction: In which directions changes go.
  /// - Returns: The job, and whether it is a new one.
  /// - Throws: A problem if the map is not there or did not come from a portal.
  @discardableResult
  public func sync(
    _ map: String, _ direction: GeodatabaseSyncTask.Direction = .bidirectional
  ) async throws(Problem) -> (job: Job, isNew: Bool) {
    do {
      let stored = try await storedMap(map)
      guard let portal = stored.portal else {
        throw Problem(message: "\"\(stored.title)\" did not come from a portal.")
      }
      let order = try OfflineJobOrder(
        SyncOfflineMapParameters(portal: portal, map: map, direction: direction),
        title: stored.title)
      return try await library.queue.submit(order)
    } catch {
      throw ended(error)
    }
  }

  /// Reads the edits of a map that could not be exchanged.
  ///
  /// - Throws: A problem, which the state has as well.
  public func loadConflicts(of map: String) async throws(Problem) {
    do {
      let stored = try await storedMap(map)
      found = try await OfflineMapSyncTask(library.offline).conflicts(of: stored.id)
      state.title = stored.title
      state.conflicts = found.enumerated().map { Self.conflict($0 + 1, $1.issue) }
      state.problem = nil
    } catch {
      throw ended(error)
    }
  }

  /// Settles one of the listed edits; the next synchronization sends what is to be sent.
  ///
  /// - Throws: A problem, which the state has as well.
  public func resolve(
    _ number: Int, of map: String, as resolution: Resolution
  ) async throws(Problem) {
    do {
      let stored = try await storedMap(map)
      guard found.indices.contains(number - 1) else {
        throw Problem(message: "There is no conflict \(number).", kind: .absence)
      }
      try await OfflineMapSyncTask(library.offline).resolve(
        found[number - 1], of: stored.id, as: resolution == .mine ? .mine : .theirs)
    } catch {
      throw ended(error)
    }
    try await loadConflicts(of: map)
  }

  private func storedMap(_ id: String) async throws -> StoredMap {
    let maps = try await library.maps.maps()
    guard let map = maps.first(where: { $0.id.text == id }) else {
      throw Problem(message: "There is no map \"\(id)\" on this device.", kind: .absence)
    }
    return map
  }

  private func ended(_ error: any Error) -> Problem {
    let problem = error as? Problem ?? Problem(error)
    state.problem = problem
    return problem
  }

  private static func conflict(_ number: Int, _ issue: SyncIssue) -> Conflict {
    let reason =
      switch issue.kind {
      case .rejected:
        issue.reason.map { "The service refuses it: \($0)" } ?? "The service refuses it."
      case .conflict where issue.isGoneThere: "Others have removed the feature."
      case .conflict: "Others have changed the feature."
      }
    return Conflict(
      id: number, table: issue.table, objectID: issue.objectID, edit: issue.edit, reason: reason,
      theirs: issue.theirs?.text, isConflict: issue.kind == .conflict)
  }
}

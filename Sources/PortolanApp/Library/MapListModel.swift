public import Foundation
public import Observation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
public import PortolanPortal
public import PortolanTransport

/// The screen with the list of maps: what is on this device, what is on its way, and what portals
/// offer.
///
/// The local store drives the list. What a portal says only adds to it, and what a portal fails to
/// say is in ``State/banner``; no row goes because of it.
@MainActor
@Observable
public final class MapListModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The rows: each web map with its areas below it, then other maps.
    public var items: [MapListItem] = []
    /// The reason why the list may be incomplete; `nil` if it is complete.
    public var banner: Problem?
    /// Whether portals are being asked.
    public var isRefreshing = false
    /// The comparison of the maps with those of their portals, by the portals' last answers; `nil`
    /// before that.
    public var updates: [MapUpdate]?
    /// The result of the last import of a package of this device; `nil` before that.
    public var imported: PackageImport?
  }

  /// The current state; observe this.
  public internal(set) var state = State()

  @ObservationIgnored let library: HomeLibrary
  @ObservationIgnored let portals: any PortalConnecting
  @ObservationIgnored private let monitor: any NetworkMonitor
  @ObservationIgnored private let documents: (any DocumentCache)?
  @ObservationIgnored var list = MapList()
  @ObservationIgnored var refreshProblem: Problem?
  /// The reasons why the areas of web maps could not be requested, by the ids of the web maps.
  @ObservationIgnored var offerProblems: [String: Problem] = [:]
  /// The dates of packages from their portals that could not be stored, by the ids of the maps.
  @ObservationIgnored var unsavedDates: [String: Date?] = [:]

  /// Creates the screen; nothing is read until ``load()``.
  ///
  /// - Parameters:
  ///   - library: What is stored.
  ///   - portals: Connects to portals.
  ///   - monitor: Whether there is a network.
  ///   - documents: What keeps the descriptions of web maps that were browsed; nothing if `nil`.
  public init(
    library: HomeLibrary, portals: any PortalConnecting, monitor: any NetworkMonitor,
    documents: (any DocumentCache)? = nil
  ) {
    self.documents = documents
    self.library = library
    self.portals = portals
    self.monitor = monitor
  }

  // MARK: - What is known here

  /// Reads what is stored and shows it; no portal is asked.
  ///
  /// - Throws: A problem if the catalogue cannot be read.
  public func load() async throws(Problem) {
    do throws(LibraryError) {
      list.stored = try await library.maps.maps()
      list.offers = try await offers()
      list.packageDates = try await library.storage.packageDates()
      for (id, date) in unsavedDates { list.packageDates[id] = date }
    } catch {
      throw Problem(error)
    }
    list.damage = await library.maps.notedDamage(of: list.stored)
    list.jobs = await library.queue.jobs
    await noteKeptMaps()
    show()
  }

  /// Looks which web maps can be opened without a network.
  private func noteKeptMaps() async {
    var kept: Set<String> = []
    if let documents, !monitor.status.isOnline {
      for map in list.offers.map(\.map) {
        // A map without a valid id was never browsed.
        guard let id = try? PortalItem.ID(map.id) else { continue }
        if await Portal.isKept(id, of: map.portal, in: documents) { kept.insert(map.id) }
      }
    }
    list.keptMaps = kept
  }

  private func offers() async throws(LibraryError) -> [MapList.Offer] {
    var offers: [MapList.Offer] = []
    for map in try await library.storage.knownMaps() {
      offers.append(
        MapList.Offer(map: map, areas: try await library.storage.knownAreas(of: map.id)))
    }
    return offers
  }

  /// Shows what is known.
  func show() {
    list.isOnline = monitor.status.isOnline
    list.now = library.offline.surroundings.now()
    state.items = list.items
    state.banner =
      list.isOnline
      ? refreshProblem
      : Problem(message: offlineMessage, kind: .network)
  }

  /// The message above a list without a network.
  private var offlineMessage: String {
    state.items.allSatisfy(\.canOpenOffline)
      ? "There is no network. This is what is on this device."
      : list.keptMaps.isEmpty
        ? "There is no network. These maps are on this device, or were being downloaded to it."
        : "There is no network. These maps are on this device, were being downloaded to it, or open as "
          + "they were when they were browsed."
  }

  // MARK: - What portals say

  /// Asks the portals of all known web maps for their areas; failures are shown in the banner.
  public func refresh() async {
    guard monitor.status.isOnline else {
      await noteKeptMaps()
      return show()
    }
    state.isRefreshing = true
    defer { state.isRefreshing = false }
    var problem: Problem?
    var problems: [String: Problem] = [:]
    for offer in list.offers {
      do { try await update(offer.map.id, at: offer.map.portal) } catch {
        problem = problem ?? error
        problems[offer.map.id] = error
      }
    }
    (refreshProblem, offerProblems) = (problem, problems)
    do { try await load() } catch {
      refreshProblem = error
      for offer in list.offers { offerProblems[offer.map.id] = error }
    }
    show()
  }

  /// Puts a web map and its areas on the list, or asks for them again.
  ///
  /// - Parameters:
  ///   - webMap: The id of its item.
  ///   - portal: Its portal; the one in use if `nil`.
  /// - Throws: A problem if the portal does not tell; rows that are there stay.
  public func add(webMap: String, portal: URL? = nil) async throws(Problem) {
    try await update(webMap, at: portal)
    (refreshProblem, offerProblems[webMap]) = (nil, nil)
    try await load()
  }

  /// Takes a web map and the areas that are not stored off the list.
  ///
  /// - Throws: A problem if the catalogue cannot be written.
  public func remove(webMap: String) async throws(Problem) {
    do { try await library.storage.removeKnownMap(webMap) } catch { throw Problem(error) }
    try await load()
  }

  private func update(_ webMap: String, at url: URL?) async throws(Problem) {
    do {
      let portal = try await portals.portal(at: url)
      let offer = MapOffer(
        portal: portal, storage: library.storage, now: library.offline.surroundings.now)
      try await offer.update(PortalItem.ID(webMap))
    } catch {
      throw Problem(error)
    }
  }

  // MARK: - Following

  /// Keeps the list as things are: jobs, the store, the network; until the task is cancelled.
  public func follow() async {
    let (queue, storage) = (library.queue, library.storage)
    await withDiscardingTaskGroup { group in
      group.addTask { for await jobs in await queue.updates() { await self.take(jobs) } }
      group.addTask {
        for await change in await storage.changes()
        where !change.isDisjoint(with: [.storedMaps, .knownMaps]) {
          // The rows stay as they were until the catalogue can be read again.
          try? await self.load()
        }
      }
      group.addTask { for await status in self.monitor.updates() { await self.take(status) } }
    }
  }

  private func take(_ jobs: [Job]) {
    let before = Dictionary(list.jobs.map { ($0.id, $0) }) { first, _ in first }
    list.jobs = jobs
    let changed = jobs.filter { before[$0.id] != $0 }
    // Progress comes many times a second, and a list may be long.
    let isProgress = jobs.count == before.count && changed.allSatisfy { advance($0) }
    if !isProgress { show() }
  }

  /// Shows how far the download of a row is; `false` if more than that changes.
  private func advance(_ job: Job) -> Bool {
    guard let index = state.items.firstIndex(where: { $0.transfer?.job == job.id }) else {
      return false
    }
    return state.items[index].advance(to: MapTransfer(job))
  }

  private func take(_ status: NetworkStatus) async {
    let hasReturned = status.isOnline && !list.isOnline
    await noteKeptMaps()
    show()
    guard status.isOnline else { return }
    await library.queue.conditionsHaveChanged(.network)
    if hasReturned { await refresh() }
  }

  /// Marks a row as open, and the one before as closed; `nil` if none is open.
  func setOpen(_ id: String?) {
    list.openID = id
    show()
  }
}

internal import Foundation
internal import Observation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Sends the pages the states of the screens whenever they change.
@MainActor
@Observable
final class ScreenFollower {
  /// The reason why the content of this device could not be read; the list of maps says so.
  var problem: Problem?

  @ObservationIgnored private let app: AppModel
  @ObservationIgnored private let account: AccountScreens
  @ObservationIgnored private let hub: EventHub
  @ObservationIgnored private let revisions: MapRevisions

  init(app: AppModel, account: AccountScreens, hub: EventHub, revisions: MapRevisions) {
    self.app = app
    self.account = account
    self.hub = hub
    self.revisions = revisions
  }

  /// Follows all screens until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.follow("session") { self.account.session.state.pageJSON } }
      group.addTask { await self.follow("network") { self.account.network.state.json } }
      group.addTask {
        await self.follow("waiting") { self.account.hostWaits.state.wait?.json ?? .null }
      }
      group.addTask { await self.follow("settings") { self.account.settings.pageJSON } }
      group.addTask { await self.follow("jobs") { self.jobs } }
      group.addTask { await self.follow("maps", { self.maps }, as: { $0.json }) }
      group.addTask {
        await self.follow("watched") { self.app.library?.watchedFolder?.pageJSON ?? .null }
      }
      group.addTask { await self.follow("preview") { self.app.preview?.json ?? .null } }
      group.addTask { await self.follow("map") { self.map } }
      group.addTask { await self.follow("sharing") { self.app.sharing?.state.pageJSON ?? .null } }
      group.addTask { await self.follow("tiles") { self.app.tiles?.state.json ?? .null } }
    }
  }

  private func follow(
    _ name: String, _ value: @escaping @MainActor @Sendable () -> JSONValue
  ) async {
    await follow(name, value) { $0 }
  }

  /// Follows what a screen shows, and writes it beside the main actor, one state after the other: what changes while
  /// one is written comes with the next.
  private func follow<Page: Sendable>(
    _ name: String, _ page: @escaping @MainActor @Sendable () -> Page,
    as json: @Sendable (Page) -> JSONValue
  ) async {
    for await latest in Observations({ page() }) {
      hub.publish(name, await Self.encoded(latest, json))
    }
  }

  /// The JSON of a state for pages, encoded away from the main actor.
  @concurrent static func encoded<Page: Sendable>(
    _ page: Page, _ json: @Sendable (Page) -> JSONValue
  ) async -> Data { json(page).encoded() }

  private var map: JSONValue {
    guard let map = app.map else { return .null }
    let siblings = app.mapIndex.map { index in
      (titles: (app.package.contents?.maps ?? []).map(\.title), open: index)
    }
    return map.pageJSON(
      id: app.storedID, siblings: siblings, opening: revisions.opening(of: map),
      revision: revisions.revision(of: map))
  }

  private var jobs: JSONValue {
    let state = app.library?.jobList?.state
    return state.map { $0.paces.json(of: $0.jobs) } ?? []
  }

  private var maps: MapsPage {
    MapsPage(
      list: app.library?.mapList?.state,
      deleted: (app.library?.storageScreen?.usage?.maps ?? []).filter { $0.deleted != nil },
      work: app.library?.jobList?.state, problem: problem)
  }
}

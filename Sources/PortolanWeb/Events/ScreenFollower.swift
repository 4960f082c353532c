internal import Foundation
internal import Observation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Sends the pages the states of the screens whenever they change.
@MainActor
@Observable
final class ScreenFollower {
  /// Why what is on this device could not be read; the list of maps says so.
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
      group.addTask { await self.follow("maps") { self.maps } }
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
    for await data in Observations({ value().encoded() }) { hub.publish(name, data) }
  }

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

  private var maps: JSONValue {
    let state = app.library?.mapList?.state
    let deleted = (app.library?.storageScreen?.usage?.maps ?? []).filter { $0.deleted != nil }
    let work = app.library?.jobList?.state
    let updates = Dictionary(
      (state?.updates ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let jobs = Dictionary(
      (work?.jobs ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return [
      "items": .array(
        (state?.items ?? []).map { item in
          let job = item.transfer.flatMap { jobs[$0.job] }
          return item.pageJSON(
            transfer: job.map { $0.json(pace: work?.paces[$0.id]) }, update: updates[item.id])
        }),
      "deleted": .array(deleted.map { ["id": .string($0.id), "title": .string($0.title)] }),
      "banner": (problem ?? state?.banner)?.json ?? .null,
      "isRefreshing": .bool(state?.isRefreshing ?? false),
    ]
  }
}

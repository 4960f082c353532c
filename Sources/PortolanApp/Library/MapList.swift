internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline

/// Puts together what is stored, what is on its way and what portals last said, each for itself:
/// nothing that a portal says or fails to say hides what is on this device.
struct MapList {
  /// A web map and the areas that its portal last listed.
  struct Offer {
    var map: KnownMap
    var areas: [KnownArea]
  }

  /// The maps that are stored, none of the trash.
  var stored: [StoredMap] = []
  /// The web maps that people take areas of.
  var offers: [Offer] = []
  /// The jobs of the queue.
  var jobs: [Job] = []
  /// The dates at which the portals of stored packages say that these were changed last, by the ids
  /// of the maps.
  var packageDates: [String: Date] = [:]
  /// The contents read from stored packages, by the ids of the maps.
  var contents: [String: ReadContents] = [:]
  /// The numbers of unsent edits of stored maps; those without any are left out.
  var unsentEdits: [MapID: Int?] = [:]
  /// The damage that the last audit has found in stored maps.
  var damage: [MapID: String] = [:]
  /// The present, for maps that expire.
  var now = Date.distantPast
  /// The stored map that is open.
  var openID: String?
  /// Whether there is a network; without one only what can be used without is shown.
  var isOnline = true
  /// The ids of the web maps that open without one, as they were when they were browsed.
  var keptMaps: Set<String> = []

  /// The rows: each web map with its areas below it, then everything else that is stored or on its
  /// way.
  var items: [MapListItem] {
    let storedByID = Dictionary(stored.map { ($0.id.text, $0) }) { first, _ in first }
    let storedByWebMap = Dictionary(grouping: stored) { $0.webMap }
    let jobsByID = latestJobs
    let drawn = Dictionary(grouping: jobs) { $0.drawnWebMap }
    var shown: Set<String> = []
    var items: [MapListItem] = []
    for offer in offers {
      if isOnline || keptMaps.contains(offer.map.id) { items.append(item(of: offer.map)) }
      for area in offer.areas where !shown.contains(area.id) {
        let copy = storedByID[area.id]
        let row = item(of: area, at: offer.map.portal, stored: copy, job: jobsByID[area.id])
        guard isOnline || row.canOpenOffline || row.transfer != nil else { continue }
        shown.insert(area.id)
        items.append(row)
      }
      // Areas that the portal no longer lists stay with their map.
      for map in storedByWebMap[offer.map.id] ?? [] where !shown.contains(map.id.text) {
        shown.insert(map.id.text)
        items.append(item(of: map, job: jobsByID[map.id.text]))
      }
      for job in drawn[offer.map.id] ?? [] where !shown.contains(job.subject) {
        guard let row = item(of: jobsByID[job.subject] ?? job) else { continue }
        shown.insert(job.subject)
        items.append(row)
      }
    }
    for map in stored where !shown.contains(map.id.text) {
      shown.insert(map.id.text)
      items.append(item(of: map, job: jobsByID[map.id.text]))
    }
    for job in jobs where !shown.contains(job.subject) && !job.isSync && !job.isTileExport {
      guard let row = item(of: jobsByID[job.subject] ?? job) else { continue }
      shown.insert(job.subject)
      items.append(row)
    }
    return items
  }

  /// The job of each subject that matters: a running one, else the last that has something to
  /// tell.
  private var latestJobs: [String: Job] {
    var latest: [String: Job] = [:]
    for job in jobs where job.state.isShown && !job.isSync && !job.isTileExport {
      guard let before = latest[job.subject] else {
        latest[job.subject] = job
        continue
      }
      let goesOn = (before: !before.state.isFinal, now: !job.state.isFinal)
      if goesOn.now && !goesOn.before
        || goesOn.now == goesOn.before && before.created < job.created
      {
        latest[job.subject] = job
      }
    }
    return latest
  }

  // MARK: - Rows

  private func item(of map: KnownMap) -> MapListItem {
    MapListItem(
      id: map.id, kind: .webMap, portal: map.portal, title: map.title, summary: map.summary,
      modified: map.modified, state: .online)
  }

  private func item(
    of area: KnownArea, at portal: URL, stored: StoredMap?, job: Job?
  ) -> MapListItem {
    var item = MapListItem(
      id: area.id, kind: .area, webMap: area.webMap, portal: portal, title: area.title,
      summary: area.summary, modified: area.modified,
      byteCount: stored?.byteCount ?? area.byteCount, state: Self.state(of: area.status))
    if let stored {
      item.state = .stored(copy(of: stored, job: job, modified: area.modified))
    } else if let job, let state = Self.state(of: job) {
      item.state = state
    }
    return item
  }

  private func item(of map: StoredMap, job: Job?) -> MapListItem {
    MapListItem(
      id: map.id.text, kind: map.webMap == nil ? .package : .area, webMap: map.webMap,
      isDrawn: map.isDrawn, portal: map.portal, title: map.title, summary: map.summary,
      modified: map.portalModified, byteCount: map.byteCount,
      state: .stored(copy(of: map, job: job, modified: packageDates[map.id.text])))
  }

  /// The row of a job that no other row is of; `nil` if there is nothing to tell.
  private func item(of job: Job) -> MapListItem? {
    guard let state = Self.state(of: job) else { return nil }
    let isDrawn = job.kind == OfflineJobKind.onDemandMap.id
    let isArea = isDrawn || job.kind == OfflineJobKind.preplannedArea.id
    return MapListItem(
      id: job.subject, kind: isArea ? .area : .package, webMap: job.drawnWebMap, isDrawn: isDrawn,
      title: job.title, byteCount: job.progress.totalBytes, state: state)
  }

  private func copy(of map: StoredMap, job: Job?, modified: Date?) -> StoredCopy {
    let isNewer = modified.map { remote in map.sourceModified.map { $0 < remote } ?? false }
    let contents = contents[map.id.text].flatMap { $0.isOf(map) ? $0.contents : nil }
    return StoredCopy(
      installed: map.installed, omissions: map.omissions, hasUpdate: isNewer ?? false,
      isImported: map.isImported, isOpen: map.id.text == openID, contents: contents,
      isExpired: contents?.expiration.map { $0.date <= now } ?? false,
      unsentEdits: unsentEdits[map.id] ?? 0, damage: damage[map.id],
      transfer: job.map { MapTransfer($0) })
  }

  private static func state(of status: KnownArea.Status) -> MapListItem.State {
    switch status {
    case .complete: .available
    case .processing: .packaging
    case .failed: .packagingFailed
    }
  }

  /// The state of a row whose map is not stored; `nil` if the job does not change it.
  private static func state(of job: Job) -> MapListItem.State? {
    switch job.state {
    case .waiting, .running, .paused, .cancelling: .transferring(MapTransfer(job))
    case .failed(let failure): .failed(MapTransfer(job), failure)
    case .cancelled, .succeeded, .succeededInPart: nil
    }
  }
}

extension StoredMap {
  /// The web map that it is an area of.
  fileprivate var webMap: String? {
    switch origin {
    case .preplannedArea(let webMap, _), .onDemandArea(let webMap): webMap
    case .portalItem, .imported: nil
    }
  }
}

extension Job {
  /// The web map of which the job takes an area that was drawn; `nil` for other jobs.
  fileprivate var drawnWebMap: String? {
    guard kind == OfflineJobKind.onDemandMap.id else { return nil }
    // An order that cannot be read was written by another version; its row stands for itself then.
    let order = try? JSONDecoder().decode(GenerateOfflineMapJobParameters.self, from: parameters)
    return order?.parameters.webMap
  }
}

extension JobState {
  /// Whether a list of maps shows it.
  fileprivate var isShown: Bool {
    switch self {
    case .cancelled, .succeeded: false
    case .waiting, .running, .paused, .cancelling, .succeededInPart, .failed: true
    }
  }
}

extension StoredMap {
  /// Whether it was made of an area that was drawn.
  fileprivate var isDrawn: Bool {
    if case .onDemandArea = origin { true } else { false }
  }
}

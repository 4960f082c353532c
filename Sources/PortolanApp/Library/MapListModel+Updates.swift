internal import Foundation
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPortal

extension StoredMap {
  /// The date of the last change at its portal; `nil` if it is not from one.
  var portalModified: Date? {
    isImported ? nil : sourceModified
  }
}

extension MapListModel {
  /// Asks the portals of all stored maps whether they have newer versions.
  ///
  /// The portal's date is compared with the one that it gave when the map was stored, which the
  /// catalogue keeps: neither the dates of files nor the clock of this device matter. What was found
  /// out of a map is shown in the list until the portal is asked for that map again.
  ///
  /// - Parameter ids: The maps to ask for; all if `nil`.
  /// - Returns: The maps in the order of the list; a portal that does not answer leaves its maps
  ///   unknown, and the others as they are.
  /// - Throws: A problem if the catalogue cannot be read.
  public func checkUpdates(of ids: Set<String>? = nil) async throws(Problem) -> [MapUpdate] {
    await refresh()
    var updates: [MapUpdate] = []
    for map in list.stored where ids?.contains(map.id.text) ?? true {
      updates.append(await update(of: map))
      guard !Task.isCancelled else { throw Problem(CancellationError()) }
    }
    state.updates = ids == nil ? updates : updatesKnown(with: updates)
    show()
    return updates
  }

  /// The known updates of all maps that are still there, some of which were requested now, in the
  /// order of the list.
  private func updatesKnown(with updates: [MapUpdate]) -> [MapUpdate] {
    let latest = Dictionary(
      ((state.updates ?? []) + updates).map { ($0.id, $0) }, uniquingKeysWith: { _, new in new })
    return list.stored.compactMap { latest[$0.id.text] }
  }

  /// Begins to download the newer versions of maps, each only if it fits on the disk; the versions
  /// that are here stay until the new ones are whole and checked.
  ///
  /// - Parameter ids: The maps; all if `nil`.
  /// - Returns: The outcome of each map, in the order of the list: one that cannot be loaded keeps
  ///   none of the others from being updated.
  /// - Throws: A problem if the catalogue cannot be read.
  public func startUpdates(of ids: Set<String>? = nil) async throws(Problem) -> [MapUpdateResult] {
    var results: [MapUpdateResult] = []
    for update in try await checkUpdates(of: ids) {
      if let unchanged = MapUpdateResult(unchanged: update) {
        results.append(unchanged)
        continue
      }
      do throws(Problem) {
        try await download(update.id)
        results.append(MapUpdateResult(update, .started))
      } catch {
        guard error.kind != .cancellation else { throw error }
        results.append(MapUpdateResult(update, failed: error))
      }
    }
    return results
  }

  private func update(of map: StoredMap) async -> MapUpdate {
    switch map.origin {
    case .imported: return compare(map, with: nil, .untracked)
    case .onDemandArea:
      var update = compare(map, with: nil, .untracked)
      update.comesWithSync = await isSynchronized(map.id)
      return update
    case .preplannedArea(let webMap, let area):
      let offer = list.offers.first { $0.map.id == webMap }
      guard let offer else { return await unlistedUpdate(of: map, area, webMap) }
      let known = offer.areas.first { $0.id == area }
      let problem = list.isOnline ? offerProblems[webMap] : Self.noNetwork
      if let problem { return compare(map, with: known?.modified, .unknown(problem)) }
      guard let known else { return compare(map, with: nil, .withdrawn) }
      return await withScheduled(compare(map, with: known.modified), of: map)
    case .portalItem(let item):
      do {
        let portal = try await portals.portal(at: map.portal)
        let modified = try await portal.item(PortalItem.ID(item)).modified
        await keep(modified, of: map)
        return compare(map, with: modified)
      } catch {
        return compare(map, with: list.packageDates[map.id.text], .unknown(Problem(error)))
      }
    }
  }

  /// Asks for an area whose web map is not on the list, as where the user has removed it.
  private func unlistedUpdate(
    of map: StoredMap, _ area: String, _ webMap: String
  ) async -> MapUpdate {
    guard list.isOnline else { return compare(map, with: nil, .unknown(Self.noNetwork)) }
    do {
      let portal = try await portals.portal(at: map.portal)
      let task = OfflineMapTask(portal: portal, webMap: try PortalItem.ID(webMap))
      let areas = try await task.preplannedMapAreas()
      guard let found = areas.first(where: { $0.id.text == area }) else {
        return compare(map, with: nil, .withdrawn)
      }
      return await withScheduled(compare(map, with: found.portalItem.modified), of: map)
    } catch {
      return compare(map, with: nil, .unknown(Problem(error)))
    }
  }

  /// Adds the scheduled updates that the portal has for the map since it was updated.
  private func withScheduled(_ update: MapUpdate, of map: StoredMap) async -> MapUpdate {
    do {
      let portal = try await portals.portal(at: map.portal)
      let found = try await OfflineMapSyncTask(library.offline)
        .scheduledUpdates(of: map.id, portal: portal)
      var update = update
      update.scheduled = found.map {
        .init(count: $0.count, byteCount: $0.byteCount, comesWithSync: $0.comesWithSync)
      }
      return update
    } catch let error as PortalError where update.freshness != .available {
      return compare(map, with: update.portalModified, .unknown(Problem(error)))
    } catch {
      // A map that cannot be read is reported when it is opened.
      return update
    }
  }

  /// Keeps what a portal says for the lists of later runs, too.
  private func keep(_ modified: Date?, of map: StoredMap) async {
    guard list.packageDates[map.id.text] != modified else { return }
    list.packageDates[map.id.text] = modified
    do {
      try await library.storage.save(packageDate: modified, of: map.id.text)
      unsavedDates.removeValue(forKey: map.id.text)
    } catch {
      // In a home that cannot be written it is known until the end of this run.
      unsavedDates.updateValue(modified, forKey: map.id.text)
    }
  }

  /// The comparison of a map with its portal's, if nothing else is known: whether the portal's date
  /// is later than that of the stored version.
  private func compare(
    _ map: StoredMap, with modified: Date?, _ known: MapUpdate.Freshness? = nil
  ) -> MapUpdate {
    let isNewer = modified.flatMap { remote in map.sourceModified.map { $0 < remote } }
    return MapUpdate(
      id: map.id.text, title: map.title, installed: map.installed,
      storedModified: map.portalModified, portalModified: modified,
      freshness: known ?? isNewer.map { $0 ? .available : .current } ?? .untracked)
  }

  private static var noNetwork: Problem {
    Problem(message: "There is no network.", kind: .network)
  }
}

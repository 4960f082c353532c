internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTransport

/// Receives the scheduled updates since the last: the deltas beside the geodatabase of an area.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
struct ScheduledUpdateTask {
  /// The name of the file, for people.
  let name: String
  let entry: PreplannedModes.Entry
  let portal: Portal
  let folder: URL
  let surroundings: OfflineSurroundings
  /// What goes into one request.
  var limit = SyncUpload.Limit.default

  /// Applies the deltas that the file does not have yet, the oldest first; then sends new features,
  /// if the mode says so.
  ///
  /// - Parameters:
  ///   - store: The file, which no other process edits meanwhile.
  ///   - direction: In which directions changes go.
  ///   - result: What was done; also before something was in the way.
  /// - Throws: ``OfflineMapError/updatesPurged(area:)`` if the portal does not keep deltas back to what
  ///   the file has.
  func update(
    _ store: EditableGeodatabase, _ direction: GeodatabaseSyncTask.Direction,
    _ result: inout GeodatabaseSyncTask.Result
  ) async throws {
    let mayHaveSent = entry.mode == .downloadScheduledUpdatesAndUploadNewFeatures
    // Those that are found missing only now may be on their way.
    let lacking = try await store.attachmentsLackedByService()
    var failure: (any Error)?
    // What has arrived before may come back with an update, and would contradict itself if the service has
    // rounded it.
    do {
      if mayHaveSent { result.sentEdits += try await settlePending(store) }
    } catch {
      failure = error
    }
    if direction.downloads { try await download(into: store, &result) }
    // The updates of the portal do not wait for the service.
    if let failure { throw failure }
    if direction.uploads, mayHaveSent { try await sendNewFeatures(of: store, lacking, &result) }
    try await result.note(store)
    if direction.uploads {
      let edits = try await store.localChanges().changes.count
      result.staying = max(edits - result.waiting, 0)
    }
  }

  // MARK: - Down

  private func download(
    into store: EditableGeodatabase, _ result: inout GeodatabaseSyncTask.Result
  ) async throws {
    guard let item = entry.item, let state = try await store.syncState() else { return }
    let own = state.oldestGeneration
    let deltas = try await portal.deltas(of: item)
    // After the list: what was purged before that is missing in it.
    let properties = try await portal.item(item).properties
    if let purged = properties?.int("lastPurgedGen"), own < purged {
      throw OfflineMapError.updatesPurged(area: name)
    }
    let isWhole = state.serverGeneration != nil
    var stopped: Set<Int> = []
    for (generation, resource) in deltas where generation > own {
      // A layer that others stay behind has this already; taken in again, it would undo what came later.
      // One that an update did not come into takes no later one in: the earlier would never come again.
      let behind = state.layers.filter { layer in
        !stopped.contains(layer.layerID) && (isWhole || layer.serverGeneration < generation)
      }
      let file = folder.appending(path: "delta-\(surroundings.makeID()).geodatabase")
      // Nobody needs the file afterwards, and the folder is emptied with the job.
      defer { try? FileManager.default.removeItem(at: file) }
      try await portal.client.download(
        try portal.address(of: resource, of: item), to: file, surroundings)
      let delta = try GeodatabaseDeltaFile(at: file)
      try await check(generation, of: delta, named: resource.path, state)
      // The name decides: a later generation of a layer in the file would keep out the updates that follow.
      let layers = behind.map { ($0.layerID, generation) }
      let receipt = try await store.receive(
        delta, layerGenerations: Dictionary(layers, uniquingKeysWith: { $1 }),
        generation: isWhole ? generation : nil,
        leavingOut: Set(state.layers.map(\.layerID)).subtracting(behind.map(\.layerID)))
      result.received.add(receipt)
      stopped.formUnion(receipt.stoppedLayers)
      // Where the layers go together, none continues without the others.
      guard stopped.isEmpty || !isWhole && state.syncModel == .perLayer else { return }
    }
  }
}

extension ScheduledUpdateTask {
  /// Refuses a file whose name states a later generation than its service has: all updates that follow would
  /// count as earlier ones.
  private func check(
    _ generation: Int64, of delta: GeodatabaseDeltaFile, named name: String,
    _ state: GeodatabaseSyncState
  ) async throws {
    let told = ([delta.generation ?? 0] + delta.layerGenerations.values).max() ?? 0
    guard told < generation, let url = URL(string: state.serviceURL) else { return }
    let service = FeatureService(url: url, client: portal.client)
    let current: Int64?
    do throws(PortalError) {
      current = try await GenerationCheck(service: service, state: state).generations().values.max()
    } catch {
      // The updates of the portal do not wait for the service.
      guard error.leavesOtherServices else { throw error }
      return
    }
    guard let current, current < generation else { return }
    throw OfflineMapError.damaged(
      file: name, reason: "its name states a later generation than its service has.")
  }
}

extension Portal {
  /// The deltas beside a package by the generations up to which they reach, the oldest first.
  func deltas(of item: PortalItem.ID) async throws -> [(Int64, PortalItemResource)] {
    try await resources(of: item).compactMap { resource in
      let match = resource.path.wholeMatch(of: /(?:.*\/)?d_(\d+)\.geodatabase/)
      return match.flatMap { Int64($0.1) }.map { ($0, resource) }
    }.sorted { $0.0 < $1.0 }
  }
}

extension GeodatabaseSyncState {
  /// The generation up to which all layers have what the service has.
  var oldestGeneration: Int64 {
    serverGeneration ?? layers.map(\.serverGeneration).min() ?? 0
  }
}

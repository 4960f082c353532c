internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanPortal

/// Layers of a replica that were removed at its service.
///
/// A service refuses a request that names one, and with it all other layers.
extension ReplicaExchange {
  /// The layers that a service no longer has, found after it has refused to exchange them.
  ///
  /// Empty if the service does not list its layers, or lists none, for then the refusal has another
  /// reason.
  func lostLayers(
    _ state: GeodatabaseSyncState, _ layers: Set<Int>, after error: any Error
  ) async -> [ChangedFields] {
    guard state.syncModel == .perLayer else { return [] }
    return await unlistedLayers(state, layers, after: error)
  }

  /// The layers that a service has removed for certain, after it has refused a replica with them: it neither
  /// lists nor describes them.
  ///
  /// A replica that is made without them never exchanges them again.
  func removedLayers(
    _ state: GeodatabaseSyncState, _ layers: Set<Int>, after error: any Error
  ) async -> [ChangedFields] {
    var removed: [ChangedFields] = []
    for layer in await unlistedLayers(state, layers, after: error)
    where await isGone(layer.layerID) { removed.append(layer) }
    return removed
  }

  private func isGone(_ layer: Int) async -> Bool {
    do throws(PortalError) {
      _ = try await task.service.table(layer)
      return false
    } catch {
      switch error {
      case .notFound: return true
      case .server: return !error.isTransient
      default: return false
      }
    }
  }

  private func unlistedLayers(
    _ state: GeodatabaseSyncState, _ layers: Set<Int>, after error: any Error
  ) async -> [ChangedFields] {
    switch error {
    // A server that is started again says nothing of its layers.
    case let error as PortalError where error.isTransient: return []
    case PortalError.server, PortalError.notFound, OfflineMapError.serverJobFailed: break
    // Some services make replicas without the layers that they do not have.
    case FeatureEditError.unreadable: break
    default: return []
    }
    // Then the refusal is what counts.
    guard let info = try? await task.service.info() else { return [] }
    let there = Set((info.layers + info.tables).map(\.id))
    guard !there.isDisjoint(with: layers) else { return [] }
    return state.layers.filter { layers.contains($0.layerID) && !there.contains($0.layerID) }
      .map { ChangedFields(removed: $0.table, layerID: $0.layerID) }
  }
}

extension SyncReceipt {
  /// The layers that the service has no more; a request must not name them.
  var lostLayers: Set<Int> {
    Set(changedFields.filter { $0.replacement == .nothing }.map(\.layerID))
  }
}

extension EditableGeodatabase {
  /// The first of some tables without which no other one of the replica is exchanged, since they go together;
  /// one that is no part of it any more stops nothing.
  func stopping(
    _ tables: [ChangedFields]
  ) async throws(FeatureEditError) -> ChangedFields? {
    guard !tables.isEmpty, let state = try await syncState(), state.syncModel != .perLayer else {
      return nil
    }
    return tables.first { table in state.layers.contains { $0.layerID == table.layerID } }
  }
}

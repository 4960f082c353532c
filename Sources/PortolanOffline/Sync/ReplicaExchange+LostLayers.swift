internal import PortolanGeodatabase
internal import PortolanPortal

/// Layers of a replica that were removed at its service.
///
/// A service refuses a request that names one, and with it all other layers.
extension ReplicaExchange {
  /// The layers that a service has no more, after it has refused to exchange them; none where it does not
  /// say which it has, and where it has none of them, which has another reason.
  func lostLayers(
    _ state: GeodatabaseSyncState, _ layers: Set<Int>, after error: any Error
  ) async -> [ChangedFields] {
    guard state.syncModel == .perLayer else { return [] }
    switch error {
    // A server that is started again says nothing of its layers.
    case let error as PortalError where error.isTransient: return []
    case PortalError.server, PortalError.notFound, OfflineMapError.serverJobFailed: break
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

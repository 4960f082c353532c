internal import Foundation
internal import PortolanGeodatabase
internal import PortolanPortal

/// Makes a replica in place of one that its service still knows, and exchanges no more.
extension ReplicaRegistration {
  /// Makes a new replica in place of one that the service exchanges no more, since it has removed layers.
  ///
  /// - Throws: `ChangedFields` if the service makes none; the file is as it was then.
  func replace(
    _ state: GeodatabaseSyncState, of store: EditableGeodatabase, without removed: [ChangedFields]
  ) async throws -> SyncReceipt {
    let receipt: SyncReceipt
    do { receipt = try await renew(store, without: removed) } catch {
      guard case OfflineMapError.replicaForgotten = error, let first = removed.first else {
        throw error
      }
      throw first
    }
    await unregisterFormer(state)
    return receipt
  }

  /// Unregisters a replica in whose place another one is, unless others may make use of it.
  private func unregisterFormer(_ state: GeodatabaseSyncState) async {
    guard state.isOwn else { return }
    let id = state.replicaID.uuidString.lowercased()
    do {
      try await NamedReplicas(client: exchange.task.service.client)
        .unregister(id, ["replicaID": id], at: exchange.task.unregisterURL)
    } catch {
      // Services forget unused replicas by themselves, and the edits are not to wait for this.
      try? await release?.releaseReplica(
        RequestedCopy(name: state.name, replicaID: id), at: exchange.task.service.url)
    }
  }
}

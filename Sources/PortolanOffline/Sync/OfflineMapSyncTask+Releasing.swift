internal import Foundation
internal import PortolanGeodatabase
public import PortolanJobs
public import PortolanLibrary

extension OfflineMapSyncTask {
  /// What services are to be told when a map is deleted: that nobody needs their copies any more.
  ///
  /// Only copies that Portolan has registered are given up: that of a preplanned area may be the one
  /// that its package is refreshed by.
  ///
  /// - Returns: The messages, to be posted once the map is deleted.
  @concurrent public func releases(of map: StoredMap) async throws -> [OutboxMessage] {
    guard let portal = map.portal, map.form == .folder else { return [] }
    let lease = try await library.open(map.id)
    var messages: [OutboxMessage] = []
    for path in try Self.geodatabases(in: lease.url) {
      let file = lease.url.appending(path: path)
      let state = try await Self.using(file, surroundings) { try await $0.syncState() }
      guard let state, state.isRegistered, state.isOwn, let service = URL(string: state.serviceURL),
        let id = OutboxMessage.ID("unregister-copy-\(state.replicaID.uuidString.lowercased())")
      else { continue }
      messages.append(
        OutboxMessage(
          id: id, purpose: "Give up the copy of \"\(map.title)\", which was deleted.",
          portal: portal, address: service.appending(path: "unRegisterReplica"),
          fields: ["replicaID": state.replicaID.uuidString.lowercased()],
          created: surroundings.now()))
    }
    return messages
  }
}

extension GeodatabaseSyncState {
  /// Whether the copy was registered by Portolan, for this map alone.
  fileprivate var isOwn: Bool {
    let plain = name.split(separator: ".").last ?? ""
    return plain.hasPrefix("portolan_")
  }
}

public import Foundation
internal import PortolanGeodatabase
public import PortolanJobs
public import PortolanLibrary

/// The messages to services, once a map or a version of one is deleted, that its replicas are no
/// longer needed.
///
/// Only replicas that Portolan has registered are unregistered: that of a preplanned area may be the one that
/// its package is refreshed by.
public struct CopyReleases: Sendable {
  let surroundings: OfflineSurroundings
  private let home: String?

  /// Creates what finds the replicas.
  ///
  /// - Parameters:
  ///   - surroundings: Time.
  ///   - home: What distinguishes the map from copies of it: what was registered for another map, or in
  ///     another home, is not unregistered.
  public init(_ surroundings: OfflineSurroundings, home: String?) {
    self.surroundings = surroundings
    self.home = home
  }

  /// The messages about the replicas of a version, but for those that are in other versions, too.
  ///
  /// - Parameters:
  ///   - map: What is recorded of the version.
  ///   - place: Where it is.
  ///   - others: Where the versions are that stay.
  /// - Returns: The messages, to be posted once the version is gone.
  /// - Throws: Whatever keeps a geodatabase from being read: its replica may be one that is needed.
  @concurrent public func messages(
    of map: StoredMap, at place: URL, sparing others: [URL] = []
  ) async throws -> [OutboxMessage] {
    guard let portal = map.portal, map.form == .folder else { return [] }
    let states = try await states(in: place)
    guard !states.isEmpty else { return [] }
    var needed: Set<UUID> = []
    for other in others { needed.formUnion(try await self.states(in: other).map(\.replicaID)) }
    let requested = try states.compactMap { try self.requested(in: $0, portal) }
    return requested
      + states.compactMap { state in
        // A file that was imported and names no home was registered elsewhere.
        let isOfHome = state.home.map { $0 == home } ?? !map.isImported
        guard state.isRegistered, state.isOwn, isOfHome,
          !needed.contains(state.replicaID),
          let service = URL(string: state.serviceURL),
          let id = OutboxMessage.ID("unregister-copy-\(state.replicaID.uuidString.lowercased())")
        else { return nil }
        return OutboxMessage(
          id: id, purpose: "Unregister a replica of \"\(map.title)\" that is not needed any more.",
          portal: portal, address: service.appending(path: "unRegisterReplica"),
          fields: ["replicaID": state.replicaID.uuidString.lowercased()],
          created: surroundings.now())
      }
  }

  /// The message about a replica that the service was asked for in place of another, if it is
  /// unknown what became of that.
  private func requested(
    in state: GeodatabaseSyncState, _ portal: URL
  ) throws -> OutboxMessage? {
    guard let copy = state.requestedCopy, copy.home == home,
      let service = URL(string: state.serviceURL)
    else { return nil }
    return try ReplicaRelease.message(
      about: copy, at: service, portal: portal, now: surroundings.now())
  }

  private func states(in place: URL) async throws -> [GeodatabaseSyncState] {
    var states: [GeodatabaseSyncState] = []
    for path in try OfflineMapSyncTask.geodatabases(in: place) {
      let file = place.appending(path: path)
      let state = try await OfflineMapSyncTask.using(file, surroundings) {
        try await $0.syncState()
      }
      if let state { states.append(state) }
    }
    return states
  }
}

extension GeodatabaseSyncState {
  /// Whether the replica was registered by Portolan, for this map alone.
  var isOwn: Bool {
    let plain = name.split(separator: ".").last ?? ""
    return plain.hasPrefix("portolan_")
  }
}

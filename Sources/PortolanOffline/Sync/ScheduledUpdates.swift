internal import Foundation
internal import PortolanGeodatabase
public import PortolanLibrary
public import PortolanPortal

/// The scheduled updates that a portal has for a map since it was updated.
public struct ScheduledUpdates: Hashable, Sendable {
  /// How many there are.
  public var count = 0
  /// The bytes of all of them; `nil` if the portal does not say.
  public var byteCount: Int? = 0
  /// Whether the next synchronization of the map receives them; one that was downloaded without
  /// updates gets them only where it is downloaded again in a mode that receives them.
  public var comesWithSync = true
}

extension OfflineMapSyncTask {
  /// Asks for the scheduled updates that a map does not have.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - portal: The portal that the map came from, with its credentials.
  /// - Returns: The updates; `nil` if there are none, or services keep the map up to date.
  /// - Throws: `LibraryError` if the map is not there, ``PortolanPortal/PortalError``.
  @concurrent public func scheduledUpdates(
    of map: MapID, portal: Portal
  ) async throws -> ScheduledUpdates? {
    let lease = try await library.open(map)
    let modes = PreplannedModes(of: lease.url)
    var updates = ScheduledUpdates()
    for path in try Self.geodatabases(in: lease.url) {
      guard let entry = modes[path], entry.mode != .syncWithFeatureServices, let item = entry.item,
        let state = try await Self.using(
          lease.url.appending(path: path), surroundings, { try await $0.syncState() }),
        !state.isRegistered
      else { continue }
      for (generation, resource) in try await portal.deltas(of: item)
      where generation > state.oldestGeneration {
        updates.count += 1
        updates.comesWithSync = updates.comesWithSync && entry.mode != .noUpdates
        updates.byteCount = updates.byteCount.flatMap { sum in
          resource.size.flatMap { Int(exactly: $0) }.map { sum + $0 }
        }
      }
    }
    return updates.count == 0 ? nil : updates
  }
}

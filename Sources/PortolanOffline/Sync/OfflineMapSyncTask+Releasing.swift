internal import Foundation
public import PortolanJobs
public import PortolanLibrary

extension OfflineMapSyncTask {
  /// What is sent to services when a map is deleted, with its earlier versions: that they can drop
  /// their replicas.
  ///
  /// - Returns: The messages, to be posted once the map is deleted.
  /// - Throws: `LibraryError` if the map cannot be opened, or what keeps one of its geodatabases from being read.
  @concurrent public func releases(of map: StoredMap) async throws -> [OutboxMessage] {
    let lease = try await library.open(map.id)
    let releases = CopyReleases(surroundings, home: library.layout.identity(of: map.id))
    var messages = try await releases.messages(of: map, at: lease.url)
    for version in try await library.earlierVersions(of: map.id) {
      let place = library.layout.place(of: version.map)
      // A version that cannot be read goes all the same; services forget unused replicas in time.
      messages += (try? await releases.messages(of: version.map, at: place)) ?? []
    }
    // Versions may share a replica.
    var ids: Set<OutboxMessage.ID> = []
    return messages.filter { ids.insert($0.id).inserted }
  }
}

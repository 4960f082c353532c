public import Foundation
internal import PortolanFeatures
public import PortolanGeodatabase
internal import PortolanJobs
public import PortolanLibrary
public import PortolanPortal

/// Brings a stored map and the feature services that it was made from together.
///
/// The map stays where it is and can be read meanwhile; nobody else edits it.
public struct OfflineMapSyncTask: Sendable {
  /// What became of one geodatabase of the map.
  public struct Part: Sendable {
    /// The path of the file below the folder of the map.
    public var path: String
    /// The layers and tables in it.
    public var layers: [String]
    /// What was done, or what was in the way.
    public var result: Result<GeodatabaseSyncTask.Result, any Error>
  }

  private let library: MapLibrary
  private let surroundings: OfflineSurroundings

  /// Creates a task.
  public init(_ environment: OfflineEnvironment) {
    library = environment.library
    surroundings = environment.surroundings
  }

  /// Synchronizes a map, one geodatabase after the other; one that fails leaves the others alone.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - direction: In which directions changes go.
  ///   - client: What sends the requests.
  ///   - folder: Where files are kept for a moment.
  /// - Returns: What became of each geodatabase that a service knows.
  /// - Throws: `LibraryError` if the map is not there or somebody edits it, what is in the way of
  ///   all: no network, no more time.
  @concurrent public func synchronize(
    _ map: MapID, _ direction: GeodatabaseSyncTask.Direction, client: RESTClient, folder: URL
  ) async throws -> [Part] {
    let lease = try await library.open(map)
    try await library.beginEditing(lease)
    defer { lease.endEditing() }
    var parts: [Part] = []
    for path in try Self.geodatabases(in: lease.url) {
      let file = lease.url.appending(path: path)
      guard let state = try await Self.state(of: file, surroundings), state.isRegistered else {
        continue
      }
      let task = GeodatabaseSyncTask(
        geodatabase: file, client: client, folder: folder, surroundings: surroundings)
      let layers = state.layers.map(\.table)
      do {
        let result = try await task.synchronize(direction)
        parts.append(Part(path: path, layers: layers, result: .success(result)))
      } catch {
        guard case .failed = JobInterruption(error) else { throw error }
        parts.append(Part(path: path, layers: layers, result: .failure(error)))
      }
    }
    return parts
  }

  // MARK: - Conflicts

  /// An edit that could not be exchanged, and the file that it is in.
  public struct Conflict: Hashable, Sendable {
    /// The path of the file below the folder of the map.
    public var path: String
    /// What is in the way.
    public var issue: SyncIssue
  }

  /// The edits of a map that could not be exchanged, in the order of its files.
  @concurrent public func conflicts(of map: MapID) async throws -> [Conflict] {
    let lease = try await library.open(map)
    var conflicts: [Conflict] = []
    for path in try Self.geodatabases(in: lease.url) {
      let issues = try await Self.using(lease.url.appending(path: path), surroundings) { store in
        try await store.syncIssues()
      }
      conflicts += issues.map { Conflict(path: path, issue: $0) }
    }
    return conflicts
  }

  /// Settles an edit that could not be exchanged; the next synchronization sends what is to be sent.
  @concurrent public func resolve(
    _ conflict: Conflict, of map: MapID, as resolution: SyncIssue.Resolution
  ) async throws {
    let lease = try await library.open(map)
    try await library.beginEditing(lease)
    defer { lease.endEditing() }
    try await Self.using(lease.url.appending(path: conflict.path), surroundings) { store in
      try await store.resolve(conflict.issue.id, as: resolution)
    }
  }

  // MARK: - Files

  /// The geodatabases of a map, by their paths.
  static func geodatabases(in folder: URL) throws -> [String] {
    let path = folder.path(percentEncoded: false)
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.lowercased().hasSuffix(".geodatabase") }.sorted()
  }

  private static func state(
    of file: URL, _ surroundings: OfflineSurroundings
  ) async throws -> GeodatabaseSyncState? {
    try await using(file, surroundings) { store in try await store.syncState() }
  }

  private static func using<Value: Sendable>(
    _ file: URL, _ surroundings: OfflineSurroundings,
    _ body: (EditableGeodatabase) async throws -> Value
  ) async throws -> Value {
    let store = try EditableGeodatabase.open(
      at: file, now: surroundings.now, makeID: surroundings.makeID)
    do {
      let value = try await body(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }
}

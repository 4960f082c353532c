public import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanJobs
public import PortolanLibrary
public import PortolanPortal
internal import PortolanTransport

/// Synchronizes a stored map with the feature services that it was made from.
///
/// The map stays where it is and can be read meanwhile; no other process edits it.
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

  let library: MapLibrary
  let surroundings: OfflineSurroundings

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
  ///   - portal: The portal that the map came from, or the one in use if it was imported, with its
  ///     credentials.
  ///   - folder: Where files are kept for a moment.
  ///   - note: Called with the result for each geodatabase at once: the next may be in the way of
  ///     all.
  /// - Returns: What became of each geodatabase that a service knows.
  /// - Throws: `LibraryError` if the map is not there or is being edited, what is in the way of
  ///   all: no network, no more time.
  @concurrent public func synchronize(
    _ map: MapID, _ direction: GeodatabaseSyncTask.Direction, portal: Portal, folder: URL,
    noting note: @Sendable (Part) async throws -> Void = { _ in }
  ) async throws -> [Part] {
    let lease = try await library.open(map)
    try await library.beginEditing(lease)
    defer { lease.endEditing() }
    let modes = PreplannedModes(of: lease.url)
    let home = try await library.identity(of: map)
    var parts: [Part] = []
    for path in try Self.geodatabases(in: lease.url) {
      let file = lease.url.appending(path: path)
      let known = parts.count
      var layers: [String] = []
      do {
        let result = try await Self.using(file, surroundings) {
          store -> GeodatabaseSyncTask.Result? in
          let state = try await store.syncState()
          guard let state, state.isRegistered || modes.canSynchronize(path) else { return nil }
          layers = state.layers.map(\.table)
          if !state.isRegistered, let entry = modes[path], entry.mode != .syncWithFeatureServices {
            return try await ScheduledUpdateTask(
              name: file.lastPathComponent, entry: entry, portal: portal, folder: folder,
              surroundings: surroundings
            ).update(store, direction)
          }
          var task = GeodatabaseSyncTask(
            geodatabase: file, client: portal.client, folder: folder, surroundings: surroundings)
          task.registers = modes.canSynchronize(path)
          task.reference = modes[path]?.replica
          task.home = home
          task.isImported = lease.map.isImported
          task.release = ReplicaRelease(
            portal: portal.url, outbox: library.storage, now: surroundings.now())
          return try await task.synchronize(store, direction)
        }
        if let result { parts.append(Part(path: path, layers: layers, result: .success(result))) }
      } catch {
        // What one service keeps waiting does not keep the others.
        guard Self.leavesOtherServices(error) else { throw error }
        parts.append(Part(path: path, layers: layers, result: .failure(error)))
      }
      for part in parts[known...] { try await note(part) }
    }
    return parts
  }

  /// Whether other services may be asked although this one could not.
  private static func leavesOtherServices(_ error: any Error) -> Bool {
    switch JobInterruption(error) {
    case .failed, .waiting(.signIn): return true
    case .waiting(.network):
      if case .transport(.unknownHost)? = error as? PortalError { return true }
      return false
    case .waiting, .stopped: return false
    }
  }

  // MARK: - Files

  /// The geodatabases of a map, by their paths; a folder may be named like one.
  ///
  /// Those in an archive cannot be synchronized.
  static func geodatabases(in folder: URL) throws -> [String] {
    if try FileStatus(at: folder)?.kind == .file { return [] }
    let path = folder.path(percentEncoded: false)
    return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter { name in
      guard name.lowercased().hasSuffix(".geodatabase") else { return false }
      return try FileStatus(at: folder.appending(path: name))?.kind != .folder
    }
  }

  /// Whether any of the map's geodatabases is registered as a replica, or cannot be read.
  ///
  /// - Throws: `LibraryError` if the map cannot be opened, `CancellationError`.
  @concurrent public func isSynchronized(_ map: MapID) async throws -> Bool {
    let lease = try await library.open(map)
    let modes = PreplannedModes(of: lease.url)
    for path in try Self.geodatabases(in: lease.url) {
      if modes.canSynchronize(path) { return true }
      do {
        let state = try await Self.state(of: lease.url.appending(path: path), surroundings)
        if state?.isRegistered == true { return true }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // What is in the way of a file that cannot be read is reported by the synchronization.
        return true
      }
    }
    return false
  }

  private static func state(
    of file: URL, _ surroundings: OfflineSurroundings
  ) async throws -> GeodatabaseSyncState? {
    try await using(file, surroundings) { store in try await store.syncState() }
  }

  static func using<Value: Sendable>(
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

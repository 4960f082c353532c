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
  /// The outcome for one geodatabase of the map.
  public struct Part: Sendable {
    /// The path of the file below the folder of the map.
    public var path: String
    /// The layers and tables in it.
    public var layers: [String]
    /// What the map calls them, by the names of their tables; without those that it does not show.
    public var titles: [String: String] = [:]
    /// What was done, or what was in the way.
    public var result: Result<GeodatabaseSyncTask.Result, any Error>
    /// What was done before something was in the way; `nil` where nothing was, or all is done.
    public var partial: GeodatabaseSyncTask.Result?
    /// Whether it was only looked at, since it is kept without updates: its edits stay.
    var isKept = false

    /// Whether it was synchronized to the end.
    var isSynchronized: Bool { if case .success = result { true } else { false } }

    /// What people call a table.
    func title(of table: String) -> String { titles[table] ?? table }
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
  ///     credentials. It is recorded as that of a map without one once a service has exchanged something
  ///     through it.
  ///   - folder: Where files are kept for a moment.
  ///   - note: Called with the result for each geodatabase at once: the next may be in the way of
  ///     all.
  /// - Returns: The outcome of each geodatabase that a service knows; where one was synchronized,
  ///   also of those that are kept without updates and hold edits.
  /// - Throws: `LibraryError` if the map is not there or is being edited, what is in the way of
  ///   all: no network, no more time.
  @concurrent public func synchronize(
    _ map: MapID, _ direction: GeodatabaseSyncTask.Direction, portal: Portal, folder: URL,
    noting note: @Sendable (Part) async throws -> Void = { _ in }
  ) async throws -> [Part] {
    let lease = try await library.open(map)
    try await library.beginEditing(lease)
    defer { lease.endEditing() }
    let exchange = MapExchange(
      map: lease.map, root: lease.url, modes: PreplannedModes(of: lease.url),
      home: try await library.identity(of: map), direction: direction, portal: portal,
      folder: folder, library: library, surroundings: surroundings)
    let known = await LayerTitles(of: lease.url, now: surroundings.now())
    var (parts, staying): ([Part], [Part]) = ([], [])
    for path in try Self.geodatabases(in: lease.url) {
      let count = parts.count
      var layers: [String] = []
      var titles: [String: String] = [:]
      var done = GeodatabaseSyncTask.Result()
      do {
        let isKnown = try await Self.using(lease.url.appending(path: path), surroundings) {
          store -> Bool in
          guard let state = try await exchange.state(of: store, at: path) else {
            done.staying = try await exchange.editsStaying(in: store, at: path)
            return false
          }
          layers = state.layers.map(\.table)
          titles = known.titles(of: state, at: path)
          let (result, failure) = await exchange.run(store, at: path, state)
          done = result
          if let failure { throw failure }
          return true
        }
        var part = Part(path: path, layers: layers, titles: titles, result: .success(done))
        part.isKept = !isKnown
        if isKnown { parts.append(part) } else if done.staying > 0 { staying.append(part) }
      } catch {
        let part = Part(
          path: path, layers: layers, titles: titles, result: .failure(error),
          partial: done.hasDone ? done : nil)
        // What one service keeps waiting does not keep the others.
        guard Self.leavesOtherServices(error) else {
          if part.partial != nil { try await note(part) }
          throw error
        }
        parts.append(part)
      }
      for part in parts[count...] { try await note(part) }
    }
    // Where nothing was synchronized, that is what there is to say.
    guard parts.contains(where: \.isSynchronized) else { return parts }
    for part in staying { try await note(part) }
    return parts + staying
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
    try await holdsGeodatabase(map) { modes, path in modes.canSynchronize(path) }
  }

  /// Whether a service takes edits of any of the map's geodatabases, as it does not where they are only
  /// received, and of those with edits where there are some; also where a geodatabase cannot be read.
  ///
  /// - Throws: as ``isSynchronized(_:)`` does.
  @concurrent public func takesEdits(_ map: MapID) async throws -> Bool {
    let lease = try await library.open(map)
    let modes = PreplannedModes(of: lease.url)
    var (isTaken, hasEdits) = (false, false)
    for path in try Self.geodatabases(in: lease.url) {
      do {
        let own = try await Self.using(lease.url.appending(path: path), surroundings) {
          store -> (isTaken: Bool, hasEdits: Bool) in
          let state = try await store.syncState()
          return (
            state.map { $0.isRegistered || modes.sendsEdits(of: path) } ?? false,
            try await !store.localChanges().changes.isEmpty
          )
        }
        if own.isTaken, own.hasEdits { return true }
        isTaken = isTaken || own.isTaken
        hasEdits = hasEdits || own.hasEdits
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // What cannot be read may have a service that takes its edits.
        return true
      }
    }
    return isTaken && !hasEdits
  }

  /// Whether the update mode of an area is what keeps a map from being synchronized, which
  /// ``isSynchronized(_:)`` says it is not.
  ///
  /// - Throws: as ``isSynchronized(_:)`` does.
  @concurrent public func isKeptWithoutUpdates(_ map: MapID) async throws -> Bool {
    try await holdsGeodatabase(map) { modes, path in modes[path]?.mode == .noUpdates }
  }

  /// Whether any of the map's geodatabases is registered as a replica, cannot be read, or is kept up to date
  /// in a certain way without being registered.
  ///
  /// One that does not say which service it comes from, as where it was packaged without synchronization, is
  /// not, whatever the record of the area says.
  private func holdsGeodatabase(
    _ map: MapID, keptUpToDate isMeant: (PreplannedModes, String) -> Bool
  ) async throws -> Bool {
    let lease = try await library.open(map)
    let modes = PreplannedModes(of: lease.url)
    for path in try Self.geodatabases(in: lease.url) {
      do {
        let state = try await Self.state(of: lease.url.appending(path: path), surroundings)
        guard let state else { continue }
        if state.isRegistered || isMeant(modes, path) { return true }
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

/// The exchange between the geodatabases of a map and their services.
private struct MapExchange: Sendable {
  let map: StoredMap
  /// Its folder.
  let root: URL
  let modes: PreplannedModes
  /// What distinguishes the map from copies of it.
  let home: String?
  let direction: GeodatabaseSyncTask.Direction
  let portal: Portal
  let folder: URL
  let library: MapLibrary
  let surroundings: OfflineSurroundings

  /// How a geodatabase is registered; `nil` for one that no service knows.
  func state(
    of store: EditableGeodatabase, at path: String
  ) async throws -> GeodatabaseSyncState? {
    let state = try await store.syncState()
    guard let state, state.isRegistered || modes.canSynchronize(path) else { return nil }
    return state
  }

  /// How many edits stay in a geodatabase that is kept without updates.
  func editsStaying(in store: EditableGeodatabase, at path: String) async throws -> Int {
    guard direction.uploads, modes[path]?.mode == .noUpdates else { return 0 }
    return try await store.localChanges().changes.count
  }

  /// Brings one together with its service.
  ///
  /// - Returns: What was done, and what was in the way before the end.
  func run(
    _ store: EditableGeodatabase, at path: String, _ state: GeodatabaseSyncState
  ) async -> (done: GeodatabaseSyncTask.Result, failure: (any Error)?) {
    var result = GeodatabaseSyncTask.Result()
    do {
      if !state.isRegistered, let entry = modes[path], entry.mode != .syncWithFeatureServices {
        try await update(entry, at: path).update(store, direction, &result)
        if direction.downloads || result.sent > 0 { try await recordPortal() }
      } else {
        try await task(at: path).synchronize(store, direction, &result)
      }
      return (result, nil)
    } catch {
      // What waits for a decision is told besides, if the file still says so.
      try? await result.note(store)
      return (result, error)
    }
  }

  private func update(_ entry: PreplannedModes.Entry, at path: String) -> ScheduledUpdateTask {
    ScheduledUpdateTask(
      name: root.appending(path: path).lastPathComponent, entry: entry, portal: portal,
      folder: folder, surroundings: surroundings)
  }

  private func task(at path: String) -> GeodatabaseSyncTask {
    var task = GeodatabaseSyncTask(
      geodatabase: root.appending(path: path), client: portal.client, folder: folder,
      surroundings: surroundings)
    task.registers = modes.canSynchronize(path)
    task.reference = modes[path]?.replica
    task.home = home
    task.isImported = map.isImported
    task.release = ReplicaRelease(
      portal: portal.url, outbox: library.storage, now: surroundings.now())
    task.whenAnswered = { try await recordPortal() }
    return task
  }

  /// Records which portal a map without one is synchronized with, so that its replicas are given up when the
  /// map goes.
  ///
  /// A process that ends right before that has left a request for a replica in a file, or nothing.
  private func recordPortal() async throws(LibraryError) {
    try await library.setPortal(portal.url, of: map.id)
  }
}

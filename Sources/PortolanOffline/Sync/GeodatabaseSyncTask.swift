public import Foundation
internal import PortolanFeatures
public import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanJobs
public import PortolanPortal
internal import PortolanTransport

/// Synchronizes a geodatabase with the feature service that it was made from.
///
/// What others have changed comes first, so that edits of the same feature are found out before
/// one overwrites the other. Then the edits go to the service. Whatever breaks off in between
/// leaves the file usable, with all its edits, and the next synchronization continues.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct GeodatabaseSyncTask: Sendable {
  /// In which directions changes go.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case bidirectional, upload, download

    var uploads: Bool { self != .download }
    var downloads: Bool { self != .upload }
  }

  /// The result of a synchronization.
  public struct Result: Hashable, Sendable {
    /// What has come in.
    public var received = SyncReceipt()
    /// How many edits the service has received.
    public var sent: Int { sentEdits.total }
    /// How many edits the service has received, by layer.
    public var sentEdits = SentEdits()
    /// The layers and tables that are exchanged, by their numbers in the service.
    public var tables: [Int: String] = [:]
    /// The edits that could not be exchanged, also those from before.
    public var issues: [SyncIssue] = []
    /// How many edits stay here, since the map was taken offline without sending them.
    public var staying = 0
    /// Whether the service had forgotten the replica, so that it was registered again.
    public var isRegisteredAgain = false
    /// Whether it was registered for itself, since its map or home is a copy of another.
    public var isRegisteredForCopy = false
    /// The tables that were left out.
    public var unsynchronized: [UnsynchronizedTable] = []

    /// How many edits wait for a decision.
    public var waiting: Int { issues.count - withheld }
    /// How many features of others the file cannot hold; they are tried again next time.
    public var withheld: Int { issues.count { $0.kind == .unstorable } }
  }

  /// The geodatabase, which no other process edits meanwhile.
  public let geodatabase: URL
  let client: RESTClient
  let surroundings: OfflineSurroundings
  /// Where files are kept for a moment.
  let folder: URL
  /// The replica that a package without a registration of its own began as.
  var reference: UUID?
  /// Whether a file without a registration is registered.
  var registers = false
  /// What distinguishes the file's map from copies of the map or its home; `nil` for a file that
  /// lies in no home.
  var home: String?
  /// Whether the map was imported, so that another program may still synchronize a
  /// file that names no home.
  var isImported = false
  /// Sends the service later what cannot be sent yet; nothing if `nil`.
  var release: ReplicaRelease?
  /// Called once the service has made a replica for the file, before that is written into it, and once it
  /// has exchanged something.
  var whenAnswered: (@Sendable () async throws -> Void)?

  /// Creates a task.
  ///
  /// - Parameters:
  ///   - geodatabase: The file; no other process may edit it meanwhile.
  ///   - client: What sends the requests.
  ///   - folder: Where files are kept for a moment.
  ///   - surroundings: Time and chance.
  public init(
    geodatabase: URL, client: RESTClient, folder: URL, surroundings: OfflineSurroundings
  ) {
    self.geodatabase = geodatabase
    self.client = client
    self.folder = folder
    self.surroundings = surroundings
  }

  /// Synchronizes.
  ///
  /// - Returns: What was done.
  /// - Throws: ``OfflineMapError/replicaForgotten(service:)`` if the service does not know the copy
  ///   any more and makes no new one, ``PortolanPortal/PortalError``, `FeatureEditError`.
  @concurrent public func synchronize(_ direction: Direction) async throws -> Result {
    try await OfflineMapSyncTask.using(geodatabase, surroundings) { store in
      var result = Result()
      try await synchronize(store, direction, &result)
      return result
    }
  }

  /// Synchronizes a file that is open.
  ///
  /// - Parameters:
  ///   - store: The file.
  ///   - direction: In which directions changes go.
  ///   - result: What was done; also before something was in the way.
  /// - Throws: as ``synchronize(_:)`` does.
  func synchronize(
    _ store: EditableGeodatabase, _ direction: Direction, _ result: inout Result
  ) async throws {
    guard var state = try await store.syncState(), state.isRegistered || registers,
      let url = URL(string: state.serviceURL)
    else { throw OfflineMapError.notSynchronized(file: geodatabase.lastPathComponent) }
    var replica = ReplicaExchange(
      task: ReplicaTask(service: FeatureService(url: url, client: client)),
      replicaID: state.replicaID, folder: folder, surroundings: surroundings)
    // Two copies of a map or a home would count as the same replica of the service: each would never get what
    // the other one sends, and one that is behind would send again what the other has changed since.
    let isOfOthers = state.home.map { $0 != home } ?? isImported
    let isShared = home != nil && state.isRegistered && isOfOthers
    if !state.isRegistered || isShared {
      result.received = try await registration(through: replica)
        .register(store, as: isShared ? state.replicaID : reference)
      result.isRegisteredForCopy = isShared
      guard let registered = try await store.syncState(), registered.isRegistered else {
        throw OfflineMapError.notSynchronized(file: geodatabase.lastPathComponent)
      }
      state = registered
      replica = ReplicaExchange(
        task: replica.task, replicaID: state.replicaID, folder: folder, surroundings: surroundings)
    }
    if let home, state.home != home { try await store.setHome(home) }
    // That the service still works on these does not say that it has forgotten the replica.
    result.sentEdits += try await replica.settlePending(store)
    do {
      try await exchange(replica, direction, store, &result)
    } catch {
      let isForgotten = await replica.isForgotten(after: error)
      let removed =
        isForgotten ? [] : await removedLayers(of: state, through: replica, after: error)
      guard isForgotten || !removed.isEmpty else { throw error }
      // The new replica says anew which fields there are.
      result.received.changedFields = []
      let registration = registration(through: replica)
      if isForgotten {
        result.received.add(try await registration.renew(store))
        result.isRegisteredAgain = true
      } else {
        result.received.add(
          try await registration.replace(state, of: store, without: removed))
      }
      guard direction.uploads, let state = try await store.syncState() else {
        return try await result.note(store)
      }
      let renewed = ReplicaExchange(
        task: replica.task, replicaID: state.replicaID, folder: folder, surroundings: surroundings)
      try await renewed.uploadEdits(
        of: store, after: &result.received, counting: &result.sentEdits)
    }
    if result.sent > 0 { try await whenAnswered?() }
    if direction == .bidirectional { try await store.noteSync(at: surroundings.now()) }
    try await result.note(store)
  }

  private func registration(through exchange: ReplicaExchange) -> ReplicaRegistration {
    ReplicaRegistration(
      exchange: exchange, home: home, release: release, whenAnswered: whenAnswered)
  }

  /// The layers that keep those from being exchanged that go together with them, since the service has
  /// removed them; layers with generations of their own are left out of requests one by one.
  private func removedLayers(
    of state: GeodatabaseSyncState, through replica: ReplicaExchange, after error: any Error
  ) async -> [ChangedFields] {
    guard state.syncModel != .perLayer else { return [] }
    return await replica.removedLayers(state, Set(state.layers.map(\.layerID)), after: error)
  }

  private func exchange(
    _ replica: ReplicaExchange, _ direction: Direction, _ store: EditableGeodatabase,
    _ result: inout Result
  ) async throws {
    if direction.downloads {
      result.received.add(try await replica.download(into: store))
      try await whenAnswered?()
      result.received.add(try await replica.fetchIncomplete(into: store))
    }
    if direction.uploads {
      try await replica.uploadEdits(
        of: store, after: &result.received, counting: &result.sentEdits)
    }
  }
}

extension GeodatabaseSyncTask.Result {
  /// Whether anything has come of it that people are to know, if it did not end well.
  var hasDone: Bool {
    let counts = [
      sent, received.adds, received.updates, received.deletes, received.conflicts,
      received.withheld,
    ]
    return counts.contains { $0 > 0 } || isRegisteredAgain || isRegisteredForCopy
  }

  /// How many edits the service has received, as they are counted where they are listed.
  var sentCount: EditCount {
    EditCount(features: sent - sentEdits.attachments, attachments: sentEdits.attachments)
  }

  /// Notes what is left of a file when all is done.
  mutating func note(_ store: EditableGeodatabase) async throws {
    issues = try await store.syncIssues()
    tables = Dictionary(
      (try await store.syncState()?.layers ?? []).map { ($0.layerID, $0.table) },
      uniquingKeysWith: { first, _ in first })
    unsynchronized = try await store.unsynchronizedTables(leavingOut: received.stoppedLayers)
  }
}

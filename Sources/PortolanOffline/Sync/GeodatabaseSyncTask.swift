public import Foundation
internal import PortolanFeatures
public import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanJobs
public import PortolanPortal
internal import PortolanTransport

/// Brings a geodatabase and the feature service that it was made from together.
///
/// What others have changed comes first, so that edits of the same feature are found out before
/// one overwrites the other. Then the edits go to the service. Whatever breaks off in between
/// leaves the file usable, with all its edits, and the next synchronization goes on.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct GeodatabaseSyncTask: Sendable {
  /// In which directions changes go.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case bidirectional, upload, download

    var uploads: Bool { self != .download }
    var downloads: Bool { self != .upload }
  }

  /// What a synchronization has done.
  public struct Result: Hashable, Sendable {
    /// What has come in.
    public var received = SyncReceipt()
    /// How many edits the service has received.
    public var sent = 0
    /// The edits that could not be exchanged, also those from before.
    public var issues: [SyncIssue] = []
  }

  static let pause = Duration.seconds(2)
  static let mostPolls = 6 * 3600 / 2

  /// The geodatabase, which nobody else edits meanwhile.
  public let geodatabase: URL
  let client: RESTClient
  let surroundings: OfflineSurroundings
  /// Where files are kept for a moment.
  let folder: URL

  /// Creates a task.
  ///
  /// - Parameters:
  ///   - geodatabase: The file; nobody else may edit it meanwhile.
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
  ///   any more, ``PortolanPortal/PortalError``, `FeatureEditError`.
  @concurrent public func synchronize(_ direction: Direction) async throws -> Result {
    let (now, makeID) = (surroundings.now, surroundings.makeID)
    let store = try EditableGeodatabase.open(at: geodatabase, now: now, makeID: makeID)
    do {
      let result = try await synchronize(direction, store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  private func synchronize(
    _ direction: Direction, _ store: EditableGeodatabase
  ) async throws -> Result {
    guard let state = try await store.syncState(), state.isRegistered,
      let url = URL(string: state.serviceURL)
    else { throw OfflineMapError.notSynchronized(file: geodatabase.lastPathComponent) }
    let replica = ReplicaExchange(
      task: ReplicaTask(service: FeatureService(url: url, client: client)),
      replicaID: state.replicaID, folder: folder, surroundings: surroundings)
    var result = Result()
    do {
      result.sent += try await replica.settlePending(store)
      if direction.downloads { result.received = try await replica.download(into: store) }
      if direction.uploads { result.sent += try await replica.uploadEdits(of: store) }
    } catch let error as PortalError {
      guard try await replica.isForgotten(after: error) else { throw error }
      throw OfflineMapError.replicaForgotten(service: url.lastPathComponent)
    }
    if direction == .bidirectional { try await store.noteSync(at: surroundings.now()) }
    result.issues = try await store.syncIssues()
    return result
  }
}

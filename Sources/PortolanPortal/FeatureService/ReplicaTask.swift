public import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// Creates, synchronizes and unregisters replicas of a feature service.
///
/// Docs/REST.md, 3. A value: submitting, asking and fetching are one request each, so that the
/// caller decides when to ask again and can continue after a restart.
public struct ReplicaTask: Sendable {
  /// A replica that a service knows.
  public struct Replica: Hashable, Sendable {
    /// The name, which the service has made unique.
    public var name: String
    /// The id.
    public var id: String
  }

  /// The service.
  public let service: FeatureService

  /// Creates a task.
  public init(service: FeatureService) { self.service = service }

  /// Requests a replica, `createReplica`.
  ///
  /// - Returns: Where the job is served; without a URL of its status it is done already.
  public func create(_ parameters: RESTParameters) async throws(PortalError) -> ReplicaJobStatus {
    try await status("createReplica", parameters)
  }

  /// Synchronizes a replica with the service, `synchronizeReplica`.
  public func synchronize(
    _ parameters: RESTParameters
  ) async throws(PortalError) -> ReplicaJobStatus {
    try await status("synchronizeReplica", parameters)
  }

  /// The state of a job.
  public func status(at url: URL) async throws(PortalError) -> ReplicaJobStatus {
    try await service.client.value(
      url, orBecause: "there is no status of a job", reading: answer)
  }

  /// The replicas that the service knows.
  public func replicas() async throws(PortalError) -> [Replica] {
    try await service.client.value(
      service.url.appending(path: "replicas"), orBecause: "there is no list of replicas"
    ) { json in
      json.array?.compactMap { entry in
        guard let name = entry["replicaName"]?.string, let id = entry["replicaID"]?.string else {
          return nil
        }
        return Replica(name: name, id: id)
      }
    }
  }

  /// Whether the service knows a replica, `replicas/{id}`, even if it does not list it to the
  /// caller.
  ///
  /// - Throws: Also ``PortalError/unexpected(_:reason:)`` for an answer that describes no replica, and
  ///   ``PortalError/notPermitted(_:_:)``: it may know the replica all the same.
  public func knows(_ id: UUID) async throws(PortalError) -> Bool {
    do throws(PortalError) {
      let url = service.url.appending(path: "replicas/\(id.uuidString.lowercased())")
      let text = try await service.client.value(url, orBecause: "there is no replica") { json in
        json["replicaID"]?.string
      }
      return UUID(uuidString: text.trimmingCharacters(in: ["{", "}"])) == id
    } catch {
      switch error {
      case .server where !error.isTransient: return false
      case .notFound: return false
      default: throw error
      }
    }
  }

  /// The URL at which replicas are unregistered, `unRegisterReplica`.
  public var unregisterURL: URL { service.url.appending(path: "unRegisterReplica") }

  private func status(
    _ operation: String, _ parameters: RESTParameters
  ) async throws(PortalError) -> ReplicaJobStatus {
    try await service.client.value(
      service.url.appending(path: operation), parameters, method: .post,
      orBecause: "there is no status of a job", reading: answer)
  }

  private func answer(_ json: JSONValue) -> ReplicaJobStatus? {
    ReplicaJobStatus(json: json, of: service.url)
  }
}

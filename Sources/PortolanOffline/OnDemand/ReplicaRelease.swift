internal import Foundation
internal import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// Tells services, as soon as there is a network, that nobody needs a copy or an export any more.
struct ReplicaRelease {
  let portal: URL
  let outbox: any Outbox
  let now: Date

  /// The field that names a replica whose id is not known; portals are not sent it.
  static let nameField = "portolanReplicaName"
  /// The field with the status of the job that makes it.
  static let statusField = "portolanStatusURL"

  /// Gives up what a part has asked for.
  func release(
    _ serverJob: OnDemandCheckpoint.ServerJob, by job: String
  ) async throws(JobError) {
    let part = serverJob.address
    if let name = serverJob.replicaName {
      try await releaseReplica(name, serverJob.statusURL, at: part.url)
    } else if let id = serverJob.jobID, serverJob.resultURL == nil {
      try await cancelExport(id, of: part, by: job)
    }
  }

  /// Gives up a replica of which only the name is known, with the job that makes it if that was told.
  func releaseReplica(
    _ name: String, _ status: URL?, at service: URL
  ) async throws(JobError) {
    try await outbox.post(Self.message(about: name, status, at: service, portal: portal, now: now))
  }

  /// The message that gives up a replica of which only the name is known.
  static func message(
    about name: String, _ status: URL?, at service: URL, portal: URL, now: Date
  ) throws(JobError) -> OutboxMessage {
    // Names of folders are short: the names of replicas fit without what all of them begin with.
    let text = name.replacing("portolan_", with: "copy-", maxReplacements: 1)
    guard let id = OutboxMessage.ID(text.replacing("_", with: "-")) else {
      throw .journal(file: "outbox", reason: "\"\(text)\" cannot be the name of a message")
    }
    var fields = [nameField: name]
    fields[statusField] = status?.absoluteString
    return OutboxMessage(
      id: id, purpose: "Give up a copy that is not needed any more.", portal: portal,
      address: service.appending(path: "unRegisterReplica"), fields: fields, created: now)
  }

  private func cancelExport(
    _ id: String, of part: OnDemandPart.Address, by job: String
  ) async throws(JobError) {
    guard !id.contains("/"), let message = OutboxMessage.ID("cancel-\(job)-\(part.digest)") else {
      return
    }
    let folder = part.isVector ? part.url : part.url.appending(path: "exportTiles")
    try await outbox.post(
      OutboxMessage(
        id: message, purpose: "Cancel an export of tiles that is not needed any more.",
        portal: portal, address: folder.appending(path: "jobs/\(id)/cancel"), fields: [:],
        created: now))
  }
}

/// Unregisters replicas of which only the name is known.
struct NamedReplicas {
  let client: RESTClient

  /// For how long a service may still be making a replica for which it was asked without an answer.
  static let longestMaking: TimeInterval = 24 * 3600

  /// Unregisters every replica of a name, once the job that makes it is over.
  ///
  /// - Parameters:
  ///   - name: The name that it was asked for under.
  ///   - unregisterURL: Where replicas of the service are given up.
  ///   - status: The status of the job that makes it; `nil` if the service has not told it.
  ///   - mayCome: Whether the service may still make it although it lists none of the name.
  /// - Returns: Whether there was any.
  /// - Throws: ``PortalError``, `JobInterruption` while the service is, or may be, still making it.
  @discardableResult
  func unregister(
    _ name: String, at unregisterURL: URL, status: URL?, mayCome: Bool = false
  ) async throws -> Bool {
    let service = FeatureService(url: unregisterURL.deletingLastPathComponent(), client: client)
    let task = ReplicaTask(service: service)
    if let status, try await isUnderWay(status, task) {
      try await cancel(status)
    }
    if let status, try await isUnderWay(status, task) {
      throw JobInterruption.failed(
        JobFailure(message: "The service is still making the copy.", kind: .transient))
    }
    let found = try await task.replicas().filter { Self.isNamed($0.name, name) }
    guard !found.isEmpty || !mayCome else {
      throw JobInterruption.failed(
        JobFailure(message: "The service may still be making the copy.", kind: .transient))
    }
    for replica in found {
      do {
        _ = try await client.json(unregisterURL, ["replicaID": replica.id], method: .post)
      } catch {
        guard error.saysGone else { throw error }
      }
    }
    return !found.isEmpty
  }

  /// Services make names unique by a number.
  static func isNamed(_ found: String, _ name: String) -> Bool {
    let plain = found.split(separator: ".").last.map(String.init) ?? found
    return plain == name || plain.hasPrefix(name + "_")
  }

  /// Asks a service not to go on; not every service can be asked that, and then the copy is given up
  /// once it is there.
  private func cancel(_ status: URL) async throws {
    do throws(PortalError) {
      _ = try await client.json(status.appending(path: "cancel"), [:], method: .post)
    } catch {
      guard error.refusesQuestion || error.saysGone else { throw error }
    }
  }

  private func isUnderWay(_ status: URL, _ task: ReplicaTask) async throws -> Bool {
    do { return try await !task.status(at: status).isFinal } catch {
      switch error {
      // A job that failed or was forgotten makes nothing any more.
      case .server, .notFound, .unexpected: return false
      default: throw error
      }
    }
  }
}

extension PortalError {
  /// Whether a request for a replica has made none for certain: it was refused, or never arrived.
  var saysNothingWasMade: Bool {
    switch self {
    case .signInNeeded, .notPermitted, .notFound, .transport(.offline), .transport(.unknownHost):
      true
    case .server(_, let envelope): (400..<500).contains(envelope.code ?? 0) && !isTransient
    default: false
    }
  }

  /// Whether the server says that what the request is about is gone.
  var saysGone: Bool {
    switch self {
    case .notFound: true
    case .server(_, let envelope): [400, 404, 410].contains(envelope.code)
    case .part(_, let cause): cause.saysGone
    default: false
    }
  }
}

internal import Foundation
internal import PortolanGeodatabase
internal import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// Informs services, as soon as there is a network, that a replica or an export is no longer
/// needed.
struct ReplicaRelease {
  let portal: URL
  let outbox: any Outbox
  let now: Date

  /// The field that names a replica whose id is not known; portals are not sent it.
  static let nameField = "portolanReplicaName"
  /// The field with the status of the job that makes it.
  static let statusField = "portolanStatusURL"
  /// The field with the id of the replica, where the service has sent it at once.
  static let idField = "replicaID"
  /// The field with the other place where products keep the job of an export; portals are not sent it.
  static let otherPlaceField = "portolanOtherPlace"

  /// Gives up what a part has requested.
  func release(
    _ serverJob: OnDemandCheckpoint.ServerJob, by job: String
  ) async throws(JobError) {
    let part = serverJob.address
    if let name = serverJob.replicaName {
      try await releaseReplica(
        RequestedCopy(name: name, statusURL: serverJob.statusURL, replicaID: serverJob.replicaID),
        at: part.url)
    } else if let id = serverJob.jobID, serverJob.resultURL == nil {
      try await cancelExport(id, of: part, by: job)
    }
  }

  /// Gives up a replica that was requested, with what the service has sent about it.
  func releaseReplica(_ copy: RequestedCopy, at service: URL) async throws(JobError) {
    try await outbox.post(Self.message(about: copy, at: service, portal: portal, now: now))
  }

  /// The message that unregisters a replica that was requested.
  static func message(
    about copy: RequestedCopy, at service: URL, portal: URL, now: Date
  ) throws(JobError) -> OutboxMessage {
    // Names of folders are short: the names of replicas fit without what all of them begin with.
    let text = copy.name.replacing("portolan_", with: "copy-", maxReplacements: 1)
    guard let id = OutboxMessage.ID(text.replacing("_", with: "-")) else {
      throw .journal(file: "outbox", reason: "\"\(text)\" cannot be the name of a message")
    }
    var fields = [nameField: copy.name]
    fields[statusField] = copy.statusURL?.absoluteString
    fields[idField] = copy.replicaID
    return OutboxMessage(
      id: id, purpose: "Unregister a replica that is not needed any more.", portal: portal,
      address: service.appending(path: "unRegisterReplica"), fields: fields, created: now)
  }

  private func cancelExport(
    _ id: String, of part: OnDemandPart.Address, by job: String
  ) async throws(JobError) {
    guard !id.contains("/"), let message = OutboxMessage.ID("cancel-\(job)-\(part.digest)") else {
      return
    }
    let path = "jobs/\(id)/cancel"
    let places = [part.url, part.url.appending(path: "exportTiles")].map {
      $0.appending(path: path)
    }
    let (expected, other) = part.isVector ? (places[0], places[1]) : (places[1], places[0])
    try await outbox.post(
      OutboxMessage(
        id: message, purpose: "Cancel an export of tiles that is not needed any more.",
        portal: portal, address: expected, fields: [Self.otherPlaceField: other.absoluteString],
        created: now))
  }
}

/// Unregisters replicas that were requested under a name.
struct NamedReplicas {
  let client: RESTClient

  /// For how long a service may still be making a replica for which it was asked without an answer.
  static let longestMaking: TimeInterval = 24 * 3600
  /// How often it is looked for in that time, which is more rarely after each time.
  static let looksOfADay = 12

  /// Unregisters every replica of a name, once the job that makes it is over.
  ///
  /// - Parameters:
  ///   - copy: What it was asked for as, and what the service has sent about it.
  ///   - unregisterURL: Where replicas of the service are unregistered.
  ///   - mayCome: Whether the service may still make it although it lists none of the name.
  /// - Returns: Whether there was any.
  /// - Throws: ``PortalError``, `JobInterruption` while the service is, or may be, still making it, or
  ///   does not tell which replicas it has.
  @discardableResult
  func unregister(
    _ copy: RequestedCopy, at unregisterURL: URL, mayCome: Bool = false
  ) async throws -> Bool {
    let service = FeatureService(url: unregisterURL.deletingLastPathComponent(), client: client)
    let task = ReplicaTask(service: service)
    var job = try await status(of: copy, task)
    if let status = copy.statusURL, job?.isFinal == false {
      try await cancel(status)
      job = try await self.status(of: copy, task)
    }
    guard job?.isFinal != false else {
      throw JobInterruption.failed(
        JobFailure(message: "The service is still making the replica.", kind: .transient))
    }
    let found = try await ids(of: copy, job, task)
    guard !found.isEmpty || !mayCome else {
      throw JobInterruption.failed(
        JobFailure(message: "The service may still be making the replica.", kind: .transient))
    }
    for id in found { try await unregister(id, ["replicaID": id], at: unregisterURL) }
    return !found.isEmpty
  }

  /// Unregisters a replica; one that the service does not know any more is unregistered already.
  ///
  /// - Parameters:
  ///   - id: The id of the replica.
  ///   - form: What is posted for it.
  ///   - unregisterURL: Where replicas of the service are unregistered.
  /// - Throws: ``PortalError``, `JobInterruption` where the service refuses although it knows the replica.
  func unregister(_ id: String, _ form: RESTParameters, at unregisterURL: URL) async throws {
    do throws(PortalError) {
      _ = try await client.json(unregisterURL, form, method: .post)
    } catch {
      guard error.saysGone else { throw error }
      guard error.isBadRequest else { return }
      // What is wrong with a request need not be that the replica is gone.
      let service = FeatureService(url: unregisterURL.deletingLastPathComponent(), client: client)
      do throws(PortalError) {
        guard try await Self.knows(id, ReplicaTask(service: service)) else { return }
      } catch {
        // What answers nothing, or not to this user, is asked again, but not for ever.
        guard error.leavesQuestionOpen else { throw error }
      }
      throw JobInterruption.failed(JobFailure(error, kind: .refused))
    }
  }

  /// Whether a service lists a replica, or knows it without listing it to this user.
  private static func knows(_ id: String, _ task: ReplicaTask) async throws(PortalError) -> Bool {
    do throws(PortalError) {
      if try await task.replicas().contains(where: { isSame($0.id, id) }) { return true }
    } catch {
      guard error.leavesQuestionOpen else { throw error }
    }
    guard let id = UUID(uuidString: id.trimmingCharacters(in: ["{", "}"])) else { return false }
    return try await task.knows(id)
  }

  /// The ids of the replicas of a name, also where the service does not list them to this user, but
  /// has sent the id when it made the one.
  private func ids(
    of copy: RequestedCopy, _ job: ReplicaJobStatus?, _ task: ReplicaTask
  ) async throws -> [String] {
    let told = copy.replicaID ?? job?.replicaID
    do throws(PortalError) {
      let listed = try await task.replicas().filter { Self.isNamed($0.name, copy.name) }.map(\.id)
      guard let told, !listed.contains(where: { Self.isSame($0, told) }) else { return listed }
      return listed + [told]
    } catch {
      guard error.leavesQuestionOpen else { throw error }
      if let told { return [told] }
      // A service that is gone has no replicas; one that does not tell is asked again.
      if case .notFound = error { throw error }
      throw JobInterruption.failed(JobFailure(error, kind: .refused))
    }
  }

  private static func isSame(_ id: String, _ other: String) -> Bool {
    let braces: CharacterSet = ["{", "}"]
    return id.trimmingCharacters(in: braces).lowercased()
      == other.trimmingCharacters(in: braces).lowercased()
  }

  /// Services make names unique by a number.
  static func isNamed(_ found: String, _ name: String) -> Bool {
    let plain = found.split(separator: ".").last.map(String.init) ?? found
    return plain == name || plain.hasPrefix(name + "_")
  }

  /// Asks a service to stop; not every service can be asked that, and then the replica is unregistered
  /// once it is there.
  private func cancel(_ status: URL) async throws {
    do throws(PortalError) {
      _ = try await client.json(status.appending(path: "cancel"), [:], method: .post)
    } catch {
      guard error.leavesQuestionOpen || error.saysGone else { throw error }
    }
  }

  /// Where the job is that makes a replica; `nil` for one that is unknown, failed or was
  /// forgotten, so that it makes nothing any more.
  private func status(
    of copy: RequestedCopy, _ task: ReplicaTask
  ) async throws -> ReplicaJobStatus? {
    guard let url = copy.statusURL else { return nil }
    do { return try await task.status(at: url) } catch {
      switch error {
      // A server that is started again says nothing of the job.
      case .server where error.isTransient: throw error
      case .server, .notFound, .unexpected: return nil
      default: throw error
      }
    }
  }
}

extension PortalError {
  /// Whether a request for a replica has made none for certain: it was refused, or never arrived.
  var saysNothingWasMade: Bool {
    switch self {
    // A server that has had too many requests does not look at them.
    case .signInNeeded, .notPermitted, .notFound, .rateLimited, .transport(.offline),
      .transport(.unknownHost):
      true
    case .server(_, let envelope): (400..<500).contains(envelope.code ?? 0) && !isTransient
    default: false
    }
  }

  /// Whether the server finds fault with the request, which may be that it does not know what it is about.
  fileprivate var isBadRequest: Bool {
    switch self {
    case .server(_, let envelope): envelope.code == 400
    case .part(_, let cause): cause.isBadRequest
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

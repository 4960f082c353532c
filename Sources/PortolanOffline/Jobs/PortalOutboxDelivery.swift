public import Foundation
internal import PortolanGeodatabase
public import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// Delivers messages to portals and their services, with the credentials there are.
public struct PortalOutboxDelivery: OutboxDelivery {
  private let connect: OfflineEnvironment.Connect
  private let now: @Sendable () -> Date

  /// Creates a delivery.
  ///
  /// - Parameters:
  ///   - connect: Connects to portals.
  ///   - now: The time: a replica that was asked for without an answer may be made for a while yet.
  public init(
    connect: @escaping OfflineEnvironment.Connect, now: @escaping @Sendable () -> Date
  ) {
    self.connect = connect
    self.now = now
  }

  /// Posts a message as a form; one about what is gone on the server is delivered.
  public func deliver(_ message: OutboxMessage) async throws(JobInterruption) {
    let portal = try await portal(at: message.portal)
    do {
      if let name = message.fields[ReplicaRelease.nameField] {
        let copy = RequestedCopy(
          name: name,
          statusURL: message.fields[ReplicaRelease.statusField].flatMap { URL(string: $0) },
          replicaID: message.fields[ReplicaRelease.idField])
        try await NamedReplicas(client: portal.client).unregister(
          copy, at: message.address, mayCome: !copy.isAnswered && mayCome(message))
        return
      }
      if let id = message.fields[ReplicaRelease.idField] {
        try await NamedReplicas(client: portal.client).unregister(
          id, RESTParameters(message.fields), at: message.address)
        return
      }
      var fields = message.fields
      let other = fields.removeValue(forKey: ReplicaRelease.otherPlaceField)
        .flatMap { URL(string: $0) }
      do throws(PortalError) {
        _ = try await portal.client.json(message.address, RESTParameters(fields), method: .post)
      } catch {
        guard let other, error.saysGone else { throw error }
        _ = try await portal.client.json(other, RESTParameters(fields), method: .post)
      }
    } catch {
      if let error = error as? PortalError, error.saysGone { return }
      if let error = error as? PortalError, let failure = Self.failure(ofUnknownHost: error) {
        throw JobInterruption.failed(failure)
      }
      guard case .failed(var failure) = JobInterruption(error), failure.kind == .damaged else {
        throw JobInterruption(error)
      }
      // What another page answers in place of the service, as one that has its address now, is no answer, and
      // is not waited for without end.
      failure.kind = .refused
      throw JobInterruption.failed(failure)
    }
  }

  /// Connects to a portal; that it is not at its address says nothing of what a message is about.
  private func portal(at url: URL) async throws(JobInterruption) -> Portal {
    do throws(PortalError) {
      return try await connect(url)
    } catch {
      if let failure = Self.failure(ofUnknownHost: error) { throw JobInterruption.failed(failure) }
      guard case .failed(var failure) = JobInterruption(error), failure.kind == .absent else {
        throw JobInterruption(error)
      }
      // It may come back, and is not waited for without end.
      failure.kind = .refused
      throw JobInterruption.failed(failure)
    }
  }
}

extension PortalOutboxDelivery {
  /// The failure of a message to a host whose name no server of names knows; `nil` after another error.
  ///
  /// Where there is a network it may be gone for good, and is not looked for every few minutes.
  private static func failure(ofUnknownHost error: PortalError) -> JobFailure? {
    switch error {
    case .transport(.unknownHost):
      var failure = JobFailure(error, kind: .transient)
      failure.isUnanswered = true
      return failure
    case .part(_, let cause): return failure(ofUnknownHost: cause)
    default: return nil
    }
  }

  /// Whether a service may still be making a replica for which it was asked without an answer.
  ///
  /// A clock that was set in between hides how long ago that was, and one that was set forward
  /// looks like time that has passed. So it is looked for at least as often as in a day.
  private func mayCome(_ message: OutboxMessage) -> Bool {
    guard message.attempts >= NamedReplicas.looksOfADay else { return true }
    let age = now().timeIntervalSince(message.created)
    return age >= 0 && age < NamedReplicas.longestMaking
  }
}

extension RESTParameters {
  /// The fields of a form, in the order of their names.
  fileprivate init(_ fields: [String: String]) {
    self.init()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
  }
}

internal import Foundation
internal import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// The failed parts of an offline map, for the ledger of its job.
struct OnDemandLedger {
  private static let mostRuns = 3

  private let job: Job
  private let continuesOnErrors: Bool
  private(set) var items: [JobFailedItem] = []
  private(set) var failedParts: Set<String> = []

  init(_ job: Job, continuesOnErrors: Bool) {
    self.job = job
    self.continuesOnErrors = continuesOnErrors
  }

  /// A failure that another run of the job may not meet.
  var worthAnotherRun: JobFailure? {
    guard job.attempts + 1 < Self.mostRuns else { return nil }
    return items.first { $0.failure.kind == .transient }?.failure
  }

  /// Adds the layers that are left out or come in part, and the services that did not answer.
  ///
  /// - Throws: A failure of a service, where the whole is to fail with it.
  mutating func add(_ plan: OnDemandPlan) throws {
    let all = plan.capabilities.layerCapabilities + plan.capabilities.tableCapabilities
    for capability in all where !capability.remainsOnline {
      guard let issue = capability.issue, !capability.supportsOffline || issue.isAboutPart
      else { continue }
      var kind = JobFailureKind.excluded
      if case .service = issue { kind = failureKind(of: capability, plan) }
      if issue == .noSuchLayer { kind = .absent }
      let failure = JobFailure(message: issue.message, kind: kind)
      guard kind == .excluded || continuesOnErrors else { throw JobInterruption.failed(failure) }
      append(
        JobFailedItem(
          name: capability.title, attempts: kind == .excluded ? 0 : 1, affects: [capability.title],
          failure: failure))
    }
  }

  /// Adds a part.
  ///
  /// - Returns: Why it failed.
  /// - Throws: What stops the whole.
  mutating func add(_ part: OnDemandPart, _ error: any Error) throws -> JobFailure {
    let interruption = JobInterruption(error)
    guard continuesOnErrors, case .failed(let failure) = interruption, failure.kind != .device
    else { throw interruption }
    failedParts.insert(part.id)
    append(
      JobFailedItem(
        name: part.title, address: part.url.withoutSecrets, status: (error as? PortalError)?.status,
        attempts: 1 + (failure.kind == .transient ? job.attempts : 0), affects: part.affects,
        failure: failure))
    return failure
  }

  /// Adds the features of a part that have no shapes, since those that came cannot be read.
  mutating func add(_ part: OnDemandPart, unreadableShapes: [String: Int]) {
    for (layer, count) in unreadableShapes.sorted(by: { $0.key < $1.key }) {
      let failure = JobFailure(
        message: count == 1
          ? "A feature of \(layer) came without its shape, which cannot be read."
          : "\(count) features of \(layer) came without their shapes, which cannot be read.",
        kind: .damaged)
      append(
        JobFailedItem(
          name: layer, address: part.url.withoutSecrets, attempts: 1, affects: [layer],
          failure: failure))
    }
  }

  private func failureKind(of capability: OfflineCapability, _ plan: OnDemandPlan) -> JobFailureKind
  {
    for error in plan.sources.failures.values
    where error.errorDescription == capability.issue?.message {
      if case .failed(let failure) = JobInterruption(error) { return failure.kind }
      return .signIn
    }
    return .absent
  }

  private mutating func append(_ item: JobFailedItem) {
    var item = item
    var number = 2
    let name = item.name
    while items.contains(where: { $0.name == item.name }) {
      item.name = "\(name) (\(number))"
      number += 1
    }
    items.append(item)
  }
}

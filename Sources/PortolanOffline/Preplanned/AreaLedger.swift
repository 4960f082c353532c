internal import Foundation
internal import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// The failed parts of an area, for the ledger of its job.
struct AreaLedger {
  /// In how many runs a package is tried that a server does not give for the moment.
  private static let mostRuns = 3

  private let job: Job
  private(set) var items: [JobFailedItem] = []

  init(_ job: Job) { self.job = job }

  /// A failure that another run of the job may not meet.
  var worthAnotherRun: JobFailure? {
    guard job.attempts + 1 < Self.mostRuns else { return nil }
    return items.first { $0.failure.kind == .transient }?.failure
  }

  mutating func add(_ file: PlannedFile, _ failure: FileFailure, _ reason: JobFailure) {
    let title = file.title
    let name = items.contains { $0.name == title } ? "\(title) (\(file.id))" : title
    let address = file.address.withoutSecrets
    var before = job.failedItems.first { $0.address == address }?.attempts ?? 0
    // The runs before that ended for it.
    if reason.kind == .transient { before += job.attempts }
    items.append(
      JobFailedItem(
        name: name, address: address, status: (failure.error as? PortalError)?.status,
        attempts: before + failure.attempts, affects: file.affects, failure: reason))
  }

  /// The layers and tables of which no package of the area has anything.
  static func online(
    _ layers: [AreaLayers.Entry], outside packages: [AreaPackage]
  ) -> [JobFailedItem] {
    var names: Set<String> = []
    return layers.compactMap { layer in
      guard !packages.contains(where: layer.isHeld),
        names.insert(layer.title).inserted
      else { return nil }
      let failure = JobFailure(
        message: "It is not in any package of the area and needs a network.",
        kind: .excluded)
      return JobFailedItem(
        name: layer.title,
        address: layer.addresses.first.flatMap { URL(string: $0) }?.withoutSecrets, attempts: 0,
        affects: [layer.title], failure: failure)
    }
  }
}

public import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

extension GenerateOfflineMapJobParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .onDemandMap }

  public var portal: URL { parameters.portal }

  public var subject: String { parameters.mapID }
}

extension OfflineJobKind {
  /// Makes an offline map of an area of a web map.
  ///
  /// Services are asked for replicas and exports; their jobs are written down before they are
  /// waited for, so that another run asks for them again and starts none twice. The files go to
  /// `staging/<job>`, the documents beside them, and the whole takes its place in the library.
  public static let onDemandMap = OfflineJobKind(
    "on-demand-map", for: GenerateOfflineMapJobParameters.self,
    estimate: { order, environment in
      let portal = try await environment.connect(order.portal)
      return try await OnDemandEstimate.make(
        order.parameters, order.overrides, portal: portal, environment: environment
      ).download
    },
    run: { order, job, reporter, environment in
      try await OnDemandRun(
        order: order, job: job, reporter: reporter, environment: environment
      ).run()
    },
    discard: { job, environment in
      try await OnDemandRun.releaseServerJobs(job, in: environment)
      try await removeStaged(job, in: environment)
    })
}

extension OnDemandRun {
  /// Tells the services that the results of their jobs are not needed, unless the map is stored,
  /// also as an update that was rolled back, or the home in which the job began still needs them.
  static func releaseServerJobs(_ job: Job, in environment: OfflineEnvironment) async throws {
    let order = try OfflineJobKind.parameters(
      GenerateOfflineMapJobParameters.self, from: job.parameters)
    let checkpoint = OnDemandCheckpoint(of: job)
    if let id = MapID(order.subject) {
      let library = environment.library
      guard try await !checkpoint.isStored(id, by: job, in: library) else { return }
      guard try await !checkpoint.isTakenBack(id, by: job, in: library) else { return }
    }
    for serverJob in checkpoint.serverJobs.values {
      try await environment.release(serverJob, of: job, portal: order.portal)
    }
  }
}

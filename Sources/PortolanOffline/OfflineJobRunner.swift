public import PortolanJobs
internal import PortolanLibrary

/// Does the jobs that take maps offline, each by its kind.
public struct OfflineJobRunner: JobRunner {
  private let environment: OfflineEnvironment
  private let runners: [String: any JobRunner]

  /// Creates a runner.
  public init(_ environment: OfflineEnvironment) {
    self.environment = environment
    runners = [
      PreplannedDownload.kind: PreplannedDownload(environment),
      MobileMapPackageDownload.kind: MobileMapPackageDownload(environment),
    ]
  }

  public func run(
    _ job: Job, reporter: JobReporter
  ) async throws(JobInterruption) -> JobOutcome {
    guard let runner = runners[job.kind] else {
      throw JobInterruption(OfflineMapError.unknownJobKind(job.kind))
    }
    return try await runner.run(job, reporter: reporter)
  }

  public func discard(_ job: Job) async throws(JobFailure) {
    try await environment.discard(job)
  }
}

extension OfflineEnvironment {
  /// Removes what a job has written.
  func discard(_ job: Job) async throws(JobFailure) {
    do { try await library.removeStaged(job.id.text) } catch {
      throw JobFailure(error, kind: .device)
    }
  }
}

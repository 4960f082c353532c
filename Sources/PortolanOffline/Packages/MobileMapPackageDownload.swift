public import PortolanJobs

/// Downloads mobile map packages of portals as jobs.
///
/// The package goes to `staging/<job>`, resumed where it stopped, is opened to see whether it is
/// sound, and takes its place as the file `packages/<id>.mmpk`.
public struct MobileMapPackageDownload: JobRunner {
  /// The kind of job.
  public static let kind = "mobile-map-package"

  private let environment: OfflineEnvironment

  /// Creates a runner.
  public init(_ environment: OfflineEnvironment) { self.environment = environment }

  public func run(
    _ job: Job, reporter: JobReporter
  ) async throws(JobInterruption) -> JobOutcome {
    do {
      return try await PackageRun(job: job, reporter: reporter, environment: environment).run()
    } catch {
      throw JobInterruption(error)
    }
  }

  public func discard(_ job: Job) async throws(JobFailure) {
    try await environment.discard(job)
  }
}

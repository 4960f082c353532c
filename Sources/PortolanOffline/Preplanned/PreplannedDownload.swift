public import PortolanJobs

/// Downloads preplanned areas as jobs.
///
/// Packages go to `staging/<job>`, each resumed where it stopped and opened once to see whether it
/// is sound. Then the documents of the map are written beside them, the whole is opened, and takes
/// its place in the library. Whatever ends a run leaves what has arrived for the next.
public struct PreplannedDownload: JobRunner {
  /// The kind of job.
  public static let kind = "preplanned-area"

  let environment: OfflineEnvironment

  /// Creates a runner.
  public init(_ environment: OfflineEnvironment) { self.environment = environment }

  public func run(
    _ job: Job, reporter: JobReporter
  ) async throws(JobInterruption) -> JobOutcome {
    do {
      return try await AreaRun(job: job, reporter: reporter, environment: environment).run()
    } catch {
      throw JobInterruption(error)
    }
  }

  public func discard(_ job: Job) async throws(JobFailure) {
    try await environment.discard(job)
  }
}

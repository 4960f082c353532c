/// Does the work of jobs.
///
/// The same job may be run many times: after pauses, failures and crashes. Each run continues from
/// what the ones before have left on disk.
public protocol JobRunner: Sendable {
  /// Works until the job is done, the task is cancelled, or something is in the way.
  ///
  /// - Parameters:
  ///   - job: The job in its current state.
  ///   - reporter: Where to tell how far it is.
  /// - Returns: The items that failed, while the rest is done.
  /// - Throws: ``JobInterruption/stopped`` when the task was cancelled, with everything that is
  ///   worth keeping kept.
  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome

  /// Removes what the job has left on disk; called when it was cancelled, also twice.
  func discard(_ job: Job) async throws(JobFailure)

  /// The name of the resource that a job needs alone: of jobs that name the same, one runs at a
  /// time; `nil` for none.
  func turn(of job: Job) -> String?
}

extension JobRunner {
  public func turn(of job: Job) -> String? { nil }
}

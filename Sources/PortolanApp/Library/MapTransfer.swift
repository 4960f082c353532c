public import PortolanJobs

/// The job that downloads the map of a row.
public struct MapTransfer: Hashable, Sendable, Codable {
  /// The job's name.
  public var job: JobID
  /// Its state.
  public var state: JobState
  /// The progress of the transfer.
  public var progress: JobProgress
  /// Whether retrying the failed items may help.
  public var canRetryFailures: Bool
  /// The other process that works on it; see `Job.worker`.
  public var worker: JobWorker?

  /// Creates the transfer of a job.
  public init(_ job: Job) {
    self.job = job.id
    state = job.state
    progress = job.progress
    canRetryFailures = job.canRetryFailures
    worker = job.worker
  }
}

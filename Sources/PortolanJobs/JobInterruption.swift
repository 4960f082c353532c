/// Why a run ended before the job was done.
public enum JobInterruption: Error, Hashable, Sendable {
  /// The task was cancelled.
  case stopped
  /// Something is missing that may come.
  case waiting(JobWait)
  /// It failed.
  case failed(JobFailure)
}

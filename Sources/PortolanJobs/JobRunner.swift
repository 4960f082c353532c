public import struct Foundation.Data

/// Does the work of jobs.
///
/// The same job may be run many times: after pauses, failures and crashes. Each run goes on from
/// what the ones before have left on disk.
public protocol JobRunner: Sendable {
  /// Works until the job is done, the task is cancelled, or something is in the way.
  ///
  /// - Parameters:
  ///   - job: The job in its current state.
  ///   - reporter: Where to tell how far it is.
  /// - Returns: What could not be brought, though the rest is done.
  /// - Throws: ``JobInterruption/stopped`` when the task was cancelled, with everything that is
  ///   worth keeping kept.
  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome

  /// Removes what the job has left on disk; called when it was cancelled, also twice.
  func discard(_ job: Job) async throws(JobFailure)

  /// What a job takes turns for: of jobs that name the same, one runs at a time; `nil` for none.
  func turn(of job: Job) -> String?
}

extension JobRunner {
  public func turn(of job: Job) -> String? { nil }
}

/// How a job ended that was not stopped.
public struct JobOutcome: Hashable, Sendable {
  /// What it could not bring; empty if it brought everything.
  public var failedItems: [JobFailedItem]

  /// What it has done, of its kind's own format; kept as the checkpoint of a job that is over.
  public var summary: Data?

  /// Whether all was brought that could be.
  public var isComplete: Bool { !failedItems.contains(where: \.isFailure) }

  /// Creates an outcome; complete by default.
  public init(failedItems: [JobFailedItem] = [], summary: Data? = nil) {
    self.failedItems = failedItems
    self.summary = summary
  }
}

/// Why a run ended before the job was done.
public enum JobInterruption: Error, Hashable, Sendable {
  /// The task was cancelled.
  case stopped
  /// Something is missing that may come.
  case waiting(JobWait)
  /// It failed.
  case failed(JobFailure)
}

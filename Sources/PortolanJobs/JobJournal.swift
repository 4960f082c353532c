/// Keeps jobs where a crash does not reach them.
///
/// When a call returns, what it wrote is there after a power cut.
public protocol JobJournal: Sendable {
  /// Writes a job, in the place of the one with the same id.
  func record(_ job: Job) async throws(JobError)

  /// Forgets a job.
  func forget(_ id: JobID) async throws(JobError)

  /// All jobs, by their place in the queue.
  func jobs() async throws(JobError) -> [Job]

  /// Adds to the log of a job.
  func append(_ message: JobMessage, to id: JobID) async throws(JobError)

  /// The log of a job, oldest first.
  func messages(of id: JobID) async throws(JobError) -> [JobMessage]
}

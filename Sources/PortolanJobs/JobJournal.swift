public import Foundation

/// Keeps jobs where a crash does not reach them; several processes may share one.
///
/// When a call returns, what it wrote is there after a power cut.
public protocol JobJournal: Sendable {
  // MARK: Jobs

  /// Writes a new job at the end of the queue, unless there is an unfinished one of the same kind
  /// and subject that was not asked to end; see ``Job/covers(_:despite:)``.
  ///
  /// - Returns: The job as it was written, or the one that was there.
  func add(_ job: Job) async throws(JobError) -> Job

  /// Writes a job, in place of the one with the same id; its place in the queue stays.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - number: The number of the last request that this answers; it and those before it are
  ///     dropped.
  /// - Throws: ``JobError/journal(file:reason:)``, as everything here does.
  func record(_ job: Job, answering number: Int) async throws(JobError)

  /// Forgets a job.
  func forget(_ id: JobID) async throws(JobError)

  /// All jobs, by their place in the queue.
  func jobs() async throws(JobError) -> [Job]

  /// A job, if there is one of that id.
  func job(_ id: JobID) async throws(JobError) -> Job?

  /// Gives the jobs these places in the queue, from 0.
  func setOrder(_ ids: [JobID]) async throws(JobError)

  // MARK: Requests

  /// Leaves a request for the process that is running a job.
  func post(_ intent: JobIntent, to id: JobID) async throws(JobError) -> JobRequest

  /// The requests that were left and not answered yet, oldest first.
  func requests() async throws(JobError) -> [JobRequest]

  /// Carries out all requests left for a job that is not running.
  ///
  /// - Parameters:
  ///   - id: The job, which the caller has claimed.
  ///   - date: When.
  /// - Returns: The job afterwards; `nil` if there is none of that id.
  /// - Throws: ``JobError/journal(file:reason:)``.
  func answerRequests(of id: JobID, at date: Date) async throws(JobError) -> Job?

  /// A number that is another one whenever another process has written.
  func revision() async throws(JobError) -> Int

  // MARK: Log

  /// Adds to the log of a job, whose oldest messages may go for that.
  func append(_ message: JobMessage, to id: JobID) async throws(JobError)

  /// The log of a job, oldest first.
  func messages(of id: JobID) async throws(JobError) -> [JobMessage]
}

extension JobJournal {
  /// Writes a job, in place of the one with the same id; its place in the queue stays.
  public func record(_ job: Job) async throws(JobError) { try await record(job, answering: 0) }
}

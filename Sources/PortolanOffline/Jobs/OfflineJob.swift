internal import Foundation
public import PortolanJobs

/// A job that takes a map offline or keeps it up to date, for code that awaits its result.
///
/// The job itself is in the queue of the library, and outlives the process: another one that makes the
/// same job of the same parameters finds it, with what it has fetched. The queue must be working, see
/// ``PortolanJobs/JobQueue/run()``.
public protocol OfflineJob: Sendable {
  /// The result of the job.
  associatedtype Output: Sendable

  /// The queue that the job is in.
  var queue: JobQueue { get }

  /// The order to the queue.
  var order: OfflineJobOrder { get }

  /// The result of the finished job, whole or in part.
  func output(of job: Job) async throws -> Output
}

extension OfflineJob {
  /// Asks for the job, or finds the unfinished one of the same map; one that waits or was paused goes
  /// on.
  ///
  /// - Returns: The job.
  /// - Throws: `JobError`; then there is no job.
  @discardableResult
  public func start() async throws(JobError) -> Job {
    let (job, isNew) = try await queue.submit(order)
    if !isNew, job.state.canResume { try await queue.resume(job.id) }
    return job
  }

  /// Pauses the job, which keeps what it has.
  ///
  /// - Throws: `JobError` if there is none, or it is over.
  public func pause() async throws(JobError) { try await queue.pause(try await present().id) }

  /// Ends the job and removes what it has left, on this device and at services.
  ///
  /// - Throws: `JobError` if there is none, or it is over.
  public func cancel() async throws(JobError) { try await queue.cancel(try await present().id) }

  /// The job in its current state; `nil` if it has not been started.
  public var job: Job? {
    get async {
      let jobs = await queue.jobs.filter { $0.kind == order.kind && $0.subject == order.subject }
      return jobs.max { ($0.created, $0.position) < ($1.created, $1.position) }
    }
  }

  /// How far the job is, as it changes; ends with the job.
  public var progress: AsyncStream<JobProgress> {
    let job = self
    return AsyncStream { continuation in
      let task = Task {
        for await _ in await job.queue.updates() {
          guard let now = await job.job else { continue }
          continuation.yield(now.progress)
          if now.state.isFinal { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The messages of the job so far, oldest first.
  ///
  /// - Throws: `JobError` if there is none, or its log cannot be read.
  public func messages() async throws(JobError) -> [JobMessage] {
    try await queue.messages(of: try await present().id)
  }

  /// The result of the job, which is started if it was not; waits until it is over.
  ///
  /// A job that waits for a network or a sign-in is waited for.
  ///
  /// - Throws: `JobInterruption.failed` if it has failed, `CancellationError` if it was cancelled.
  public var result: Output {
    get async throws {
      let started = try await start()
      for await jobs in await queue.updates() {
        guard let job = jobs.first(where: { $0.id == started.id }) else {
          throw JobError.unknown(started.id.text)
        }
        switch job.state {
        case .succeeded, .succeededInPart: return try await output(of: job)
        case .failed(let failure): throw JobInterruption.failed(failure)
        case .cancelled: throw CancellationError()
        case .waiting, .running, .paused, .cancelling: continue
        }
      }
      throw CancellationError()
    }
  }

  private func present() async throws(JobError) -> Job {
    guard let job = await job else { throw .unknown(order.title) }
    return job
  }
}

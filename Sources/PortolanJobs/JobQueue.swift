internal import Foundation

/// Runs jobs in order, a few at a time, and carries out the latest request about each.
///
/// What a job has reached is written to the journal before it shows: state, progress and failures.
/// Where that cannot be written the job shows as failed with the reason, and its files stay. What a
/// queue works out again each time, such as how many jobs are ahead, is not written.
///
/// Nothing runs until ``run()`` is called, which works until its task is cancelled; jobs that run
/// then stop and wait for the next time.
///
/// Queues of several processes may share a journal: a job is worked on by one of them, found out
/// through ``JobClaims``, and what people ask of another reaches that one as a ``JobRequest``. Of the
/// jobs on one subject, one runs at a time.
public actor JobQueue {
  let journal: any JobJournal
  let runner: any JobRunner
  let claims: (any JobClaims)?
  let policy: JobRetryPolicy
  let environment: JobEnvironment
  let limit: Int
  let outbox: OutboxWorker?
  var jobsByID: [JobID: Job] = [:]
  /// The last known journal records of the jobs that were taken over from it.
  var recorded: [JobID: Job] = [:]
  /// The jobs that are being worked on or cleaned up here.
  var active: Set<JobID> = []
  /// The jobs that another queue works on.
  var elsewhere: Set<JobID> = []
  /// The processes that worked on jobs when that was seen last.
  var workers: [JobWorker] = []
  /// Whether what the jobs wait for is still to be looked for since they were read.
  var isLookDue = false
  /// The claims that are held.
  var held: [JobID: HeldClaim] = [:]
  /// The numbers of the last requests that were answered here.
  var answered: [JobID: Int] = [:]
  /// The hosts that the jobs that run here wait for.
  var hostWaits: [JobID: JobHostWait] = [:]
  /// How often in a row a job could not be started.
  var setbacks: [JobID: Int] = [:]
  /// Counts what has changed here, so that what was read before is not taken for news.
  var changes = 0
  /// The work on jobs, to be cancelled.
  var runs: [JobID: Task<Result<JobOutcome, JobInterruption>, Never>] = [:]
  /// When the queue is woken next.
  var alarm: Date?
  /// Wakes what works on the queue, by the number of its run.
  var wakeUps: [Int: AsyncStream<Void>.Continuation] = [:]
  /// The jobs whose record is being written, with those who wait to write the next.
  var writers: [JobID: [CheckedContinuation<Void, Never>]] = [:]
  private var listeners: [UUID: AsyncStream<[Job]>.Continuation] = [:]

  /// Creates a queue without jobs; ``restore()`` reads those of the journal.
  ///
  /// - Parameters:
  ///   - journal: What keeps the jobs.
  ///   - runner: What does their work.
  ///   - claims: Who works on what, if other queues share the journal; `nil` if none does.
  ///   - limit: How many may run at a time.
  ///   - policy: When those that failed are tried again.
  ///   - outbox: What delivers the messages that jobs leave for servers, beside the jobs.
  ///   - environment: Time and names.
  public init(
    journal: any JobJournal, runner: any JobRunner, claims: (any JobClaims)? = nil,
    limit: Int = 2, policy: JobRetryPolicy = .standard, outbox: OutboxWorker? = nil,
    environment: JobEnvironment
  ) {
    self.journal = journal
    self.runner = runner
    self.claims = claims
    self.limit = max(limit, 1)
    self.policy = policy
    self.outbox = outbox
    self.environment = environment
  }

  /// All jobs, by their place in the queue.
  public var jobs: [Job] {
    jobsByID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(asShown)
  }

  /// A job.
  ///
  /// - Throws: ``JobError/unknown(_:)``.
  public func job(_ id: JobID) throws(JobError) -> Job {
    guard let job = jobsByID[id] else { throw .unknown(id.text) }
    return asShown(job)
  }

  /// A job with what only this process knows, and what is not in the journal.
  func asShown(_ job: Job) -> Job {
    var job = job
    job.hostWait = hostWaits[job.id]
    job.worker = worker(of: job)
    return job
  }

  /// The jobs as they change, beginning with how they are; slow readers miss what lies between.
  ///
  /// What other processes do is in it while ``run()`` or ``watch()`` works.
  public func updates() -> AsyncStream<[Job]> {
    let (stream, continuation) = AsyncStream<[Job]>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let key = UUID()
    listeners[key] = continuation
    continuation.onTermination = { _ in Task { await self.dropListener(key) } }
    continuation.yield(jobs)
    return stream
  }

  private func dropListener(_ key: UUID) { listeners[key] = nil }

  /// Shows the jobs as they are to everyone who listens, and looks at what may start.
  func announce() {
    var ahead = 0
    for job in jobs {
      if case .waiting(.slot) = job.state {
        jobsByID[job.id]?.state = .waiting(.slot(ahead: ahead))
      }
      if !job.state.isFinal && job.state != .paused { ahead += 1 }
    }
    let jobs = jobs
    for listener in listeners.values { listener.yield(jobs) }
    wake()
  }

  /// Has everything looked at again that works on the queue.
  func wake() {
    for wakeUp in wakeUps.values { wakeUp.yield() }
  }
}

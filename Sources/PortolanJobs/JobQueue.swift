public import Foundation

/// Runs jobs in order, a few at a time, and does what people want of them last.
///
/// Every change is in the journal before it shows. Nothing runs until ``run()`` is called, which
/// works until its task is cancelled; jobs that run then stop and stand ready for the next time.
public actor JobQueue {
  let journal: any JobJournal
  let runner: any JobRunner
  let policy: JobRetryPolicy
  let environment: JobEnvironment
  let limit: Int
  var jobsByID: [JobID: Job] = [:]
  /// The jobs that are being worked on or cleared up.
  var active: Set<JobID> = []
  /// The work on them, to be cancelled.
  var runs: [JobID: Task<Result<JobOutcome, JobInterruption>, Never>] = [:]
  /// When the queue is woken next.
  var alarm: Date?
  let wakeUps: AsyncStream<Void>
  let wakeUp: AsyncStream<Void>.Continuation
  private var listeners: [UUID: AsyncStream<[Job]>.Continuation] = [:]

  /// Creates a queue without jobs; ``restore()`` brings those of the journal.
  ///
  /// - Parameters:
  ///   - journal: What keeps the jobs.
  ///   - runner: What does their work.
  ///   - limit: How many may run at a time.
  ///   - policy: When those that failed are tried again.
  ///   - environment: Time and names.
  public init(
    journal: any JobJournal, runner: any JobRunner, limit: Int = 2,
    policy: JobRetryPolicy = .standard, environment: JobEnvironment
  ) {
    self.journal = journal
    self.runner = runner
    self.limit = max(limit, 1)
    self.policy = policy
    self.environment = environment
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: - Looking

  /// All jobs, by their place in the queue.
  public var jobs: [Job] {
    jobsByID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  /// A job.
  ///
  /// - Throws: ``JobError/unknown(_:)``.
  public func job(_ id: JobID) throws(JobError) -> Job {
    guard let job = jobsByID[id] else { throw .unknown(id.text) }
    return job
  }

  /// The jobs as they change, beginning with how they are; slow readers miss what lies between.
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

  // MARK: - Asking

  /// Reads the journal; what ran when the process ended waits for its turn.
  public func restore() async throws(JobError) {
    for var job in try await journal.jobs() where jobsByID[job.id] == nil {
      switch (job.intent, job.state.isFinal) {
      case (_, true): break
      case (.run, false): job.state = .waiting(.slot(ahead: 0))
      case (.pause, false): job.state = .paused
      case (.cancel, false): job.state = .cancelling
      }
      jobsByID[job.id] = job
    }
    announce()
  }

  /// Asks for a job, or finds the unfinished one of the same kind and subject.
  ///
  /// - Parameters:
  ///   - kind: What is done; see ``Job/kind``.
  ///   - subject: What it is done to.
  ///   - title: The name for people.
  ///   - parameters: What the runner needs to know.
  /// - Returns: The job, and whether it is a new one.
  /// - Throws: ``JobError/journal(file:reason:)``; then there is no job.
  public func submit(
    kind: String, subject: String, title: String, parameters: Data
  ) async throws(JobError) -> (job: Job, isNew: Bool) {
    let same = jobsByID.values.first {
      $0.kind == kind && $0.subject == subject && !$0.state.isFinal
    }
    if let same { return (same, false) }
    let last = jobsByID.values.map(\.position).max() ?? 0
    let job = Job(
      id: environment.makeID(), kind: kind, subject: subject, title: title,
      parameters: parameters, created: environment.now(), position: last + 1)
    // In place before the journal answers, so that asking twice at once makes one job.
    jobsByID[job.id] = job
    do { try await journal.record(job) } catch {
      jobsByID[job.id] = nil
      throw error
    }
    announce()
    return (job, true)
  }

  /// Lets a job stand still; it keeps what it has.
  public func pause(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    guard job.intent != .pause || job.state.canPause else { return }
    try require(job.state.canPause || job.state == .paused, job, "paused")
    try await change(id) { job in
      job.intent = .pause
      if !active.contains(id) { job.state = .paused }
    }
    runs[id]?.cancel()
  }

  /// Lets a job go on, also one that has failed.
  public func resume(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    let goesOn = job.intent == .run && !job.state.isFinal
    guard !goesOn else { return }
    try require(job.state.canResume || job.intent == .pause, job, "resumed")
    try await change(id) { job in
      job.intent = .run
      job.attempts = 0
      if !active.contains(id) { job.state = .waiting(.slot(ahead: 0)) }
    }
  }

  /// Ends a job and removes what it has left on disk.
  public func cancel(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    guard job.state != .cancelling, job.state != .cancelled else { return }
    try require(job.state.canCancel, job, "cancelled")
    try await change(id) { job in
      job.intent = .cancel
      job.state = .cancelling
    }
    runs[id]?.cancel()
  }

  /// Tries again what a job could not bring.
  public func retryFailedItems(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    try require(job.state.canSettleFailures, job, "tried again")
    try await change(id) { job in
      job.intent = .run
      job.attempts = 0
      job.state = .waiting(.slot(ahead: 0))
    }
  }

  /// Takes a job that is done in part for done.
  public func acceptAsPartial(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    try require(job.state.canSettleFailures, job, "accepted")
    try await change(id) { job in job.state = .succeeded }
  }

  /// Puts a job at a place in the queue, counted from 0.
  public func move(_ id: JobID, to place: Int) async throws(JobError) {
    _ = try job(id)
    var order = jobs.map(\.id).filter { $0 != id }
    order.insert(id, at: min(max(place, 0), order.count))
    for (index, id) in order.enumerated() where jobsByID[id]?.position != index {
      try await change(id) { job in job.position = index }
    }
  }

  /// Takes jobs that are over off the list.
  public func forget(_ id: JobID) async throws(JobError) {
    let job = try job(id)
    try require(job.state.isFinal, job, "taken off the list")
    try await journal.forget(id)
    jobsByID[id] = nil
    announce()
  }

  /// Something that jobs wait for may have come: a network, a sign-in, free space.
  public func conditionsHaveChanged() {
    for (id, job) in jobsByID {
      guard case .waiting(let wait) = job.state else { continue }
      switch wait {
      case .network, .signIn, .space: jobsByID[id]?.state = .waiting(.slot(ahead: 0))
      case .slot, .retry: break
      }
    }
    announce()
  }

  private func require(
    _ isPossible: Bool, _ job: Job, _ action: String
  ) throws(JobError) {
    guard !isPossible else { return }
    throw .notPossible(job: job.title, action: action, state: job.state.word)
  }

  // MARK: - Changing

  /// Changes a job because of what has happened, which is true even if it cannot be written.
  func settle(_ id: JobID, _ change: (inout Job) -> Void) async {
    guard var job = jobsByID[id] else { return }
    change(&job)
    job.updated = environment.now()
    jobsByID[id] = job
    // The job goes on from what is on disk; after a crash it shows what was written last.
    try? await journal.record(job)
    announce()
  }

  /// Changes a job because people ask for it: it counts when it is written.
  private func change(_ id: JobID, _ change: (inout Job) -> Void) async throws(JobError) {
    guard let old = jobsByID[id] else { throw .unknown(id.text) }
    var job = old
    change(&job)
    job.updated = environment.now()
    jobsByID[id] = job
    do { try await journal.record(job) } catch {
      jobsByID[id] = old
      announce()
      throw error
    }
    announce()
  }

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
    wakeUp.yield()
  }
}

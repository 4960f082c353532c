public import Foundation

extension JobQueue {
  /// Asks for a job, or finds the unfinished one of the same kind and subject.
  ///
  /// A job that has failed at the very same continues, with what it has fetched. One that is being
  /// cancelled is left to end: the new job starts when that one is over.
  ///
  /// - Parameters:
  ///   - kind: What is done; see ``Job/kind``.
  ///   - subject: What it is done to.
  ///   - title: The name for people.
  ///   - parameters: What the runner needs to know.
  /// - Returns: The job, and whether it begins now; if not, it was under way already.
  /// - Throws: ``JobError/journal(file:reason:)``; then there is no job.
  public func submit(
    kind: String, subject: String, title: String, parameters: Data
  ) async throws(JobError) -> (job: Job, isNew: Bool) {
    if claims != nil { try await refresh() }
    if let failed = failedJob(kind, subject, parameters), let job = try await resumed(failed.id) {
      return (job, true)
    }
    let asked = Job(
      id: environment.makeID(), kind: kind, subject: subject, title: title,
      parameters: parameters, created: environment.now(), position: 0)
    let job = try await journal.add(asked)
    if jobsByID[job.id] == nil { try adopt(job) }
    changes += 1
    announce()
    return (try self.job(job.id), job.id == asked.id)
  }

  /// Lets a job that has failed continue; `nil` if another process has taken it off the list, or has begun
  /// it again, a moment ago.
  private func resumed(_ id: JobID) async throws(JobError) -> Job? {
    do throws(JobError) { try await resume(id) } catch {
      switch error {
      case .unknown, .notPossible: return nil
      case .journal, .busyJournal: throw error
      }
    }
    return jobsByID[id].map(asShown)
  }

  /// The last job that failed at this, unless a later one is there.
  private func failedJob(_ kind: String, _ subject: String, _ parameters: Data) -> Job? {
    let last = jobs.filter { $0.kind == kind && $0.subject == subject }
      .max { $0.created < $1.created }
    guard let last, case .failed = last.state, last.parameters == parameters else { return nil }
    return last
  }

  /// Pauses a job; it keeps what it has.
  ///
  /// One that another process works on stops there a moment later.
  public func pause(_ id: JobID) async throws(JobError) {
    let job = try await present(id)
    guard job.intent != .pause || job.state.canPause else { return }
    try require(job.state.canPause || job.state == .paused, job, "paused")
    try await ask(.pause, of: id)
  }

  /// Lets a job continue, also one that has failed, and one that waits for what may have come.
  public func resume(_ id: JobID) async throws(JobError) {
    let job = try await present(id)
    let goesOn = job.intent == .run && !job.state.isFinal
    guard !goesOn || job.state.canResume else { return }
    try require(job.state.canResume || job.intent == .pause, job, "resumed")
    try await ask(.run, of: id)
  }

  /// Ends a job and removes what it has left on disk.
  public func cancel(_ id: JobID) async throws(JobError) {
    let job = try await present(id)
    guard job.state != .cancelled else { return }
    guard job.intent != .cancel else { return try await endCancelling(id) }
    try require(job.state.canCancel, job, "cancelled")
    try await ask(.cancel, of: id)
  }

  /// Retries the failed items of a job.
  public func retryFailedItems(_ id: JobID) async throws(JobError) {
    try await settleFailures(of: id, "tried again") { job in
      job.intent = .run
      job.attempts = 0
      job.state = .waiting(.slot(ahead: 0))
    }
  }

  /// Takes a job that is done in part for done.
  public func acceptAsPartial(_ id: JobID) async throws(JobError) {
    try await settleFailures(of: id, "accepted") { job in
      job.state = .succeeded
      job.progress.isVerified = true
    }
  }

  /// Puts a job at a place in the queue, counted from 0.
  public func move(_ id: JobID, to place: Int) async throws(JobError) {
    _ = try await present(id)
    var order = jobs.map(\.id).filter { $0 != id }
    order.insert(id, at: min(max(place, 0), order.count))
    try await journal.setOrder(order)
    for (index, id) in order.enumerated() { jobsByID[id]?.position = index }
    changes += 1
    announce()
  }

  /// Takes a job that is over off the list; one that has failed, and would continue with what it has left
  /// on disk, leaves nothing there.
  ///
  /// - Throws: ``JobError/unknown(_:)``, ``JobError/notPossible(job:action:state:)`` where it is not over,
  ///   or what it has left cannot be removed, ``JobError/journal(file:reason:)``; it stays on the list then.
  public func forget(_ id: JobID) async throws(JobError) {
    let job = try await present(id)
    guard job.state.isFinal, let claim = try claim(id) else {
      throw .notPossible(job: job.title, action: "taken off the list", state: job.state.word)
    }
    defer { withExtendedLifetime(claim) {} }
    let now = try await claimed(id)
    try require(now.state.isFinal, now, "taken off the list")
    if case .failed = now.state {
      do throws(JobError) { try await giveUp(now) } catch {
        // The job may have been requested again meanwhile, and begins now.
        announce()
        throw error
      }
    }
    try await journal.forget(id)
    drop(id)
    announce()
  }

  /// Removes what a failed job has left on disk.
  private func giveUp(_ job: Job) async throws(JobError) {
    // Keeps the job from beginning meanwhile, though it may be requested again.
    let isFirst = active.insert(job.id).inserted
    defer { if isFirst { active.remove(job.id) } }
    do throws(JobFailure) { try await runner.discard(job) } catch {
      await log(error.message, .error, to: job.id)
      throw .notPossible(
        job: job.title, action: "taken off the list", state: job.state.word)
    }
    // Begun again, it would continue with what servers were just told is not needed.
    try await settle(job.id) { $0.checkpoint = nil }
    try await answerOthers(job.id)
    let now = try self.job(job.id)
    try require(now.state.isFinal, now, "taken off the list")
  }

  /// Does what other processes have asked of a job while this one had claimed it.
  private func answerOthers(_ id: JobID) async throws(JobError) {
    guard claims != nil, try await journal.requests().contains(where: { $0.job == id }),
      let job = try await journal.answerRequests(of: id, at: environment.now())
    else { return }
    try adopt(job)
    changes += 1
  }

  /// The log of a job, oldest first.
  public func messages(of id: JobID) async throws(JobError) -> [JobMessage] {
    try await journal.messages(of: id)
  }

  /// Something that jobs wait for may be there: they look again.
  public func conditionsHaveChanged(_ condition: JobCondition) async {
    for (id, job) in jobsByID where job.isConcerned(by: condition, policy) {
      jobsByID[id]?.state = .waiting(.slot(ahead: 0))
    }
    announce()
    if condition == .network || condition == .signIn {
      await outbox?.conditionsHaveChanged(condition)
    }
  }

  /// Delivers what jobs and others have left to be said to servers, as far as they answer within a while;
  /// the rest is said later.
  public func deliverMessages(within limit: Duration) async {
    await outbox?.deliver(within: limit)
  }

  /// The job as it is now, whichever process is running it.
  private func present(_ id: JobID) async throws(JobError) -> Job {
    if claims != nil { try await refresh() }
    return try job(id)
  }

  private func require(
    _ isPossible: Bool, _ job: Job, _ action: String
  ) throws(JobError) {
    guard !isPossible else { return }
    throw .notPossible(job: job.title, action: action, state: job.state.word)
  }

  /// Posts a request to the process that is running a job, and answers it if none is, or this
  /// queue.
  private func ask(_ intent: JobIntent, of id: JobID) async throws(JobError) {
    let request = try await journal.post(intent, to: id)
    try await answer(request)
    announce()
  }

  private func settleFailures(
    of id: JobID, _ action: String, _ change: (inout Job) -> Void
  ) async throws(JobError) {
    let job = try await present(id)
    try require(job.state.canSettleFailures, job, action)
    guard let claim = try claim(id) else {
      throw .notPossible(job: job.title, action: action, state: JobState.running.word)
    }
    defer { withExtendedLifetime(claim) {} }
    let now = try await claimed(id)
    try require(now.state.canSettleFailures, now, action)
    try await settle(id, change)
  }

  /// A job that was just claimed, as it is now: another process may have worked on it until a moment ago,
  /// and what it wrote since the job was looked at must not be undone.
  private func claimed(_ id: JobID) async throws(JobError) -> Job {
    if claims != nil { _ = try await reread(id) }
    return try job(id)
  }
}

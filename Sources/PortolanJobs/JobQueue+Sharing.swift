extension JobQueue {
  /// How often a queue looks for what other processes have done.
  private static let interval = Duration.milliseconds(500)

  // MARK: - Reading the journal

  /// Reads the journal; where no process works on jobs any more, all that are not over wait for their turn.
  public func restore() async throws(JobError) {
    isLookDue = true
    try await refresh()
  }

  /// Shows the jobs of a journal that can only be read, as they were written.
  public func list() async throws(JobError) {
    for job in try await journal.jobs() { jobsByID[job.id] = job }
    announce()
  }

  /// Sees what other processes have done to the jobs, and does what they ask.
  public func refresh() async throws(JobError) {
    // Changes made here while the journal is read are newer than what was read.
    while true {
      let before = changes
      let (jobs, requests) = (try await journal.jobs(), try await journal.requests())
      guard before == changes else { continue }
      try merge(jobs)
      for request in Dictionary(requests.map { ($0.job, $0) }, uniquingKeysWith: { $1 }).values {
        try await answer(request)
      }
      seeWorkers()
      return announce()
    }
  }

  /// Keeps up with other processes until the task is cancelled; ``run()`` does so by itself.
  public func watch() async {
    guard claims != nil else { return }
    var seen: Int?
    while !Task.isCancelled {
      do {
        let revision = try await journal.revision()
        if revision != seen || !elsewhere.isEmpty { try await refresh() }
        seen = revision
      } catch {
        // A journal that cannot be read now is read again in a moment.
        seen = nil
      }
      // Cancelled when the queue stops.
      guard (try? await environment.clock.sleep(for: Self.interval)) != nil else { return }
    }
  }

  private func merge(_ jobs: [Job]) throws(JobError) {
    let ids = Set(jobs.map(\.id))
    for id in jobsByID.keys where !ids.contains(id) && !active.contains(id) { drop(id) }
    elsewhere.formIntersection(ids)
    for job in jobs {
      jobsByID[job.id]?.position = job.position
      guard !active.contains(job.id), recorded[job.id] != job || elsewhere.contains(job.id)
      else { continue }
      try adopt(job)
    }
  }

  /// Takes a job over as the journal has it, once it is known whether another queue works on it.
  ///
  /// If that cannot be found out the job counts as unread, so that the next look asks again.
  func adopt(_ job: Job) throws(JobError) {
    recorded[job.id] = nil
    let isElsewhere = try isWorkedOnElsewhere(job)
    if isElsewhere { elsewhere.insert(job.id) } else { elsewhere.remove(job.id) }
    jobsByID[job.id] = isElsewhere ? job : job.unattended
    recorded[job.id] = job
  }

  private func isWorkedOnElsewhere(_ job: Job) throws(JobError) -> Bool {
    guard let claims, !job.state.isFinal, held[job.id]?.claim == nil else { return false }
    return try claims.isClaimed(job.id)
  }

  // MARK: - Requests

  /// Does what people want of a job, unless another process works on it: that one will.
  func answer(_ request: JobRequest) async throws(JobError) {
    let id = request.job
    var intent = request.intent
    if !active.contains(id) {
      guard let claim = try claim(id) else {
        elsewhere.insert(id)
        if jobsByID[id]?.intent != .cancel { jobsByID[id]?.intent = request.intent }
        return
      }
      defer { withExtendedLifetime(claim) {} }
      let job = try await journal.answerRequests(of: id, at: environment.now())
      if !active.contains(id) { return try await settleAnswer(job, of: id) }
      // The job has begun meanwhile; it follows the result of all requests for it.
      intent = job?.intent ?? intent
    }
    await follow(JobRequest(number: request.number, job: id, intent: intent))
    if jobsByID[id]?.intent != .run { runs[id]?.cancel() }
  }

  /// Ends a job whose process died while it cancelled it, unless another one, or this one, does so.
  func endCancelling(_ id: JobID) async throws(JobError) {
    guard !active.contains(id), let claim = try claim(id) else { return }
    defer { withExtendedLifetime(claim) {} }
    let job = try await journal.answerRequests(of: id, at: environment.now())
    guard !active.contains(id) else { return }
    try await settleAnswer(job, of: id)
    announce()
  }

  /// Shows what became of a job that is not running.
  private func settleAnswer(_ job: Job?, of id: JobID) async throws(JobError) {
    guard let job else { return drop(id) }
    try adopt(job)
    changes += 1
    guard job.state == .cancelling, wakeUps.isEmpty else { return }
    active.insert(id)
    defer {
      active.remove(id)
      changes += 1
    }
    try await discard(job)
  }

  // MARK: - Claims

  /// The claim on a job, which may be held here already; `nil` if another queue has it.
  func claim(_ id: JobID) throws(JobError) -> JobClaim? {
    guard let claims else { return JobClaim {} }
    if let claim = held[id]?.claim { return claim }
    held[id] = nil
    guard let claim = try claims.claim(id) else { return nil }
    held[id] = HeldClaim(claim: claim)
    return claim
  }
}

extension Job {
  /// The job if it is not running, whatever was written last.
  fileprivate var unattended: Job {
    guard !state.isFinal else { return self }
    var job = self
    switch (intent, state) {
    case (.run, .waiting): break
    case (.run, _): job.state = .waiting(.slot(ahead: 0))
    case (.pause, _): job.state = .paused
    case (.cancel, _): job.state = .cancelling
    }
    return job
  }
}

internal import Foundation

extension JobQueue {
  /// Runs jobs until the task is cancelled.
  public func run() async {
    // A stream ends with the task that reads it, so each run has one of its own.
    let (ownWakeUps, wakeUp) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = (wakeUps.keys.max() ?? 0) + 1
    wakeUps[number] = wakeUp
    defer { wakeUps[number] = nil }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watch() }
      wakeUp.yield()
      for await _ in ownWakeUps {
        for (id, claim) in start() { group.addTask { await self.perform(id, claim) } }
        if let pause = nextPause() { group.addTask { await self.wake(after: pause) } }
      }
      group.cancelAll()
    }
  }

  /// Has everything looked at anew that works on the queue.
  func wake() {
    for wakeUp in wakeUps.values { wakeUp.yield() }
  }

  /// Marks as active what may start now, and claims it.
  private func start() -> [(JobID, JobClaim)] {
    let now = environment.now()
    var started: [(JobID, JobClaim)] = []
    for job in jobs where !active.contains(job.id) && !elsewhere.contains(job.id) {
      let isToEnd = job.state == .cancelling
      guard isToEnd || (job.isReady(at: now) && active.count + elsewhere.count < limit)
      else { continue }
      guard let claim = claimToStart(job.id) else { continue }
      if !isToEnd { jobsByID[job.id]?.state = .running }
      active.insert(job.id)
      started.append((job.id, claim))
    }
    return started
  }

  private func claimToStart(_ id: JobID) -> JobClaim? {
    do {
      if let claim = try claim(id) { return claim }
      elsewhere.insert(id)
    } catch {
      let failure = JobFailure(
        message: error.errorDescription ?? "The job cannot be claimed.",
        advice: error.recoverySuggestion, kind: .device)
      jobsByID[id]?.state = .failed(failure)
    }
    return nil
  }

  /// How long until the next job may be tried again, unless somebody wakes the queue then already.
  private func nextPause() -> Duration? {
    let dates = jobsByID.values.compactMap { job -> Date? in
      if case .waiting(.retry(let date, _)) = job.state { date } else { nil }
    }
    let now = environment.now()
    guard let next = dates.filter({ $0 > now }).min(), alarm.map({ $0 <= now || next < $0 }) ?? true
    else { return nil }
    alarm = next
    return .seconds(next.timeIntervalSince(now))
  }

  private func wake(after pause: Duration) async {
    // Cancelled when the queue stops; then nobody needs to be woken.
    try? await environment.clock.sleep(for: pause)
    alarm = nil
    wake()
  }

  private func perform(_ id: JobID, _ claim: JobClaim) async {
    defer { withExtendedLifetime(claim) {} }
    if await isStillDue(id), let job = jobsByID[id] {
      if job.intent != .cancel {
        let result = await work(on: job)
        await settle(id) { self.apply(result, to: &$0) }
      }
      // Outside the work's task, which has been cancelled.
      if let job = jobsByID[id], job.intent == .cancel { await discard(job) }
    }
    active.remove(id)
    changes += 1
    announce()
  }

  /// Whether a job that was just claimed is still to be worked on: another process may have had it
  /// a moment ago.
  private func isStillDue(_ id: JobID) async -> Bool {
    guard claims != nil else { return true }
    do {
      guard let job = try await journal.job(id) else {
        drop(id)
        return false
      }
      recorded[id] = job
      jobsByID[id] = try standing(job)
      let isOver = job.state.isFinal || job.intent == .pause
      return !isOver && !job.isLater(than: environment.now())
    } catch {
      // What the journal or the claims do not tell now is as this queue knows it.
      return true
    }
  }

  private func work(on job: Job) async -> Result<JobOutcome, JobInterruption> {
    await settle(job.id) { $0.state = $0.state == .cancelling ? .cancelling : .running }
    let reporter = JobReporter(
      progress: { await self.receive($0, from: job.id) },
      message: { await self.write($0, $1, to: job.id) })
    let runner = runner
    let run = Task { () -> Result<JobOutcome, JobInterruption> in
      do throws(JobInterruption) {
        return .success(try await runner.run(job, reporter: reporter))
      } catch {
        return .failure(error)
      }
    }
    runs[job.id] = run
    // What people have said since the job was marked as active.
    if jobsByID[job.id]?.intent != .run { run.cancel() }
    let result = await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      run.cancel()
    }
    runs[job.id] = nil
    return result
  }

  private func apply(_ result: Result<JobOutcome, JobInterruption>, to job: inout Job) {
    switch result {
    case .success(let outcome):
      job.failedItems = outcome.failedItems
      job.attempts = 0
      // Whoever wanted it to stop was too late.
      job.intent = .run
      job.state = outcome.isComplete ? .succeeded : .succeededInPart
    case .failure where job.intent == .cancel: job.state = .cancelling
    case .failure where job.intent == .pause: job.state = .paused
    case .failure(.stopped): job.state = .waiting(.slot(ahead: 0))
    case .failure(.waiting(let wait)): job.state = .waiting(wait)
    case .failure(.failed(let failure)):
      job.attempts += 1
      guard failure.kind == .transient, let pause = policy.pause(after: job.attempts) else {
        job.state = .failed(failure)
        return
      }
      let seconds = max(pause / .seconds(1), failure.retryAfter ?? 0)
      let date = environment.now().addingTimeInterval(seconds)
      job.state = .waiting(.retry(at: date, attempt: job.attempts + 1))
    }
  }

  func discard(_ job: Job) async {
    do {
      try await runner.discard(job)
      await settle(job.id) { $0.state = .cancelled }
    } catch {
      await settle(job.id) { job in
        job.intent = .run
        job.state = .failed(error)
      }
    }
  }

  private func receive(_ progress: JobProgress, from id: JobID) async {
    await settle(id) { $0.progress = $0.progress.advanced(to: progress) }
  }

  private func write(_ text: String, _ severity: JobMessage.Severity, to id: JobID) async {
    let message = JobMessage(time: environment.now(), severity: severity, text: text)
    // A log that cannot be written must not stop the job that it is about.
    try? await journal.append(message, to: id)
  }
}

extension Job {
  /// Whether it is to be tried again, but not yet.
  ///
  /// A date before the one at which that was written comes of a clock that was put back; then
  /// nobody can tell, and it is tried.
  fileprivate func isLater(than now: Date) -> Bool {
    guard case .waiting(.retry(let date, _)) = state else { return false }
    return date > now && now >= updated
  }

  /// Whether nothing but a place is missing.
  fileprivate func isReady(at now: Date) -> Bool {
    guard case .waiting(let wait) = state else { return false }
    return switch wait {
    case .slot: true
    case .retry: !isLater(than: now)
    case .network, .signIn, .space: false
    }
  }
}

internal import Foundation

extension JobQueue {
  /// Runs jobs until the task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      wakeUp.yield()
      for await _ in wakeUps {
        for id in start() { group.addTask { await self.perform(id) } }
        if let pause = nextPause() { group.addTask { await self.wake(after: pause) } }
      }
      group.cancelAll()
    }
  }

  /// Marks as active what may start now.
  private func start() -> [JobID] {
    let now = environment.now()
    var started: [JobID] = []
    for job in jobs where !active.contains(job.id) {
      if job.state != .cancelling {
        guard job.state.isReady(at: now), active.count < limit else { continue }
        jobsByID[job.id]?.state = .running
      }
      active.insert(job.id)
      started.append(job.id)
    }
    return started
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
    wakeUp.yield()
  }

  private func perform(_ id: JobID) async {
    if let job = jobsByID[id], job.intent != .cancel {
      let result = await work(on: job)
      if jobsByID[id]?.intent != .cancel { await settle(id) { self.apply(result, to: &$0) } }
    }
    // Outside the work's task, which has been cancelled.
    if let job = jobsByID[id], job.intent == .cancel { await discard(job) }
    active.remove(id)
    announce()
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
      job.state = outcome.failedItems.isEmpty ? .succeeded : .succeededInPart
    case .failure where job.intent == .pause: job.state = .paused
    case .failure(.stopped): job.state = .waiting(.slot(ahead: 0))
    case .failure(.waiting(let wait)): job.state = .waiting(wait)
    case .failure(.failed(let failure)):
      job.attempts += 1
      guard failure.kind == .transient, let pause = policy.pause(after: job.attempts) else {
        job.state = .failed(failure)
        return
      }
      let date = environment.now().addingTimeInterval(pause / .seconds(1))
      job.state = .waiting(.retry(at: date, attempt: job.attempts + 1))
    }
  }

  private func discard(_ job: Job) async {
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

extension JobState {
  /// Whether nothing but a place is missing.
  fileprivate func isReady(at now: Date) -> Bool {
    guard case .waiting(let wait) = self else { return false }
    return switch wait {
    case .slot: true
    case .retry(let date, _): date <= now
    case .network, .signIn, .space: false
    }
  }
}

internal import Foundation

extension JobQueue {
  /// Runs jobs until the task is cancelled.
  public func run() async {
    // A stream ends with the task that reads it, so each run has one of its own.
    let (ownWakeUps, wakeUp) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = (wakeUps.keys.max() ?? 0) + 1
    wakeUps[number] = wakeUp
    defer { wakeUps[number] = nil }
    // Jobs are worked on also where that cannot be said to other processes.
    let attendance = try? claims?.attend()
    defer { withExtendedLifetime(attendance) {} }
    lookAgain()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watch() }
      if let outbox { group.addTask { await outbox.run() } }
      wakeUp.yield()
      for await _ in ownWakeUps {
        for (id, claim) in start() { group.addTask { await self.perform(id, claim) } }
        if let pause = nextPause() { group.addTask { await self.wake(after: pause) } }
      }
      group.cancelAll()
    }
  }

  private func perform(_ id: JobID, _ claim: JobClaim) async {
    defer { withExtendedLifetime(claim) {} }
    do throws(JobError) {
      if try await isStillDue(id) { await carryOut(id) }
    } catch {
      putOff(id, because: error)
    }
    active.remove(id)
    changes += 1
    announce()
    await outbox?.wake()
  }

  /// Whether a job that was just claimed is still to be worked on: another process may have had it
  /// a moment ago.
  private func isStillDue(_ id: JobID) async throws(JobError) -> Bool {
    if claims != nil, try await !reread(id) { return false }
    guard let job = jobsByID[id], !job.state.isFinal, job.intent != .pause,
      !job.isLater(than: environment.now())
    else { return false }
    if job.intent != .cancel { try await settle(id) { $0.state = .running } }
    setbacks[id] = nil
    return true
  }

  /// Does the work of a job that was begun, and what is left to do if it was cancelled.
  private func carryOut(_ id: JobID) async {
    do throws(JobError) {
      if let job = jobsByID[id], job.intent != .cancel {
        await log("Started.", to: id)
        let result = await work(on: job)
        let (now, policy) = (environment.now(), policy)
        await logEnd(of: id, result, at: now)
        // Nothing is written of the job once it shows that it is over: it may be forgotten then.
        try await settle(id) { $0.apply(result, at: now, policy) }
      }
      // Outside the work's task, which has been cancelled.
      if let job = jobsByID[id], job.intent == .cancel { try await discard(job) }
    } catch {
      reportUnrecorded(id, error)
    }
  }

  private func work(on job: Job) async -> Result<JobOutcome, JobInterruption> {
    let reporter = JobReporter(
      progress: { await self.receive($0, from: job.id) },
      message: { await self.log($0, $1, to: job.id) },
      checkpoint: { data throws(JobInterruption) in try await self.keep(data, of: job.id) },
      hostWait: { await self.showHostWait($0, of: job.id) })
    let runner = runner
    let run = Task { () -> Result<JobOutcome, JobInterruption> in
      do throws(JobInterruption) {
        return .success(try await runner.run(job, reporter: reporter))
      } catch {
        return .failure(error)
      }
    }
    runs[job.id] = run
    // The user may have paused or cancelled the job since it was begun.
    if jobsByID[job.id]?.intent != .run { run.cancel() }
    let result = await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      run.cancel()
    }
    runs[job.id] = nil
    hostWaits[job.id] = nil
    return result
  }

  /// Removes what a cancelled job has left.
  func discard(_ job: Job) async throws(JobError) {
    let failure: JobFailure?
    do throws(JobFailure) {
      try await runner.discard(job)
      failure = nil
    } catch {
      failure = error
    }
    await log(failure?.message ?? "Cancelled.", failure == nil ? .info : .error, to: job.id)
    try await settle(job.id) { job in
      if failure == nil { job.checkpoint = nil } else { job.intent = .run }
      job.state = failure.map { .failed($0) } ?? .cancelled
    }
  }

  private func receive(_ progress: JobProgress, from id: JobID) async {
    // A figure that cannot be written is not shown. The work continues: whether the journal can be
    // written counts when the run ends, and is reported then.
    try? await settle(id) { $0.progress = $0.progress.advanced(to: progress) }
  }

  private func showHostWait(_ wait: JobHostWait?, of id: JobID) {
    guard runs[id] != nil, hostWaits[id] != wait else { return }
    hostWaits[id] = wait
    announce()
  }

  private func keep(_ checkpoint: Data?, of id: JobID) async throws(JobInterruption) {
    do throws(JobError) {
      try await settle(id) { $0.checkpoint = checkpoint }
    } catch {
      throw .failed(
        JobFailure(
          message: error.errorDescription ?? "The job cannot be recorded.",
          advice: error.recoverySuggestion, kind: .device))
    }
  }

  private func logEnd(
    of id: JobID, _ result: Result<JobOutcome, JobInterruption>, at now: Date
  ) async {
    guard var ended = jobsByID[id] else { return }
    ended.apply(result, at: now, policy)
    if let message = ended.message(after: result, at: now) { await log(message, to: id) }
  }

  func log(_ text: String, _ severity: JobMessage.Severity = .info, to id: JobID) async {
    await log(JobMessage(time: environment.now(), severity: severity, text: text), to: id)
  }

  private func log(_ message: JobMessage, to id: JobID) async {
    let journal = journal
    // A task of its own, so that the message is written also when this one was cancelled. A log
    // that cannot be written must not stop the job.
    await Task { try? await journal.append(message, to: id) }.value
  }
}

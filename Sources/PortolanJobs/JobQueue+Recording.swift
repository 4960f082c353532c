internal import Foundation

extension JobQueue {
  // MARK: - Writing, then showing

  /// Changes a job because of what has happened: in the journal first, then here.
  ///
  /// - Throws: ``JobError/journal(file:reason:)``; then nothing has changed.
  func settle(_ id: JobID, _ change: (inout Job) -> Void) async throws(JobError) {
    await waitToWrite(id)
    defer { endWriting(id) }
    guard var job = jobsByID[id] else { return }
    change(&job)
    job.updated = environment.now()
    try await write(job)
    show(job)
    announce()
  }

  /// Does what people want of a job that is worked on here: all that was asked and not answered yet, in
  /// its order, for a request of another process may have come before this one.
  ///
  /// One whose run has just ended, or has not begun, follows at once: no run is there to stop.
  /// A request that cannot be answered in the journal stays there, so that nothing is lost.
  func follow(_ request: JobRequest) async {
    let id = request.job
    await waitToWrite(id)
    defer { endWriting(id) }
    guard answered[id, default: 0] < request.number else { return }
    let posted = await unanswered(id)
    guard var job = jobsByID[id] else { return }
    var due = posted ?? []
    // One that was answered in the journal while its job began here.
    if !due.contains(where: { $0.number == request.number }) { due.insert(request, at: 0) }
    let isWorkedOn = job.state == .running || job.state == .cancelling
    for request in due {
      job.follow(request.intent, at: environment.now(), isWorkedOn: isWorkedOn)
    }
    do throws(JobError) {
      // If the posted requests cannot be read, there may be others, which would be dropped with
      // this one.
      if posted != nil, let last = due.last {
        try await write(job, answering: last.number)
        answered[id] = last.number
      }
    } catch {
      // The requests are in the journal already, and are answered again when that can be written.
    }
    show(job)
    announce()
  }

  /// The unanswered requests for a job, oldest first; `nil` if they cannot be read.
  ///
  /// Also when the task was cancelled, as what has happened is written then.
  private func unanswered(_ id: JobID) async -> [JobRequest]? {
    let (journal, number) = (journal, answered[id, default: 0])
    // As said above.
    let requests = await Task { try? await journal.requests() }.value
    return requests?.filter { $0.job == id && $0.number > number }
  }

  /// Reads a job again that was just claimed; `false` if it is gone.
  func reread(_ id: JobID) async throws(JobError) -> Bool {
    await waitToWrite(id)
    defer { endWriting(id) }
    guard let job = try await journal.job(id) else {
      drop(id)
      return false
    }
    try adopt(job)
    // The condition that the job was waiting for when that was written is checked again.
    if case .waiting = job.state, !job.isLater(than: environment.now()) {
      jobsByID[id]?.state = .waiting(.slot(ahead: 0))
    }
    return true
  }

  /// Writes a job, with the requests that it answers.
  ///
  /// What has happened is written although the task that reports it was cancelled, as it is when a
  /// job is paused or the queue stops.
  private func write(_ job: Job, answering number: Int = 0) async throws(JobError) {
    let (journal, number) = (journal, max(number, answered[job.id, default: 0]))
    let result = await Task { () -> Result<Void, JobError> in
      do throws(JobError) {
        try await journal.record(job, answering: number)
        return .success(())
      } catch {
        return .failure(error)
      }
    }.value
    try result.get()
  }

  /// Waits until no other change of a job is being written, so that none undoes another.
  private func waitToWrite(_ id: JobID) async {
    guard writers[id] != nil else {
      writers[id] = []
      return
    }
    await withCheckedContinuation { writers[id]?.append($0) }
  }

  private func endWriting(_ id: JobID) {
    guard writers[id]?.isEmpty == false else {
      writers[id] = nil
      return
    }
    writers[id]?.removeFirst().resume()
  }

  /// Shows a job as it is in the journal; its place in the queue may have changed meanwhile.
  private func show(_ job: Job) {
    var job = job
    guard let position = jobsByID[job.id]?.position else { return }
    job.position = position
    jobsByID[job.id] = job
    recorded[job.id] = job
    if !active.contains(job.id) { changes += 1 }
  }

  /// Takes a job off the list.
  func drop(_ id: JobID) {
    jobsByID[id] = nil
    recorded[id] = nil
    elsewhere.remove(id)
    answered[id] = nil
    setbacks[id] = nil
    changes += 1
  }

  // MARK: - What cannot be written or begun

  /// Shows that the state of a job could not be written.
  ///
  /// After a restart it continues from what was written last, which loses nothing.
  func reportUnrecorded(_ id: JobID, _ error: JobError) {
    jobsByID[id]?.intent = .run
    jobsByID[id]?.state = .failed(
      JobFailure(
        message: "The state of the job could not be recorded. \(error.message)",
        advice: "What was downloaded is kept. Free some space, or make the folder writable, "
          + "then resume the job.", kind: .device))
    announce()
  }

  /// Puts off a job that could not be begun; nothing has happened, so it is tried again, and shows as
  /// failed after as many times as the policy allows.
  func putOff(_ id: JobID, because error: JobError) {
    setbacks[id, default: 0] += 1
    guard let count = setbacks[id], let pause = policy.pause(after: count) else {
      setbacks[id] = nil
      jobsByID[id]?.state = .failed(
        JobFailure(
          message: "The job cannot be started. \(error.message)", advice: error.recoverySuggestion,
          kind: .device))
      return announce()
    }
    let now = environment.now()
    jobsByID[id]?.updated = now
    jobsByID[id]?.state = .waiting(
      .retry(at: now.addingTimeInterval(pause / .seconds(1)), attempt: count + 1))
    announce()
  }
}

extension JobError {
  /// What happened, as a sentence.
  fileprivate var message: String { errorDescription ?? "" }
}

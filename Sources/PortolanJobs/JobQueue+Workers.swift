extension JobQueue {
  /// Sees which processes work on jobs, this one included.
  ///
  /// Jobs may have been left waiting by one that has died since: where none works on them, what they wait
  /// for is looked for again.
  func seeWorkers() {
    // The workers are only shown; if they cannot be read, none is named.
    workers = (try? claims?.workers()) ?? []
    if workers.isEmpty { lookAgain() }
  }

  /// Has what jobs were waiting for when they were read looked for again, by this queue once it works; does
  /// nothing if that has happened.
  ///
  /// ``run()`` does so by itself.
  public func lookAgain() {
    guard isLookDue else { return }
    isLookDue = false
    for (id, job) in jobsByID where !active.contains(id) && !elsewhere.contains(id) {
      if case .waiting = job.state { jobsByID[id]?.state = .waiting(.slot(ahead: 0)) }
    }
  }

  /// The other process that works on a job, or will once what it waits for is there; `nil` where this one
  /// does, none does, or it may be one of several.
  func worker(of job: Job) -> JobWorker? {
    switch job.state {
    case .waiting, .running, .cancelling: break
    case .paused, .cancelled, .succeeded, .succeededInPart, .failed: return nil
    }
    let isWorking = !wakeUps.isEmpty
    guard elsewhere.contains(job.id) else {
      return isWorking || active.contains(job.id) ? nil : workers.first
    }
    let others = isWorking ? workers.filter { !$0.isThisProcess } : workers
    return others.count == 1 ? others.first : nil
  }
}

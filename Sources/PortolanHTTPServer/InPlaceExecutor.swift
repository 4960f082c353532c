internal import PortolanLocks

/// Runs a task on the thread that asks for it until it waits for something, and then where tasks run.
///
/// Two changes of thread for each request cost several times what it takes to find a tile and to send it.
final class InPlaceExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isInPlace = true
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = state.withLock { state in
      if state.isInPlace { state.jobs.append(job) }
      return state.isInPlace
    }
    if !isTaken { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs what there is to do; what comes later goes elsewhere.
  func run() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isInPlace = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}

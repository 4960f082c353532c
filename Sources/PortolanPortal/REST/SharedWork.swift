internal import PortolanLocks

/// Work that is requested several times at once and done once.
///
/// Callers that ask while the work for a key runs wait for that run. One that is cancelled leaves
/// alone; when the last leaves, the work is cancelled. Nothing is kept when it has ended.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Run {
    let id: Int
    var task: Task<Void, Never>?
    var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
  }

  private struct State {
    var runs: [Key: Run] = [:]
    var nextID = 0

    mutating func makeID() -> Int {
      nextID += 1
      return nextID
    }
  }

  private let state = Locked(State())

  /// Creates it with nothing under way.
  package init() {}

  /// The result of the run for `key`, which `work` begins if there is none.
  ///
  /// - Returns: `nil` if the task that asks was cancelled.
  package func value(
    for key: Key, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let waiter = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        join(continuation, as: waiter, key, work)
        // The handler may have run before there was anything to leave.
        if Task.isCancelled { leave(waiter, key) }
      }
    } onCancel: {
      leave(waiter, key)
    }
  }

  /// The number of tasks that wait for the run for `key`.
  func waiters(for key: Key) -> Int { state.withLock { $0.runs[key]?.waiting.count ?? 0 } }

  private func join(
    _ continuation: CheckedContinuation<Value?, Never>, as waiter: Int, _ key: Key,
    _ work: @escaping @Sendable () async -> Value
  ) {
    let newRun: Int? = state.withLock { state in
      let isNew = state.runs[key] == nil
      let id = isNew ? state.makeID() : 0
      state.runs[key, default: Run(id: id)].waiting[waiter] = continuation
      return isNew ? id : nil
    }
    guard let newRun else { return }
    // It belongs to all who wait, so it is an unstructured task.
    let task = Task { self.finish(newRun, key, await work()) }
    let isAbandoned = state.withLock { state in
      guard state.runs[key]?.id == newRun else { return true }
      state.runs[key]?.task = task
      return false
    }
    if isAbandoned { task.cancel() }
  }

  private func leave(_ waiter: Int, _ key: Key) {
    let (continuation, task) = state.withLock { state in
      let continuation = state.runs[key]?.waiting.removeValue(forKey: waiter)
      guard continuation != nil, let run = state.runs[key], run.waiting.isEmpty else {
        return (continuation, nil as Task<Void, Never>?)
      }
      state.runs[key] = nil
      return (continuation, run.task)
    }
    task?.cancel()
    continuation?.resume(returning: nil)
  }

  private func finish(_ id: Int, _ key: Key, _ value: Value) {
    let waiting = state.withLock { state in
      guard let run = state.runs[key], run.id == id else {
        return [CheckedContinuation<Value?, Never>]()
      }
      state.runs[key] = nil
      return Array(run.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}

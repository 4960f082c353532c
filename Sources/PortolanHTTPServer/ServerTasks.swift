internal import PortolanLocks

/// The work that connections wait for; none is left when the server stops.
final class ServerTasks: Sendable {
  private struct State {
    var isStopping = false
    var nextID = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Locked(State())

  /// Whether the server is being stopped.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts `operation`, unless the server is being stopped.
  ///
  /// - Parameters:
  ///   - executor: What runs it; `nil` for the threads of tasks.
  ///   - prepare: Called first, and only if the operation starts.
  ///   - operation: The work.
  /// - Returns: Whether it starts.
  func start(
    on executor: InPlaceExecutor? = nil, preparing prepare: () -> Void = {},
    _ operation: @escaping @Sendable () async -> Void
  ) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      prepare()
      let id = state.nextID
      state.nextID += 1
      state.tasks[id] = Task.detached(executorPreference: executor) { [weak self] in
        await operation()
        self?.remove(id)
      }
      return true
    }
  }

  /// Cancels everything and waits until it has ended; nothing starts from now on.
  func stop() async {
    let tasks = state.withLock { state in
      state.isStopping = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func remove(_ id: Int) { state.withLock { _ = $0.tasks.removeValue(forKey: id) } }
}

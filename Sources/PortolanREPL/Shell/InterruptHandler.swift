internal import Synchronization

/// Passes Ctrl-C on to whatever is running.
public final class InterruptHandler: Sendable {
  private typealias Target = @Sendable () -> Void

  private struct State {
    var target: Target?
    var isAsked = false
  }

  private let state = Mutex(State())

  /// Creates a handler with nothing to interrupt.
  public init() {}

  /// Asks what is running to stop.
  ///
  /// Returns `false` if nothing is, or if it has been asked before: the process should then end.
  public func interrupt() -> Bool {
    let target = state.withLock { state -> Target? in
      guard !state.isAsked else { return nil }
      state.isAsked = state.target != nil
      return state.target
    }
    target?()
    return target != nil
  }

  /// Runs `body` in a task that ``interrupt()`` cancels.
  @MainActor func run<Result: Sendable>(
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result {
    let task = Task { await body() }
    state.withLock { $0 = State(target: { task.cancel() }) }
    defer { state.withLock { $0 = State() } }
    return await task.value
  }
}

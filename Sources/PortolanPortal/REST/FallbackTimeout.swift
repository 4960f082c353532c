/// The time to wait for a response where something else can be shown instead.
package struct FallbackTimeout: Sendable {
  private let limit: Duration
  private let clock: any Clock<Duration>

  /// Creates a timeout; of two seconds by default.
  package init(limit: Duration = .seconds(2), clock: any Clock<Duration>) {
    self.limit = limit
    self.clock = clock
  }

  /// The result of `work`; where that takes longer, what there is instead, if there is anything.
  ///
  /// - Parameters:
  ///   - work: What is waited for. It continues when something else was taken, so that its result is
  ///     there the next time.
  ///   - instead: What there is instead; `nil` for nothing, and then `work` is waited for.
  /// - Returns: `nil` if the task that asks was cancelled; `work` is cancelled with it.
  package func value<Value: Sendable>(
    of work: @escaping @Sendable () async -> Value, instead: () async -> Value?
  ) async -> Value? {
    let (events, event) = AsyncStream<Value?>.makeStream()
    // It is an unstructured task, since it may outlive its caller.
    let task = Task {
      event.yield(await work())
      event.finish()
    }
    let (clock, limit) = (clock, limit)
    let waiting = Task {
      // A clock fails only when the task is cancelled, and then there is nothing to wait for.
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      event.yield(nil)
    }
    defer { waiting.cancel() }
    for await value in events {
      if let value { return value }
      if let other = await instead() { return other }
    }
    task.cancel()
    return nil
  }
}

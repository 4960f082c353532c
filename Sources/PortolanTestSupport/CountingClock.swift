internal import PortolanLocks

/// A clock that sleeps not at all, and says how long was slept.
public final class CountingClock: Clock, Sendable {
  public typealias Instant = ClockOffset

  private let elapsed = Locked(Swift.Duration.zero)
  private let hasSlept: @Sendable (Swift.Duration) -> Void

  /// Creates a clock; `hasSlept` is called after each pause with the time since then.
  public init(_ hasSlept: @escaping @Sendable (Swift.Duration) -> Void = { _ in }) {
    self.hasSlept = hasSlept
  }

  public var now: Instant { Instant(offset: elapsed.withLock { $0 }) }

  public var minimumResolution: Swift.Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    // Several may sleep at a time: who wakes early does not turn the time back.
    elapsed.withLock { $0 = max($0, deadline.offset) }
    hasSlept(deadline.offset)
  }
}

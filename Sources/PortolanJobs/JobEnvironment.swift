public import Foundation

/// The environment of a queue: time and ids.
public struct JobEnvironment: Sendable {
  /// Waits for time to pass.
  public let clock: any Clock<Duration>
  /// Returns the date.
  public let now: @Sendable () -> Date
  /// Makes names for new jobs.
  public let makeID: @Sendable () -> JobID

  /// Creates an environment.
  public init(
    clock: any Clock<Duration>, now: @escaping @Sendable () -> Date,
    makeID: @escaping @Sendable () -> JobID
  ) {
    self.clock = clock
    self.now = now
    self.makeID = makeID
  }
}

public import Foundation

/// The time as the portal knows it, and how it waits.
public struct DemoClock: Sendable {
  /// The present moment.
  public var now: @Sendable () -> Date

  /// Waits; ends early with an error if the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The clock of this machine.
  public static let system = DemoClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}

extension Date {
  /// Milliseconds since 1970, as Esri's services write moments.
  public var epochMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

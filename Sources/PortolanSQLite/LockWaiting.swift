#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits for a lock that another connection or process holds, until a limit is reached or the task
/// is cancelled.
///
/// SQLite calls it on the thread of the connection, which is never one of the cooperative pool.
final class LockWaiting {
  private let interruption: Interruption
  var limit: Duration
  private var start = ContinuousClock.now

  /// In milliseconds; a writer of our kind is done in a few.
  private static let pauses: [UInt32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  init(_ interruption: Interruption, limit: Duration) {
    self.interruption = interruption
    self.limit = limit
  }

  /// Waits a little, unless that is to end.
  ///
  /// - Parameter count: 0 for a lock that is asked for the first time.
  /// - Returns: Whether it has waited.
  func waits(again count: Int) -> Bool {
    if count == 0 { start = .now }
    guard !interruption.isRequested, .now - start < limit else { return false }
    usleep(1_000 * Self.pauses[min(count, Self.pauses.count - 1)])
    return true
  }
}

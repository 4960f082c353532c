/// Determines when the next request may begin.
struct RequestPace<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
  /// The longest time between two requests, in seconds; lower rates count as no requests at all.
  private static var longestInterval: Double { 86_400 }

  private let interval: Duration?
  private var next: Instant?

  init(_ requestsPerSecond: Double?) {
    interval = requestsPerSecond.flatMap {
      $0 > 0 ? .seconds(min(1 / $0, Self.longestInterval)) : nil
    }
  }

  /// Counts a request that begins now.
  ///
  /// - Returns: When it may begin instead, if that is later; then it does not count.
  mutating func begin(at now: Instant) -> Instant? {
    guard let interval else { return nil }
    guard let turn = next else {
      next = now.advanced(by: interval)
      return nil
    }
    guard turn <= now else { return turn }
    // A slightly late wake-up does not lower the rate; a long delay is not made up for.
    next = max(turn.advanced(by: interval), now)
    return nil
  }
}

/// A clock whose sleep is short, so that no time is spent on a service that is done.
struct AcceleratedClock: Clock {
  typealias Instant = ContinuousClock.Instant

  /// How much shorter a sleep is than what was requested.
  private static let haste = 400

  private let clock = ContinuousClock()

  var now: Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let now = clock.now
    try await clock.sleep(until: now + (deadline - now) / Self.haste, tolerance: tolerance)
  }
}

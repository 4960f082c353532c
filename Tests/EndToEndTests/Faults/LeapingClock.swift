import Foundation
import Synchronization

/// A clock that leaps to wherever somebody wants to wait for, so that nobody waits.
final class LeapingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Swift.Duration

    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    /// The error of the date, as after somebody has set it.
    var error = 0.0
    /// The change of the date when somebody waits for seconds.
    var jump: Double?
  }

  private static let start = Date(timeIntervalSince1970: 1_795_000_000)
  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Swift.Duration { .nanoseconds(1) }

  var date: Date {
    state.withLock { Self.start.addingTimeInterval($0.now.offset / .seconds(1) + $0.error) }
  }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      if let jump = state.jump, state.now.duration(to: deadline) >= .seconds(2) {
        state.error += jump
        state.jump = nil
      }
      state.now = max(state.now, deadline)
    }
    await Task.yield()
  }

  /// Sets the date, but not what measures durations, when somebody next waits for some seconds.
  func jump(bySeconds seconds: Double) { state.withLock { $0.jump = seconds } }
}

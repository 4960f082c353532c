public import Foundation

/// Sends requests again that failed for a reason that passes.
///
/// Pauses grow and are spread by chance (``RetryPolicy``); `Retry-After` is honoured. A request
/// whose response has been handed on in part goes out again only if the sink can forget it.
public struct RetryingTransport<C: Clock>: HTTPTransport where C.Duration == Duration {
  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let clock: C
  private let now: @Sendable () -> Date
  private let chance: @Sendable () -> Double

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: What sends.
  ///   - policy: What is sent again.
  ///   - clock: Measures pauses.
  ///   - now: The time of day, for a `Retry-After` that is a date.
  ///   - chance: A number from 0 up to 1, another each time.
  public init(
    _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), clock: C,
    now: @escaping @Sendable () -> Date, chance: @escaping @Sendable () -> Double
  ) {
    self.base = base
    self.policy = policy
    self.clock = clock
    self.now = now
    self.chance = chance
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let start = clock.now
    for attempt in 1... {
      let mayRepeat = attempt < policy.attempts
      let selective = SelectiveSink(sink) { head in
        guard mayRepeat, let asked = askedPause(after: head, to: request) else { return true }
        // A request that would time out during the pause ends with the response that asks for it.
        return timeLeft(for: request, since: start).map { asked >= $0 } ?? false
      }
      var pause: Duration
      do throws(TransportError) {
        let head = try await base.send(try timed(request, since: start), into: selective)
        guard selective.hasPassedBy, let asked = askedPause(after: head, to: request) else {
          return head
        }
        pause = max(asked, policy.pause(after: attempt, chance: chance()))
      } catch {
        guard mayRepeat, policy.allows(request, after: error), selective.canStartAgain() else {
          throw error
        }
        pause = policy.pause(after: attempt, chance: chance())
        guard start.duration(to: clock.now) + pause <= policy.patience else { throw error }
      }
      if let left = timeLeft(for: request, since: start) { pause = max(.zero, min(pause, left)) }
      try await HostWaitObserver.sleep(
        until: clock.now.advanced(by: pause), on: clock, before: request, isRepeated: true,
        now: now)
    }
    throw .cancelled
  }

  /// The request with what is left of its total limit.
  private func timed(
    _ request: HTTPRequest, since start: C.Instant
  ) throws(TransportError) -> HTTPRequest {
    guard let left = timeLeft(for: request, since: start) else { return request }
    guard left > .zero else { throw .timedOut(request.address, phase: .total) }
    var request = request
    request.timeouts.total = left
    return request
  }

  /// How much is left of the total limit of a request; `nil` if it has none.
  private func timeLeft(for request: HTTPRequest, since start: C.Instant) -> Duration? {
    request.timeouts.total.map { $0 - start.duration(to: clock.now) }
  }

  /// How long the server wants to be left alone; `nil` if the response is to be handed on.
  private func askedPause(after head: HTTPResponseHead, to request: HTTPRequest) -> Duration? {
    guard policy.allows(request, afterStatus: head.status) else { return nil }
    let asked = head.retryAfter(now: now()) ?? .zero
    return asked <= policy.longestRetryAfter ? asked : nil
  }
}

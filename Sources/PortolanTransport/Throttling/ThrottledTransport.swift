public import Foundation
internal import PortolanLocks

/// Asks each host no more than it can take.
///
/// How many requests are under way for a host grows while it keeps up and is halved when it
/// pushes back (429, 503, silence). After a `Retry-After` none begins before that time. With a
/// limit to the rate, requests begin evenly spaced.
public struct ThrottledTransport<C: Clock>: HTTPTransport where C.Duration == Duration {
  private let base: any HTTPTransport
  private let clock: C
  private let now: @Sendable () -> Date
  private let hosts: HostThrottles<C>

  /// Wraps `base`; copies share what they know of hosts.
  ///
  /// - Parameters:
  ///   - base: What sends.
  ///   - policy: The limits of each host.
  ///   - clock: Measures pauses.
  ///   - now: The time of day, for a `Retry-After` that is a date.
  public init(
    _ base: any HTTPTransport, policy: ThrottlePolicy = ThrottlePolicy(), clock: C,
    now: @escaping @Sendable () -> Date
  ) {
    self.base = base
    self.clock = clock
    self.now = now
    hosts = HostThrottles(policy: policy, clock: clock)
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let host = hosts.throttle(for: request.url)
    // The requests that occupy the places may be waiting for the host as well.
    let endWait = HostWaitObserver.begin(
      until: host.pauseEnd, on: clock, before: request, now: now)
    guard let ticket = await host.enter() else {
      endWait?()
      throw .cancelled
    }
    let ready: HTTPRequest
    do throws(TransportError) {
      ready = try await start(request, on: host, endWait)
    } catch {
      // The host has not been asked.
      host.leave(ticket, .cancelled)
      throw error
    }
    do {
      let head = try await base.send(ready, into: sink)
      note(head, of: host, ticket)
      return head
    } catch {
      host.leave(ticket, Self.outcome(of: error))
      throw error
    }
  }

  /// Waits until the request may go, and then reports that it no longer waits.
  ///
  /// Its total limit covers the pauses of the host, but not the wait for its turn among other requests.
  ///
  /// - Returns: The request with what is left of that limit.
  /// - Throws: ``TransportError/timedOut(_:phase:)`` at the end of it.
  private func start(
    _ request: HTTPRequest, on host: HostThrottle<C.Instant>, _ endWait: (() -> Void)?
  ) async throws(TransportError) -> HTTPRequest {
    defer { endWait?() }
    var start = host.reserveStart(at: clock.now)
    let end = request.timeouts.total.map { start.advanced(by: $0) }
    while true {
      if let end, clock.now >= end { throw .timedOut(request.address, phase: .total) }
      // A pause may be made longer while it is slept through.
      start = max(start, host.pauseEnd)
      guard start > clock.now else { break }
      try await HostWaitObserver.sleep(
        until: end.map { min($0, start) } ?? start, on: clock, before: request, now: now)
    }
    var request = request
    request.timeouts.total = end.map { clock.now.duration(to: $0) }
    return request
  }

  private func note(
    _ head: HTTPResponseHead, of host: HostThrottle<C.Instant>, _ ticket: ConcurrencyWindow.Ticket
  ) {
    let isTooMuch = [429, 503].contains(head.status)
    if isTooMuch, let pause = head.retryAfter(now: now()) {
      host.pause(until: clock.now.advanced(by: min(pause, hosts.policy.longestPause)))
    }
    host.leave(ticket, isTooMuch ? .pushedBack : .answered)
  }

  private static func outcome(of error: TransportError) -> ConcurrencyWindow.Outcome {
    switch error {
    case .timedOut, .interrupted, .unreachable: .pushedBack
    default: .cancelled
    }
  }
}

/// The throttles of the hosts.
private final class HostThrottles<C: Clock>: Sendable where C.Duration == Duration {
  let policy: ThrottlePolicy
  private let clock: C
  private let hosts = Locked<[String: HostThrottle<C.Instant>]>([:])

  init(policy: ThrottlePolicy, clock: C) {
    self.policy = policy
    self.clock = clock
  }

  func throttle(for url: URL) -> HostThrottle<C.Instant> {
    let host = "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)".lowercased()
    return hosts.withLock { hosts in
      if let known = hosts[host] { return known }
      let new = HostThrottle(policy: policy, now: clock.now)
      hosts[host] = new
      return new
    }
  }
}

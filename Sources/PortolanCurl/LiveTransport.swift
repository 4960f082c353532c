public import Foundation
public import PortolanTransport

/// The transport of the app: libcurl, and what is asked of every request.
///
/// From the outside in: failures that pass are repeated, redirects followed without taking
/// credentials along, requests refused while there is no network, hosts asked no more than they
/// can take.
public struct LiveTransport: HTTPTransport {
  /// How the transport behaves.
  public struct Configuration: Hashable, Sendable {
    /// How servers are reached.
    public var curl: CurlConfiguration
    /// The retry policy.
    public var retries: RetryPolicy
    /// How much a host is asked at a time.
    public var throttle: ThrottlePolicy
    /// How many redirects of a request are followed.
    public var redirectLimit: Int

    /// Creates a configuration.
    public init(
      curl: CurlConfiguration, retries: RetryPolicy = RetryPolicy(),
      throttle: ThrottlePolicy = ThrottlePolicy(), redirectLimit: Int = 10
    ) {
      self.curl = curl
      self.retries = retries
      self.throttle = throttle
      self.redirectLimit = redirectLimit
    }
  }

  private let curl: CurlTransport
  private let whole: any HTTPTransport

  /// Assembles the transport; it connects to nothing before the first request.
  ///
  /// - Parameters:
  ///   - configuration: How it behaves.
  ///   - monitor: Whether there is a network.
  ///   - clock: Measures the pauses before a request is repeated or let through.
  ///   - now: The time of day.
  ///   - chance: A number from 0 up to 1, another each time.
  public init(
    _ configuration: Configuration, monitor: any NetworkMonitor,
    clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date,
    chance: @escaping @Sendable () -> Double
  ) {
    curl = CurlTransport(configuration.curl)
    let throttled = ThrottledTransport(
      curl, policy: configuration.throttle, clock: clock, now: now)
    let gated = OfflineGate(throttled, monitor: monitor)
    let redirecting = RedirectingTransport(gated, limit: configuration.redirectLimit)
    whole = RetryingTransport(
      redirecting, policy: configuration.retries, clock: clock, now: now, chance: chance)
  }

  public func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    try await whole.send(request, into: sink)
  }

  /// Ends all transfers and closes all connections; requests after that are `.cancelled`.
  public func close() async { await curl.close() }
}

/// The limits on requests to a host.
public struct ThrottlePolicy: Hashable, Sendable {
  /// How many requests are under way to begin with.
  public var initialConcurrency: Int

  /// How many are under way at most, however well the host keeps up.
  public var maximumConcurrency: Int

  /// How many begin in a second at most; `nil` for no limit.
  public var requestsPerSecond: Double?

  /// The longest pause that a host may impose on all its requests with `Retry-After`.
  public var longestPause: Duration

  /// Creates a policy: 8 requests at first, up to 64, without a limit to their rate.
  public init(
    initialConcurrency: Int = 8, maximumConcurrency: Int = 64, requestsPerSecond: Double? = nil,
    longestPause: Duration = .seconds(120)
  ) {
    self.initialConcurrency = initialConcurrency
    self.maximumConcurrency = maximumConcurrency
    self.requestsPerSecond = requestsPerSecond
    self.longestPause = longestPause
  }
}

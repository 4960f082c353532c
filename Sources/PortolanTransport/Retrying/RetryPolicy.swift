/// The requests that are worth retrying, how often, and after which pauses.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a request goes out at most, the first time counted.
  public var attempts: Int

  /// The pause after the first attempt; it doubles with each.
  public var firstPause: Duration

  /// The longest pause that the server has not asked for.
  public var longestPause: Duration

  /// The longest pause that a server may ask for with `Retry-After`; a response that asks for more
  /// is handed on as it is.
  public var longestRetryAfter: Duration

  /// No attempt begins later than this after the first.
  ///
  /// Longer than ``HTTPTimeouts/firstByte`` twice over, so that a server that did not answer is
  /// asked again.
  public var patience: Duration

  /// Answers that stand for a state that passes.
  public var statuses: Set<Int>

  /// Creates a policy: four attempts, pauses of about 0.5, 1 and 2 seconds.
  public init(
    attempts: Int = 4, firstPause: Duration = .milliseconds(500),
    longestPause: Duration = .seconds(30), longestRetryAfter: Duration = .seconds(120),
    patience: Duration = .seconds(150), statuses: Set<Int> = [429, 502, 503, 504]
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestRetryAfter = longestRetryAfter
    self.patience = patience
    self.statuses = statuses
  }

  /// Nothing is asked twice.
  public static let never = RetryPolicy(attempts: 1)

  /// The pause after an attempt: doubled each time, up to a limit, then between half and the whole
  /// of that, so that many clients do not come back together.
  ///
  /// - Parameters:
  ///   - attempt: Which attempt failed, from 1.
  ///   - chance: A number from 0 up to 1.
  /// - Returns: How long to wait.
  public func pause(after attempt: Int, chance: Double) -> Duration {
    let doublings = min(max(attempt, 1) - 1, 32)
    let whole = min(firstPause * (1 << doublings), longestPause)
    return whole * (0.5 + 0.5 * min(max(chance, 0), 1))
  }

  /// Whether `request` may go out again after `error`.
  ///
  /// A request that never reached the server may always; `.offline` and unknown names are not
  /// waited for, and a server that sent too slowly would do so again.
  func allows(_ request: HTTPRequest, after error: TransportError) -> Bool {
    switch error {
    case .unreachable, .timedOut(_, phase: .connect): request.repetition != .never
    case .timedOut(_, phase: .pace), .timedOut(_, phase: .total): false
    case .timedOut, .interrupted: request.isRepeatable
    default: false
    }
  }

  /// Whether `request` may go out again after a response with `status`.
  ///
  /// 429 says that nothing was done, so that any request may.
  func allows(_ request: HTTPRequest, afterStatus status: Int) -> Bool {
    guard statuses.contains(status) else { return false }
    return status == 429 ? request.repetition != .never : request.isRepeatable
  }
}

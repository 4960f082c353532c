/// The number and the times of automatic retries of a job that failed temporarily, or waits.
public struct JobRetryPolicy: Hashable, Sendable {
  /// How many failures in a row end the job.
  public var limit: Int
  /// The pause after the first failure; each further one doubles it.
  public var first: Duration
  /// The longest pause.
  public var longest: Duration
  /// How often a job that waits for a network or for free space looks again by itself, for their
  /// return is not always seen; `nil` for never.
  public var recheck: Duration?

  /// Creates a policy.
  public init(limit: Int, first: Duration, longest: Duration, recheck: Duration? = nil) {
    self.limit = limit
    self.first = first
    self.longest = longest
    self.recheck = recheck
  }

  /// Five times, after 2 seconds, then 4, 8 and 16; what waits looks again every five minutes.
  public static let standard = JobRetryPolicy(
    limit: 5, first: .seconds(2), longest: .seconds(300), recheck: .seconds(300))

  /// The pause after a number of failures in a row; `nil` if that were too many.
  public func pause(after failures: Int) -> Duration? {
    guard failures < limit else { return nil }
    let doublings = min(max(failures - 1, 0), 20)
    return min(first * (1 << doublings), longest)
  }
}

/// How often and when a job that failed in a way that passes is tried again by itself.
public struct JobRetryPolicy: Hashable, Sendable {
  /// How many failures in a row end the job.
  public var limit: Int
  /// The pause after the first failure; each further one doubles it.
  public var first: Duration
  /// The longest pause.
  public var longest: Duration

  /// Creates a policy.
  public init(limit: Int, first: Duration, longest: Duration) {
    self.limit = limit
    self.first = first
    self.longest = longest
  }

  /// Five times, after 2 seconds, then 4, 8 and 16.
  public static let standard = JobRetryPolicy(limit: 5, first: .seconds(2), longest: .seconds(300))

  /// The pause after a number of failures in a row; `nil` if that were too many.
  public func pause(after failures: Int) -> Duration? {
    guard failures < limit else { return nil }
    let doublings = min(max(failures - 1, 0), 20)
    return min(first * (1 << doublings), longest)
  }
}

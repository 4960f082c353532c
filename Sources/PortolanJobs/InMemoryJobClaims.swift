internal import Synchronization

/// Claims among the queues of one process.
public final class InMemoryJobClaims: JobClaims {
  private let claimed = Mutex<Set<JobID>>([])

  /// Creates claims, all of them free.
  public init() {}

  public func claim(_ id: JobID) -> JobClaim? {
    guard claimed.withLock({ $0.insert(id).inserted }) else { return nil }
    return JobClaim { [self] in claimed.withLock { _ = $0.remove(id) } }
  }

  public func isClaimed(_ id: JobID) -> Bool { claimed.withLock { $0.contains(id) } }
}

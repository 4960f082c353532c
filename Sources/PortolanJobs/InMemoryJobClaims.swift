internal import Synchronization

/// Claims among the queues of one process.
public final class InMemoryJobClaims: JobClaims {
  private let claimed = Mutex<Set<JobID>>([])
  private let attending = Mutex(0)

  /// Creates claims, all of them free.
  public init() {}

  public func claim(_ id: JobID) -> JobClaim? {
    guard claimed.withLock({ $0.insert(id).inserted }) else { return nil }
    return JobClaim { [self] in claimed.withLock { _ = $0.remove(id) } }
  }

  public func isClaimed(_ id: JobID) -> Bool { claimed.withLock { $0.contains(id) } }

  public func attend() -> JobClaim {
    attending.withLock { $0 += 1 }
    return JobClaim { [self] in attending.withLock { $0 -= 1 } }
  }

  public func workers() -> [JobWorker] {
    guard attending.withLock({ $0 }) > 0 else { return [] }
    return [JobWorker(name: "this program", isThisProcess: true)]
  }
}

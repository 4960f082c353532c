import Synchronization

@testable import PortolanJobs

/// Claims in memory that fail as often as they are told to, as where no file can be opened.
final class FaultyClaims: JobClaims {
  static let error = JobError.journal(file: "jobs.lock", reason: "too many open files")

  private let base = InMemoryJobClaims()
  private let failures = Mutex<(claims: Int, looks: Int)>((0, 0))

  /// Lets the next attempts to claim a job, and to see who has one, fail.
  func fail(claims: Int = 0, looks: Int = 0) { failures.withLock { $0 = (claims, looks) } }

  func claim(_ id: JobID) throws(JobError) -> JobClaim? {
    let fails = failures.withLock { failures in
      failures.claims -= 1
      return failures.claims >= 0
    }
    if fails { throw Self.error }
    return base.claim(id)
  }

  func isClaimed(_ id: JobID) throws(JobError) -> Bool {
    let fails = failures.withLock { failures in
      failures.looks -= 1
      return failures.looks >= 0
    }
    if fails { throw Self.error }
    return base.isClaimed(id)
  }

  func attend() -> JobClaim { base.attend() }

  func workers() -> [JobWorker] { base.workers() }
}

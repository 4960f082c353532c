/// Says which process works on a job, so that only one does.
///
/// The process that works on a job, or changes its record, holds its claim meanwhile. A claim
/// ends with the process that holds it, however that ends.
public protocol JobClaims: Sendable {
  /// Claims a job for as long as the returned claim lives; `nil` while another process has it.
  func claim(_ id: JobID) throws(JobError) -> JobClaim?

  /// Whether the job is claimed, in this process or another.
  func isClaimed(_ id: JobID) throws(JobError) -> Bool
}

/// The right to work on a job, until the value is released.
public final class JobClaim: Sendable {
  private let release: @Sendable () -> Void

  /// Creates a claim, and what gives it back.
  public init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}

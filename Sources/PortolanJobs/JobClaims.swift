/// Says which process works on a job, so that only one does, and which ones work on jobs at all.
///
/// The process that works on a job, or changes its record, holds its claim meanwhile. One that works on
/// the queue claims that, too: a job that waits is nobody's, and yet looked after. A claim ends with the
/// process that holds it, however that ends.
public protocol JobClaims: Sendable {
  /// Claims a job for as long as the returned claim lives; `nil` while another process has it.
  func claim(_ id: JobID) throws(JobError) -> JobClaim?

  /// Whether the job is claimed, in this process or another.
  func isClaimed(_ id: JobID) throws(JobError) -> Bool

  /// Says, for as long as the returned claim lives, that this process works on jobs; any number may.
  func attend() throws(JobError) -> JobClaim

  /// The processes that work on jobs, each once.
  func workers() throws(JobError) -> [JobWorker]
}

/// The right to work on a job, or the word that jobs are worked on, until the value is released.
public final class JobClaim: Sendable {
  private let release: @Sendable () -> Void

  /// Creates a claim, and what gives it back.
  public init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}

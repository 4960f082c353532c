public import PortolanJobs

/// The log of a job.
public struct JobLog: Hashable, Sendable, Codable {
  /// The job.
  public let job: JobID
  /// The messages, oldest first.
  public let messages: [JobMessage]
}

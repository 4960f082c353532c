public import PortolanJobs

/// The log of a job.
public struct JobLog: Hashable, Sendable, Codable {
  /// The job.
  public let job: JobID
  /// What has happened, the earliest first.
  public let messages: [JobMessage]
}

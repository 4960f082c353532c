/// Where a running job tells how far it is.
///
/// Report at most twenty times a second; each report is written to the journal.
public struct JobReporter: Sendable {
  private let tellProgress: @Sendable (JobProgress) async -> Void
  private let tellMessage: @Sendable (String, JobMessage.Severity) async -> Void

  /// Creates a reporter that hands on what it is told.
  public init(
    progress: @escaping @Sendable (JobProgress) async -> Void,
    message: @escaping @Sendable (String, JobMessage.Severity) async -> Void
  ) {
    tellProgress = progress
    tellMessage = message
  }

  /// Tells how far the job is; figures that are smaller than those told before change nothing.
  public func progress(_ progress: JobProgress) async { await tellProgress(progress) }

  /// Writes a sentence into the job's log.
  public func message(_ text: String, _ severity: JobMessage.Severity = .info) async {
    await tellMessage(text, severity)
  }
}

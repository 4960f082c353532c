/// Where a running job tells how far it is.
///
/// Report at most twenty times a second; each report is written to the journal.
public struct JobReporter: Sendable {
  private let send: @Sendable (Report) async -> Void

  /// What is told.
  enum Report: Sendable {
    case progress(JobProgress)
    case message(JobMessage.Severity, String)
  }

  init(_ send: @escaping @Sendable (Report) async -> Void) { self.send = send }

  /// Tells how far the job is; figures that are smaller than those told before change nothing.
  public func progress(_ progress: JobProgress) async { await send(.progress(progress)) }

  /// Writes a sentence into the job's log.
  public func message(_ text: String, _ severity: JobMessage.Severity = .info) async {
    await send(.message(severity, text))
  }
}

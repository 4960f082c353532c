public import Foundation

/// The interface through which a running job reports its progress, and records what it must know
/// after a crash.
///
/// Report at most twenty times a second; each report is written to the journal.
public struct JobReporter: Sendable {
  private let reportProgress: @Sendable (JobProgress) async -> Void
  private let reportMessage: @Sendable (String, JobMessage.Severity) async -> Void
  private let keep: @Sendable (Data?) async throws(JobInterruption) -> Void
  private let reportHostWait: @Sendable (JobHostWait?) async -> Void

  /// Creates a reporter that hands on what it is given.
  public init(
    progress: @escaping @Sendable (JobProgress) async -> Void,
    message: @escaping @Sendable (String, JobMessage.Severity) async -> Void,
    checkpoint: @escaping @Sendable (Data?) async throws(JobInterruption) -> Void,
    hostWait: @escaping @Sendable (JobHostWait?) async -> Void = { _ in }
  ) {
    reportProgress = progress
    reportMessage = message
    keep = checkpoint
    reportHostWait = hostWait
  }

  /// Reports the job's progress; figures that are smaller than those reported before change
  /// nothing.
  public func progress(_ progress: JobProgress) async { await reportProgress(progress) }

  /// Writes a sentence into the job's log.
  public func message(_ text: String, _ severity: JobMessage.Severity = .info) async {
    await reportMessage(text, severity)
  }

  /// Shows which host the job waits for; `nil` once it continues.
  ///
  /// Nothing of it is written.
  public func hostWait(_ wait: JobHostWait?) async { await reportHostWait(wait) }

  /// Keeps what later runs and a cancellation must know, before the step that it protects: for
  /// example the address of a server's job before that is waited for.
  ///
  /// - Parameter data: What the job's kind understands; `nil` for nothing any more.
  /// - Throws: ``JobInterruption/failed(_:)`` if it cannot be written; then do not take the step.
  public func checkpoint(_ data: Data?) async throws(JobInterruption) { try await keep(data) }
}

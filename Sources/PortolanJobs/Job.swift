public import Foundation

/// A piece of work that outlives the process: what it is, its state, and what it could not do.
///
/// A value: what runs, pauses and ends jobs is ``JobQueue``, what keeps them a ``JobJournal``.
public struct Job: Hashable, Sendable, Codable, Identifiable {
  /// Its name.
  public let id: JobID
  /// The kind of work, by which its runner is found, for example `preplanned-area`.
  public let kind: String
  /// The subject; no two unfinished jobs have the same kind and subject, but for those that are
  /// being cancelled.
  public let subject: String
  /// The name for people.
  public var title: String
  /// The parameters of the work, in a format of its runner.
  public var parameters: Data
  /// The checkpoint of its last run, see ``JobReporter/checkpoint(_:)``; of its kind's own format.
  public var checkpoint: Data?
  /// When it was requested.
  public let created: Date
  /// When anything about it changed last.
  public var updated: Date
  /// The user's latest request for the job.
  public var intent: JobIntent
  /// Its state.
  public var state: JobState
  /// How far it is.
  public var progress: JobProgress
  /// The items that failed.
  public var failedItems: [JobFailedItem]
  /// How often in a row it has failed in a way that passes.
  public var attempts: Int
  /// Its position in the queue; smaller is earlier.
  public var position: Int
  /// The host that it waits for while it runs, as far as this process works on it; never in the journal.
  public var hostWait: JobHostWait?
  /// The other process that works on it, or will once what it waits for is there; never in the journal.
  public var worker: JobWorker?

  /// Creates a job that waits for its turn.
  public init(
    id: JobID, kind: String, subject: String, title: String, parameters: Data, created: Date,
    position: Int
  ) {
    self.id = id
    self.kind = kind
    self.subject = subject
    self.title = title
    self.parameters = parameters
    self.created = created
    self.position = position
    updated = created
    intent = .run
    state = .waiting(.slot(ahead: 0))
    progress = JobProgress()
    failedItems = []
    attempts = 0
  }
}

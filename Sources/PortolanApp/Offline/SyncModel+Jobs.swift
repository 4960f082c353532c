public import PortolanJobs
internal import PortolanOffline

extension SyncModel {
  /// The directions in which edits go.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case bidirectional, upload, download

    var task: GeodatabaseSyncTask.Direction {
      switch self {
      case .bidirectional: .bidirectional
      case .upload: .upload
      case .download: .download
      }
    }
  }

  /// The result of a synchronization.
  public struct Outcome: Hashable, Sendable, Codable {
    /// The number of edits that services have received.
    public var sent = 0
    /// The number of edits of attachments among them.
    public var sentAttachments = 0
    /// The number of features and attachments that were added here.
    public var added = 0
    /// The number of features and attachments that were changed here.
    public var updated = 0
    /// The number of features and attachments that were removed here.
    public var removed = 0
    /// The number of attachments among all that was received.
    public var receivedAttachments = 0
    /// The number of edits that wait for a decision.
    public var waiting = 0
    /// The number of features of others that cannot be stored here; they are tried again next time.
    public var withheld = 0
    /// The number of edits that stay here, since the map was taken offline without sending them.
    public var staying = 0
    /// Whether a service had forgotten its copy, so that it was registered again.
    public var isRegisteredAgain = false

    /// Whether nothing is left that could not be exchanged.
    public var isComplete: Bool { waiting == 0 && withheld == 0 && staying == 0 }

    /// Creates the outcome of a job that has done nothing yet.
    public init() {}

    /// The result of a job so far; `nil` for another kind of job, or one that has done nothing yet.
    public init?(of job: Job) {
      guard let result = OfflineMapSyncResult(of: job) else { return nil }
      sent = result.sent
      sentAttachments = result.sentAttachments
      added = result.added
      updated = result.updated
      removed = result.removed
      receivedAttachments = result.receivedAttachments
      waiting = result.waiting
      withheld = result.withheld
      staying = result.staying
      isRegisteredAgain = result.isRegisteredAgain
    }
  }
}

extension Job {
  /// Whether the job synchronizes a stored map, and downloads none.
  public var isSynchronization: Bool { isSync }
}

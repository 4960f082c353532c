public import PortolanJobs
internal import PortolanOffline

extension SyncModel {
  /// In which directions edits go.
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
    /// How many edits services have received.
    public var sent = 0
    /// How many of them are edits of attachments.
    public var sentAttachments = 0
    /// How many features and attachments were added here.
    public var added = 0
    /// How many features and attachments were changed here.
    public var updated = 0
    /// How many features and attachments were removed here.
    public var removed = 0
    /// How many of all that was received are attachments.
    public var receivedAttachments = 0
    /// How many edits wait for a decision.
    public var waiting = 0
    /// How many features of others cannot be stored here; they are tried again next time.
    public var withheld = 0
    /// How many edits stay here, since the map was taken offline without sending them.
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

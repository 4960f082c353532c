public import Foundation
internal import PortolanFeatures

/// Local edits on their way to a service, and which they are.
public struct SyncUpload: Sendable {
  /// An edit that is sent.
  public struct Edit: Hashable, Sendable, Codable {
    /// The table of the feature.
    public var table: String
    /// The layer in the service.
    public var layerID: Int
    /// The feature in the file.
    public var objectID: Int64
    /// The feature everywhere.
    public var globalID: String
    /// What was done.
    public var kind: String
    /// The attachment that it was done to; `nil` for the feature itself.
    public var attachmentID: Int64?
    /// That attachment everywhere.
    public var attachmentGlobalID: String?
  }

  /// What goes into one request that edits are written into.
  public struct Limit: Hashable, Sendable {
    /// How many features, and how many others of which only attachments were edited, together.
    public var features: Int
    /// About how many bytes of them and their attachments.
    public var bytes: Int

    /// What services take without trouble: Esri advises against more than 250 edits at once.
    public static let `default` = Limit(features: 250, bytes: 16 << 20)

    /// Creates a limit.
    public init(features: Int, bytes: Int) {
      self.features = features
      self.bytes = bytes
    }
  }

  /// How many bytes of attachments go at once by default: all of them are in memory.
  public static let defaultAttachmentLimit = 64 << 20

  /// The edits as they are sent.
  public var delta: GeodatabaseDelta
  /// Which they are.
  public var edits: [Edit]
  /// The Julian day up to which edits are among them.
  public var moment: Double
  /// The last row of each table with a history that it was made from, by the table's name.
  public var lastRows: [String: Int64]
  /// Whether there are edits that can be sent only after these have arrived, or did not fit beside them.
  public var hasMore = false

  /// Whether there is nothing to send.
  public var isEmpty: Bool { edits.isEmpty }
}

extension SyncUpload.Edit {
  /// Whether a feature was removed, with its attachments.
  var isDeletionOfFeature: Bool {
    attachmentID == nil && kind == LocalChange.Kind.delete.rawValue
  }
}

/// An upload whose outcome is not known yet; stored in the file.
public struct PendingUpload: Hashable, Sendable, Codable {
  /// Which edits were sent.
  public var edits: [SyncUpload.Edit]
  /// The Julian day up to which edits are among them.
  public var moment: Double
  /// The last row of each table with a history then, by the table's name; `nil` in records without them.
  ///
  /// A later one is no part of the edits, whatever moment the clock of another program has given it.
  public var lastRows: [String: Int64]?
  /// Where the service says what became of it; `nil` until it has answered.
  public var statusURL: String?
  /// When that was; of an upload without an answer, when the service was first asked for it in vain.
  public var submitted: Date?
  /// The file at the service that it makes use of until it has ended; `nil` for none, or until the service
  /// has answered.
  public var uploadID: String?

  /// Creates a record of edits that are about to be sent.
  public init(_ upload: SyncUpload) {
    self.init(edits: upload.edits, moment: upload.moment)
    lastRows = upload.lastRows
  }

  /// Creates a record.
  public init(
    edits: [SyncUpload.Edit], moment: Double, statusURL: String? = nil, submitted: Date? = nil
  ) {
    self.edits = edits
    self.moment = moment
    self.statusURL = statusURL
    self.submitted = submitted
  }
}

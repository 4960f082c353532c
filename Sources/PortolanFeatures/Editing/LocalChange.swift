public import struct Foundation.Date

/// A feature that differs from what was synchronized last.
public struct LocalChange: Hashable, Sendable, Codable {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable, Codable {
    case add
    case update
    case delete
  }

  /// An attachment that differs.
  public struct AttachmentChange: Hashable, Sendable, Codable {
    /// The attachment.
    public var id: Attachment.ID
    /// Its global id, with braces, if it has one.
    public var globalID: String?
    /// The kind of the change.
    public var kind: Kind

    /// Creates a change.
    public init(id: Attachment.ID, globalID: String? = nil, kind: Kind) {
      self.id = id
      self.globalID = globalID
      self.kind = kind
    }
  }

  /// The table of features.
  public var table: String
  /// The feature.
  public var objectID: Int64
  /// The feature's global id, with braces, if its table has them.
  public var globalID: String?
  /// The kind of the feature's change; `nil` where only its attachments differ.
  public var kind: Kind?
  /// The attachments that differ, by id.
  public var attachments: [AttachmentChange]

  /// Creates a change.
  public init(
    table: String, objectID: Int64, globalID: String? = nil, kind: Kind?,
    attachments: [AttachmentChange] = []
  ) {
    self.table = table
    self.objectID = objectID
    self.globalID = globalID
    self.kind = kind
    self.attachments = attachments
  }
}

/// The differences between a store and its last synchronized state.
public struct LocalChanges: Hashable, Sendable {
  /// When the store was synchronized last, in UTC; `nil` if it never was.
  public var lastSync: Date?
  /// The changes, by table in the order of the store, then by object id.
  public var changes: [LocalChange]
  /// The tables that keep no history: of them only edits made with Portolan are known.
  public var tablesWithoutHistory: [String]

  /// Creates a list.
  public init(lastSync: Date? = nil, changes: [LocalChange], tablesWithoutHistory: [String]) {
    self.lastSync = lastSync
    self.changes = changes
    self.tablesWithoutHistory = tablesWithoutHistory
  }
}

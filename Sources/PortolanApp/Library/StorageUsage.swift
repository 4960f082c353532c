public import Foundation

/// The space that the parts of a home take.
public struct StorageUsage: Hashable, Sendable, Codable {
  /// The space that something takes.
  public struct Size: Hashable, Sendable, Codable {
    /// The bytes in the files.
    public var byteCount: Int
    /// The bytes that they take on the disk.
    public var allocatedByteCount: Int

    /// Creates a size.
    public init(byteCount: Int = 0, allocatedByteCount: Int = 0) {
      self.byteCount = byteCount
      self.allocatedByteCount = allocatedByteCount
    }
  }

  /// A stored map, or one in the trash.
  public struct Map: Hashable, Sendable, Codable, Identifiable {
    /// The id.
    public var id: String
    /// The title for people.
    public var title: String
    /// The size.
    public var size: Size
    /// The bytes on the disk that are free once it is gone for good; less than it takes where files
    /// are shared with others.
    public var reclaimableByteCount: Int
    /// The date of deletion; `nil` if it is not in the trash.
    public var deleted: Date?
    /// The number of its unsent edits, of an earlier version of those that only it holds; `nil`
    /// where they cannot be counted.
    public var unsentEdits: Int?
  }

  /// A message to a server that has not been delivered, such as that a replica is not needed.
  public struct Message: Hashable, Sendable, Codable {
    /// The description, a sentence.
    public var purpose: String
    /// The host of the server.
    public var host: String
    /// The date of creation.
    public var created: Date
    /// The reason why delivery has stopped until the user signs in, a sentence; `nil` while it
    /// continues.
    public var givenUp: String?
    /// In how many attempts no server has answered, since one did; `nil` for none.
    public var silences: Int?
  }

  /// The messages to servers that have not been delivered, oldest first.
  public var messages: [Message] = []
  /// The versions before updates, which can be restored, by title.
  public var earlierVersions: [Map] = []
  /// Damaged maps that were set aside, since they may hold edits.
  public var kept = Size()
  /// The maps, by title; those of the trash last.
  public var maps: [Map] = []
  /// Files that downloads have fetched so far.
  public var downloads = Size()
  /// Files copied by imports that are running, or were killed.
  public var imports = Size()
  /// Files that were unpacked or indexed for reading, and can be made again.
  public var temporary = Size()
  /// Everything in the home, shared files counted once.
  public var total = Size()
  /// The bytes that are free on that disk; `nil` if that is unknown.
  public var freeByteCount: Int?

  /// No space at all.
  public init() {}
}

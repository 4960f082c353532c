public import Foundation

/// The record of an upload in progress, by which an interrupted one is resumed.
public struct UploadRecord: Hashable, Sendable, Codable {
  /// The portal.
  public var portal: URL
  /// The uploading user.
  public var owner: String
  /// The file.
  public var file: String
  /// The size of the file, in bytes.
  public var size: Int
  /// The date at which the file was changed last.
  public var modified: Date
  /// The size of a part, in bytes.
  public var partSize: Int
  /// A word in the item's type keywords by which it is found if the answer to adding it is lost.
  public var mark: String
  /// The item, once it is known.
  public var item: String?
  /// Whether the item is made for this upload, and was not there before.
  public var isNew = true
  /// Whether the portal has said that it takes a new file for an item that was there before.
  public var isReplacing = false
  /// The number of parts that are there, from the first.
  public var partCount = 0
  /// Whether the portal was asked to put the parts together.
  public var isCommitted = false

  /// Whether it is about the same bytes, for the same person on the same portal.
  func continues(_ other: UploadRecord) -> Bool {
    isOfSameOwner(as: other) && file == other.file && size == other.size
      && modified == other.modified && partSize == other.partSize
  }

  /// Whether it is for the same person on the same portal.
  func isOfSameOwner(as other: UploadRecord) -> Bool {
    portal == other.portal && owner == other.owner
  }

  /// Forgets the item and what it has got: the upload starts over.
  mutating func restart() {
    item = nil
    isReplacing = false
    partCount = 0
    isCommitted = false
  }
}

extension UploadRecord {
  /// Reads a record, of an older Portolan too, which did not say whether the item is new, nor whether
  /// the portal has begun to replace it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    portal = try values.decode(URL.self, forKey: .portal)
    owner = try values.decode(String.self, forKey: .owner)
    file = try values.decode(String.self, forKey: .file)
    size = try values.decode(Int.self, forKey: .size)
    modified = try values.decode(Date.self, forKey: .modified)
    partSize = try values.decode(Int.self, forKey: .partSize)
    mark = try values.decode(String.self, forKey: .mark)
    item = try values.decodeIfPresent(String.self, forKey: .item)
    isNew = try values.decodeIfPresent(Bool.self, forKey: .isNew) ?? true
    isReplacing = try values.decodeIfPresent(Bool.self, forKey: .isReplacing) ?? false
    partCount = try values.decode(Int.self, forKey: .partCount)
    isCommitted = try values.decode(Bool.self, forKey: .isCommitted)
  }
}

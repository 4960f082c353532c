public import struct Foundation.Data

/// A file that is to be attached to a feature.
public struct NewAttachment: Hashable, Sendable {
  /// The file's name.
  public var name: String
  /// The media type, for example `image/jpeg`.
  public var contentType: String
  /// The contents.
  public var data: Data
  /// The id; `nil` for the next one.
  ///
  /// Writers of whole files keep it, edits do not.
  public var id: Int64?
  /// The global id, with braces; `nil` for a new one.
  ///
  /// Writers of whole files keep it, edits do not.
  public var globalID: String?

  /// Creates an attachment.
  public init(
    name: String, contentType: String, data: Data, id: Int64? = nil, globalID: String? = nil
  ) {
    self.name = name
    self.contentType = contentType
    self.data = data
    self.id = id
    self.globalID = globalID
  }
}

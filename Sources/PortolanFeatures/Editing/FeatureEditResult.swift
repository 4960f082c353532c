/// The row that an edit was carried out on.
public struct FeatureEditResult: Hashable, Sendable, Codable {
  /// The table of features.
  public var table: String
  /// The feature.
  public var objectID: Int64
  /// The feature's global id, with braces, if its table has them.
  public var globalID: String?
  /// The attachment, where the edit concerns one.
  public var attachmentID: Attachment.ID?

  /// Creates a result.
  public init(
    table: String, objectID: Int64, globalID: String? = nil, attachmentID: Attachment.ID? = nil
  ) {
    self.table = table
    self.objectID = objectID
    self.globalID = globalID
    self.attachmentID = attachmentID
  }
}

public import struct Foundation.Data

/// A table with all that is in it; what ``InMemoryFeatureStore`` holds.
public struct FeatureTableContents: Hashable, Sendable {
  /// The schema of the table.
  public var schema: FeatureTableSchema
  /// The features, each with an object id of its own.
  public var features: [Feature]
  /// The files that belong to features.
  public var attachedFiles: [AttachedFile]
  /// The object id of the next feature that is added; `nil` for the one after the last.
  public var nextObjectID: Int64?

  /// A file that belongs to a feature, with its contents.
  public struct AttachedFile: Hashable, Sendable {
    /// The feature.
    public var objectID: Int64
    /// The file's name.
    public var name: String
    /// The media type, for example `image/jpeg`.
    public var contentType: String
    /// The contents.
    public var data: Data

    /// Creates a file.
    public init(objectID: Int64, name: String, contentType: String, data: Data) {
      self.objectID = objectID
      self.name = name
      self.contentType = contentType
      self.data = data
    }
  }

  /// Creates a table.
  public init(
    schema: FeatureTableSchema, features: [Feature] = [], attachedFiles: [AttachedFile] = [],
    nextObjectID: Int64? = nil
  ) {
    self.schema = schema
    self.features = features
    self.attachedFiles = attachedFiles
    self.nextObjectID = nextObjectID
  }
}

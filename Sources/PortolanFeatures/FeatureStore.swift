public import PortolanGeometry

public import struct Foundation.Data

/// Tables of features that can be requested.
///
/// Table and field names are compared without case. Every function throws
/// ``FeatureStoreError/cancelled`` when its task is cancelled, and none runs on the actor of its
/// caller, so that a screen can ask without being held up.
public protocol FeatureStore: Sendable {
  /// The tables, in the order of the store; attachment tables are not among them.
  @concurrent func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema]

  /// The features of a table, read a few at a time as the sequence is followed.
  func features(in table: String, matching query: QueryParameters) -> FeatureSequence

  /// How many features match; order, offset and limit do not count.
  @concurrent func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError)
    -> Int

  /// The box around the shapes that match, or `nil` if there are none.
  @concurrent func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError)
    -> Envelope?

  /// The rows of the other table that belong to a feature.
  @concurrent func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature]

  /// The attachments of a feature, without their contents.
  @concurrent func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError)
    -> [Attachment]

  /// The contents of an attachment.
  @concurrent func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data
}

/// A file that belongs to a feature.
public struct Attachment: Hashable, Sendable, Codable, Identifiable {
  /// The id, unique in the attachments of its table.
  public var id: Int64
  /// The file's name.
  public var name: String
  /// The media type, for example `image/jpeg`.
  public var contentType: String
  /// The size in bytes.
  public var size: Int

  /// Creates an attachment.
  public init(id: Int64, name: String, contentType: String, size: Int) {
    self.id = id
    self.name = name
    self.contentType = contentType
    self.size = size
  }
}

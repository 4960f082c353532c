public import Foundation
public import PortolanFeatures

/// Changes between a replica of a feature service and the service, as a mobile geodatabase carries
/// them in either direction.
///
/// - SeeAlso: Docs/FORMATS.md, 2.9
public struct GeodatabaseDelta: Sendable {
  /// The changes of a layer or table.
  public struct Layer: Sendable {
    /// The id in the service.
    public var layerID: Int
    /// The schema; without relationships and attachments.
    public var schema: FeatureTableSchema
    /// The generation of the service that the changes belong to.
    public var serverGeneration: Int64
    /// Rows that are new.
    public var adds: [Feature]
    /// Rows that are different.
    public var updates: [Feature]
    /// The global ids of rows that were deleted, with braces.
    public var deletes: [String]
    /// Files that are new.
    public var addedFiles: [File]
    /// Files that are different.
    public var updatedFiles: [File]
    /// The global ids of files that were deleted, with braces.
    public var deletedFiles: [String]
    /// Rows that are new or different, of which only a part could be read.
    public var incomplete: [IncompleteRow] = []
    /// The names of fields that rows came with and ``schema`` does not have.
    public var unknownFields: [String] = []

    /// Creates the changes of a layer.
    public init(
      layerID: Int, schema: FeatureTableSchema, serverGeneration: Int64, adds: [Feature] = [],
      updates: [Feature] = [], deletes: [String] = [], addedFiles: [File] = [],
      updatedFiles: [File] = [], deletedFiles: [String] = []
    ) {
      self.layerID = layerID
      self.schema = schema
      self.serverGeneration = serverGeneration
      self.adds = adds
      self.updates = updates
      self.deletes = deletes
      self.addedFiles = addedFiles
      self.updatedFiles = updatedFiles
      self.deletedFiles = deletedFiles
    }
  }

  /// A row whose shape cannot be read.
  public struct IncompleteRow: Hashable, Sendable {
    /// The row without its shape.
    public var feature: Feature
    /// The reason, as the end of a sentence.
    public var reason: String

    /// Describes a row.
    public init(_ feature: Feature, reason: String) {
      self.feature = feature
      self.reason = reason
    }
  }

  /// A file that belongs to a row.
  public struct File: Hashable, Sendable {
    /// The file with its global id.
    public var attachment: NewAttachment
    /// The global id of the row, with braces.
    public var parentGlobalID: String

    /// Creates a file.
    public init(_ attachment: NewAttachment, parentGlobalID: String) {
      self.attachment = attachment
      self.parentGlobalID = parentGlobalID
    }
  }

  /// The result of a change that was uploaded.
  public struct EditResult: Hashable, Sendable {
    /// The object id at the service, if there is one.
    public var objectID: Int64?
    /// The global id, with braces.
    public var globalID: String?
    /// Whether it was carried out.
    public var isSuccess: Bool
    /// The service's number for the reason.
    public var code: Int
    /// The reason, if it was not.
    public var reason: String
    /// The kind of change.
    public var kind: LocalChange.Kind
    /// The layer.
    public var layerID: Int
    /// Whether it was done to an attachment, whose global id that is then.
    public var isAttachment: Bool

    /// Creates a result.
    public init(
      objectID: Int64?, globalID: String?, isSuccess: Bool, code: Int = 0, reason: String = "",
      kind: LocalChange.Kind, layerID: Int, isAttachment: Bool = false
    ) {
      self.objectID = objectID
      self.globalID = globalID
      self.isSuccess = isSuccess
      self.code = code
      self.reason = reason
      self.kind = kind
      self.layerID = layerID
      self.isAttachment = isAttachment
    }
  }

  /// The id of the replica at the service.
  public var replicaID: UUID
  /// The generation where the layers go together; 0 where each has its own.
  public var serverGeneration: Int64
  /// The changes, by layer.
  public var layers: [Layer]
  /// In an answer, what became of the changes that were uploaded.
  public var results: [EditResult]

  /// Creates a set of changes.
  public init(
    replicaID: UUID, serverGeneration: Int64 = 0, layers: [Layer], results: [EditResult] = []
  ) {
    self.replicaID = replicaID
    self.serverGeneration = serverGeneration
    self.layers = layers
    self.results = results
  }
}

/// A table of changed rows in a delta, and what its rows stand for.
struct DeltaRowset: Sendable {
  /// The name that tables of rows end with, in the order of their numbers from 1.
  static let kinds: [LocalChange.Kind] = [.add, .update, .delete]

  /// The number of a kind of change.
  static func number(of kind: LocalChange.Kind) -> Int64 {
    switch kind {
    case .add: 1
    case .update: 2
    case .delete: 3
    }
  }

  /// The dataset, numbered from 1.
  let datasetID: Int64
  let kind: LocalChange.Kind

  /// The name of the table.
  var name: String {
    switch kind {
    case .add: "T_\(datasetID)_inserts"
    case .update: "T_\(datasetID)_updates"
    case .delete: "T_\(datasetID)_deletes"
    }
  }
}

extension FeatureTableSchema {
  /// The schema of attachments in a delta.
  static let deltaAttachments = FeatureTableSchema(
    name: "ATTACH",
    fields: [
      Field("ATTACHMENTID", .objectID, isNullable: false, isEditable: false),
      Field("GLOBALID", .globalID, length: 38, isNullable: false, isEditable: false),
      Field("REL_GLOBALID", .guid, length: 38), Field("CONTENT_TYPE", .string, length: 150),
      Field("ATT_NAME", .string, length: 250), Field("DATA_SIZE", .integer),
      Field("DATA", .blob),
    ], objectIDField: "ATTACHMENTID", globalIDField: "GLOBALID")

  /// The table under another name, on its own.
  func alone(named name: String) -> FeatureTableSchema {
    var schema = self
    schema.name = name
    schema.alias = name
    schema.relationships = []
    schema.hasAttachments = false
    schema.isChangeTracked = false
    schema.serviceLayerID = nil
    schema.extent = nil
    return schema
  }
}

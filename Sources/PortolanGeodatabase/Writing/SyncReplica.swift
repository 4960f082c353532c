public import Foundation
public import PortolanGeometry

/// The registration of a copy of a feature service, which the copy carries along: `GPSyncReplica`.
///
/// - SeeAlso: Docs/FORMATS.md, 2.8
public struct SyncReplica: Hashable, Sendable {
  /// Whether the layers are synchronized together or each for itself.
  public enum SyncModel: String, Hashable, Sendable {
    case perReplica = "esriSyncModelPerReplica"
    case perLayer = "esriSyncModelPerLayer"
  }

  /// In which directions changes go.
  public enum Direction: String, Hashable, Sendable {
    case none = "None"
    case upload = "Upload"
    case download = "Download"
    case bidirectional = "Bidirectional"
  }

  /// The rows of a layer that the replica holds.
  public enum QueryOption: String, Hashable, Sendable {
    case none = "esriRowsTypeNone"
    case useFilter = "esriRowsTypeFilter"
    case all = "esriRowsTypeAll"
  }

  /// A layer or table of the copy.
  public struct Layer: Hashable, Sendable {
    /// The id in the service.
    public var layerID: Int
    /// The generation of the service up to which the layer is complete.
    public var serverGeneration: Int64
    /// Whether ``SyncReplica/geometry`` limits the rows.
    public var usesGeometry: Bool
    /// The condition that limits the rows.
    public var whereClause: String
    /// Whether rows that relate to others come along.
    public var includesRelated: Bool
    /// The rows that the replica holds.
    public var queryOption: QueryOption

    /// Creates a layer.
    public init(
      layerID: Int, serverGeneration: Int64, usesGeometry: Bool = true, whereClause: String = "",
      includesRelated: Bool = true, queryOption: QueryOption = .useFilter
    ) {
      self.layerID = layerID
      self.serverGeneration = serverGeneration
      self.usesGeometry = usesGeometry
      self.whereClause = whereClause
      self.includesRelated = includesRelated
      self.queryOption = queryOption
    }
  }

  /// The name, unique at the service.
  public var name: String
  /// The id that the service gave.
  public var replicaID: UUID
  /// The address of the service, which ends with `FeatureServer`.
  public var serviceURL: String
  /// The user who created the replica.
  public var owner: String
  /// Whether the layers are synchronized together.
  public var syncModel: SyncModel
  /// In which directions changes of rows go.
  public var direction: Direction
  /// In which directions changes of attachments go.
  public var attachmentsDirection: Direction
  /// When the copy was taken.
  public var created: Date
  /// When it was synchronized last; `nil` if never.
  public var lastSync: Date?
  /// Whether attachments were taken along.
  public var returnsAttachments: Bool
  /// The area that limits the rows.
  public var geometry: Polygon?
  /// The spatial reference of ``geometry``.
  public var spatialReference: SpatialReference?
  /// The generation of the service where the layers are synchronized together.
  public var serverGeneration: Int64?
  /// The layers and tables.
  public var layers: [Layer]

  /// Creates a registration.
  public init(
    name: String, replicaID: UUID, serviceURL: String, owner: String,
    syncModel: SyncModel = .perLayer, direction: Direction = .bidirectional,
    attachmentsDirection: Direction = .bidirectional, created: Date, lastSync: Date? = nil,
    returnsAttachments: Bool = false, geometry: Polygon? = nil,
    spatialReference: SpatialReference? = nil, serverGeneration: Int64? = nil,
    layers: [Layer]
  ) {
    self.name = name
    self.replicaID = replicaID
    self.serviceURL = serviceURL
    self.owner = owner
    self.syncModel = syncModel
    self.direction = direction
    self.attachmentsDirection = attachmentsDirection
    self.created = created
    self.lastSync = lastSync
    self.returnsAttachments = returnsAttachments
    self.geometry = geometry
    self.spatialReference = spatialReference
    self.serverGeneration = serverGeneration
    self.layers = layers
  }
}

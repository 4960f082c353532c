internal import PortolanJSON

/// The rows of a layer that go into a geodatabase.
public struct GenerateLayerOption: Hashable, Sendable, Codable {
  /// The limit on the rows.
  public enum QueryOption: String, Hashable, Sendable, Codable {
    /// None but related ones.
    case none
    /// The area and the condition.
    case useFilter
    /// Nothing does.
    case all
  }

  /// The number of the layer in its service.
  public var layerID: Int
  /// A condition in SQL; empty for none.
  public var whereClause: String
  /// Whether the area limits the rows.
  public var usesGeometry: Bool
  /// Whether rows come along that relate to those of other layers.
  public var includesRelated: Bool
  /// The limit on the rows.
  public var queryOption: QueryOption

  /// Creates an option.
  public init(
    layerID: Int, whereClause: String = "", usesGeometry: Bool = true, includesRelated: Bool = true,
    queryOption: QueryOption = .useFilter
  ) {
    self.layerID = layerID
    self.whereClause = whereClause
    self.usesGeometry = usesGeometry
    self.includesRelated = includesRelated
    self.queryOption = queryOption
  }
}

/// The parameters of a request to a feature service for a geodatabase.
public struct GenerateGeodatabaseParameters: Hashable, Sendable, Codable {
  /// The unit of synchronization.
  public enum SyncModel: String, Hashable, Sendable, Codable {
    case perLayer
    case perGeodatabase = "perReplica"
    /// Nothing is: the service keeps nothing of the replica.
    case none
  }

  /// The layers.
  public var layerOptions: [GenerateLayerOption]
  /// The area that limits the rows.
  public var extent: OfflineArea
  /// Whether attachments come along.
  public var returnsAttachments: Bool
  /// In which direction attachments are synchronized.
  public var attachmentSyncDirection: GenerateOfflineMapParameters.AttachmentSyncDirection
  /// The unit of synchronization.
  public var syncModel: SyncModel
  /// The number of the spatial reference of the copy; that of the map unless given.
  public var outSpatialReference: Int?

  /// Creates parameters.
  public init(
    layerOptions: [GenerateLayerOption], extent: OfflineArea, returnsAttachments: Bool,
    attachmentSyncDirection: GenerateOfflineMapParameters.AttachmentSyncDirection,
    syncModel: SyncModel, outSpatialReference: Int? = nil
  ) {
    self.layerOptions = layerOptions
    self.extent = extent
    self.returnsAttachments = returnsAttachments
    self.attachmentSyncDirection = attachmentSyncDirection
    self.syncModel = syncModel
    self.outSpatialReference = outSpatialReference
  }
}

extension GenerateGeodatabaseParameters {
  /// What is asked of a service that may not know replicas of which it keeps nothing: then one of which it is
  /// informed afterwards that it is no longer needed.
  func asked(ofServiceWith capabilities: JSONValue?) -> GenerateGeodatabaseParameters {
    guard isRegistered(byServiceWith: capabilities) else { return self }
    var options = self
    let isPerLayer = capabilities?["supportsPerLayerSync"]?.bool ?? false
    options.syncModel = isPerLayer ? .perLayer : .perGeodatabase
    options.attachmentSyncDirection = returnsAttachments ? .upload : .none
    return options
  }

  /// Whether a service keeps a replica although it is not to be synchronized.
  func isRegistered(byServiceWith capabilities: JSONValue?) -> Bool {
    syncModel == .none && capabilities?["supportsSyncModelNone"]?.bool != true
  }
}

/// Names the service of a layer or table; layers of one feature service share their parameters.
public struct OfflineMapParametersKey: Hashable, Sendable, Codable {
  /// The address of the service as servers compare them.
  public let service: String

  /// The key of the service at an address, with or without the number of a layer.
  public init(service address: String) {
    service = ServiceAddress(address).name
  }
}

/// What is asked of each service, where it should differ from the parameters.
///
/// Removing the entry of a service leaves its layers out.
public struct GenerateOfflineMapParameterOverrides: Hashable, Sendable, Codable {
  /// What is asked of feature services.
  public var generateGeodatabaseParameters:
    [OfflineMapParametersKey: GenerateGeodatabaseParameters] = [:]
  /// What is asked of services of tiles that are pictures.
  public var exportTileCacheParameters: [OfflineMapParametersKey: ExportTileCacheParameters] = [:]
  /// What is asked of services of vector tiles.
  public var exportVectorTilesParameters: [OfflineMapParametersKey: ExportVectorTilesParameters] =
    [:]
  /// The ids of layers that stay online.
  public var onlineLayers: [String] = []
  /// The ids of tables that stay online.
  public var onlineTables: [String] = []
  /// The ids or titles of layers and tables that are left out, also where their services have nothing to
  /// leave out; `nil` in jobs of before.
  var leftOutLayers: Set<String>?

  /// Creates overrides that leave everything out.
  public init() {}

  /// Refuses what no service could do, before any of them is asked.
  ///
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported, and for attachments that are
  ///   synchronized otherwise than they are downloaded.
  public func check() throws(OfflineMapError) {
    for options in generateGeodatabaseParameters.values {
      try options.extent.check()
      let (isReturned, direction) = (options.returnsAttachments, options.attachmentSyncDirection)
      let isAllowed = isReturned ? direction != .none : direction != .bidirectional
      guard isAllowed || options.syncModel == .none else {
        throw .attachmentOptions(
          returned: isReturned ? "all" : "none", direction: direction.rawValue)
      }
    }
    for options in exportTileCacheParameters.values { try options.areaOfInterest.check() }
    for options in exportVectorTilesParameters.values { try options.areaOfInterest.check() }
  }
}

/// Which rows of a layer go into a geodatabase.
public struct GenerateLayerOption: Hashable, Sendable, Codable {
  /// What limits the rows.
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
  /// What limits the rows.
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

/// What is asked of a feature service.
public struct GenerateGeodatabaseParameters: Hashable, Sendable, Codable {
  /// What is synchronized as one.
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
  /// What is synchronized as one.
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

/// Which tiles are asked of a service of pictures.
public struct ExportTileCacheParameters: Hashable, Sendable, Codable {
  /// The area whose tiles are exported.
  public var areaOfInterest: OfflineArea
  /// The levels, from the outermost inwards.
  public var levelIDs: [Int]
  /// How good pictures are to be, from 0 to 100; as the service has them unless given.
  public var compressionQuality: Int?

  /// Creates parameters.
  public init(areaOfInterest: OfflineArea, levelIDs: [Int], compressionQuality: Int? = nil) {
    self.areaOfInterest = areaOfInterest
    self.levelIDs = levelIDs
    self.compressionQuality = compressionQuality
  }
}

/// Which tiles are asked of a service of vector tiles.
public struct ExportVectorTilesParameters: Hashable, Sendable, Codable {
  /// The area whose tiles are exported.
  public var areaOfInterest: OfflineArea
  /// The levels, from the outermost inwards.
  public var levelIDs: [Int]

  /// Creates parameters.
  public init(areaOfInterest: OfflineArea, levelIDs: [Int]) {
    self.areaOfInterest = areaOfInterest
    self.levelIDs = levelIDs
  }

  /// The innermost level.
  public var maxLevel: Int? { levelIDs.max() }
}

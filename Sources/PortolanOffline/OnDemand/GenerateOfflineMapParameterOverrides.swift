/// Names the service of a layer or table; layers of one feature service share their parameters.
public struct OfflineMapParametersKey: Hashable, Sendable, Codable {
  /// The address of the service as servers compare them.
  public let service: String

  /// The key of the service at an address, with or without the number of a layer.
  public init(service address: String) {
    service = LayerAddress(address).name
  }
}

/// The parameters for each service, where they differ from those of the map.
///
/// Removing the entry of a service leaves its layers out.
public struct GenerateOfflineMapParameterOverrides: Hashable, Sendable, Codable {
  /// The parameters of requests to feature services.
  public var generateGeodatabaseParameters:
    [OfflineMapParametersKey: GenerateGeodatabaseParameters] = [:]
  /// The parameters of requests to services of image tiles.
  public var exportTileCacheParameters: [OfflineMapParametersKey: ExportTileCacheParameters] = [:]
  /// The parameters of requests to vector tile services.
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

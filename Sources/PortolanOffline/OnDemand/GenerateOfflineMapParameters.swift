public import Foundation

/// The parts of a web map to take offline, and their options; stored with the job.
///
/// The members have the names and the defaults of the ArcGIS Maps SDK.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct GenerateOfflineMapParameters: Hashable, Sendable, Codable {
  /// Of which layers attachments are downloaded.
  public enum ReturnLayerAttachmentOption: String, Hashable, Sendable, Codable, CaseIterable {
    case none, allLayers, readOnlyLayers, editableLayers
  }

  /// In which direction attachments are synchronized.
  public enum AttachmentSyncDirection: String, Hashable, Sendable, Codable, CaseIterable {
    case none, upload, bidirectional
  }

  /// The rows of tables to download.
  public enum DestinationTableRowFilter: String, Hashable, Sendable, Codable, CaseIterable {
    case all, relatedOnly
  }

  /// The treatment of layers that cannot be taken offline.
  public enum OnlineOnlyServicesOption: String, Hashable, Sendable, Codable, CaseIterable {
    /// They are left out.
    case exclude
    /// They stay in the map and need a network.
    case include
    /// The author of the map says which stay.
    case useAuthoredSettings
  }

  /// Whether the offline map can be updated.
  public enum UpdateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Edits go to the services, and what changed there comes in.
    case syncWithFeatureServices
    /// The services keep nothing of the replica.
    case noUpdates
  }

  /// The root of the portal.
  public var portal: URL
  /// The item of the web map.
  public var webMap: String
  /// The id that the offline map is stored under.
  public var mapID: String
  /// The area to take offline.
  public var areaOfInterest: OfflineArea
  /// The smallest scale of tiles, 0 for no limit.
  public var minScale: Double = 0
  /// The largest scale of tiles, 0 for no limit.
  public var maxScale: Double = 0
  /// The metadata of the offline map.
  public var itemInfo: OfflineMapItemInfo
  /// Whether the layers of the basemap are taken; if not, no local one is used either.
  public var includesBasemap = true
  /// The folder of a tile package on this device that stands in for the basemap.
  public var referenceBasemapDirectoryURL: URL?
  /// The name of that tile package; the author of the map may propose one.
  public var referenceBasemapFilename: String?
  /// Whether the conditions that the map puts on its layers hold for what is downloaded.
  public var isDefinitionExpressionFilterEnabled = true
  /// The rows of tables to download.
  public var destinationTableRowFilter = DestinationTableRowFilter.relatedOnly
  /// Whether a service that fails leaves the others alone.
  public var continuesOnErrors = true
  /// Of which layers attachments are downloaded.
  public var returnLayerAttachmentOption = ReturnLayerAttachmentOption.allLayers
  /// In which direction attachments are synchronized.
  public var attachmentSyncDirection = AttachmentSyncDirection.bidirectional
  /// Whether layers that can be edited come without their features, to collect new ones.
  public var returnsSchemaOnlyForEditableLayers = false
  /// The treatment of layers that cannot be taken offline.
  public var onlineOnlyServicesOption = OnlineOnlyServicesOption.exclude
  /// Whether the offline map can be updated.
  public var updateMode = UpdateMode.syncWithFeatureServices

  /// Creates parameters with the defaults of the SDK.
  public init(
    portal: URL, webMap: String, mapID: String, areaOfInterest: OfflineArea,
    itemInfo: OfflineMapItemInfo
  ) {
    self.portal = portal
    self.webMap = webMap
    self.mapID = mapID
    self.areaOfInterest = areaOfInterest
    self.itemInfo = itemInfo
  }

  /// Refuses what no service could do, before any of them is asked.
  ///
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported, for attachment options that
  ///   do not go together, and for scales in the wrong order.
  public func check() throws(OfflineMapError) {
    try areaOfInterest.check()
    let isAllowed =
      switch returnLayerAttachmentOption {
      case .none: attachmentSyncDirection != .bidirectional
      case .allLayers: attachmentSyncDirection != .none
      case .readOnlyLayers, .editableLayers: true
      }
    guard isAllowed else {
      throw .attachmentOptions(
        returned: returnLayerAttachmentOption.rawValue,
        direction: attachmentSyncDirection.rawValue)
    }
    guard minScale >= 0, maxScale >= 0, minScale == 0 || minScale >= maxScale else {
      throw .badScales(minimum: minScale, maximum: maxScale)
    }
  }

  /// Whether a tile package on this device stands in for the basemap.
  var hasReferenceBasemap: Bool {
    referenceBasemapDirectoryURL != nil && referenceBasemapFilename != nil
  }

  /// Opens the tile package that stands in for the basemap, so that nothing is begun with one that is
  /// not there or damaged.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)``, `FileError.absent(file:)`.
  public func checkReferenceBasemap(in environment: OfflineEnvironment) async throws {
    try await namedReferenceBasemap()?.check(environment)
  }

  /// The tile package that stands in for the basemap; `nil` if there is none.
  ///
  /// - Throws: ``OfflineMapError/noReferenceBasemap(file:reason:)`` if it is named and not there.
  func referenceBasemap() throws(OfflineMapError) -> ReferenceBasemap? {
    let reference = try namedReferenceBasemap()
    if let reference, reference.isMissing {
      throw .noReferenceBasemap(file: reference.name, reason: "it is not there")
    }
    return reference
  }

  private func namedReferenceBasemap() throws(OfflineMapError) -> ReferenceBasemap? {
    guard includesBasemap, let referenceBasemapDirectoryURL, let referenceBasemapFilename else {
      return nil
    }
    return try ReferenceBasemap(
      referenceBasemapDirectoryURL.appending(path: referenceBasemapFilename))
  }
}

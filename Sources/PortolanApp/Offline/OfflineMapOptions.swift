public import Foundation
public import PortolanOffline

/// How an area of a map is taken offline; `nil` and `false` leave it to the author of the map.
public struct OfflineMapOptions: Hashable, Sendable {
  /// The name of the offline map.
  public var title: String?
  /// The smallest scale of tiles.
  public var minScale: Double?
  /// The largest scale of tiles.
  public var maxScale: Double?
  /// Whether the basemap is left out.
  public var leavesOutBasemap = false
  /// A tile package on this device that stands in for the basemap.
  public var referenceBasemap: URL?
  /// Whether the services keep nothing of the copy.
  public var hasNoUpdates = false
  /// Whether layers that cannot be taken stay in the map and need a network.
  public var keepsOnlineLayers = false
  /// Of which layers attachments come along.
  public var attachments: GenerateOfflineMapParameters.ReturnLayerAttachmentOption?
  /// In which direction attachments are synchronized.
  public var attachmentSync: GenerateOfflineMapParameters.AttachmentSyncDirection?
  /// Whether layers that can be edited come empty, to collect new features.
  public var schemaOnly = false
  /// Whether tables come with all rows, not only with those that relate to features.
  public var allRows = false
  /// Whether features come that the map hides by a condition.
  public var ignoresFilters = false
  /// Whether a service that fails ends the whole.
  public var stopsOnErrors = false

  /// Creates options that leave everything to the author of the map.
  public init() {}

  /// Changes what the author of the map wants.
  func apply(to parameters: inout GenerateOfflineMapParameters) {
    if let title { parameters.itemInfo.title = title }
    if leavesOutBasemap { parameters.includesBasemap = false }
    if let referenceBasemap {
      parameters.referenceBasemapDirectoryURL = referenceBasemap.deletingLastPathComponent()
      parameters.referenceBasemapFilename = referenceBasemap.lastPathComponent
    }
    if hasNoUpdates { parameters.updateMode = .noUpdates }
    if keepsOnlineLayers { parameters.onlineOnlyServicesOption = .include }
    if let attachments { parameters.returnLayerAttachmentOption = attachments }
    if let attachmentSync {
      parameters.attachmentSyncDirection = attachmentSync
    } else if attachments == GenerateOfflineMapParameters.ReturnLayerAttachmentOption.none {
      // Without attachments there is nothing to bring in.
      parameters.attachmentSyncDirection = .upload
    }
    if schemaOnly { parameters.returnsSchemaOnlyForEditableLayers = true }
    if allRows { parameters.destinationTableRowFilter = .all }
    if ignoresFilters { parameters.isDefinitionExpressionFilterEnabled = false }
    if stopsOnErrors { parameters.continuesOnErrors = false }
  }
}

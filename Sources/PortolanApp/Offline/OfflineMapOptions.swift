public import Foundation
internal import PortolanOffline

/// The options for taking an area of a map offline; `nil` and `false` leave it to the author of the
/// map.
public struct OfflineMapOptions: Hashable, Sendable {
  /// The layers whose attachments are taken; the raw values are Esri's names.
  public enum Attachments: String, Hashable, Sendable, Codable, CaseIterable {
    case none, allLayers, readOnlyLayers, editableLayers
  }

  /// The direction in which attachments are synchronized; the raw values are Esri's names.
  public enum AttachmentSync: String, Hashable, Sendable, Codable, CaseIterable {
    case none, upload, bidirectional
  }

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
  /// The layers whose attachments are downloaded.
  public var attachments: Attachments?
  /// The direction in which attachments are synchronized.
  public var attachmentSync: AttachmentSync?
  /// Whether layers that can be edited come empty, to collect new features.
  public var schemaOnly = false
  /// Whether tables come with all rows, not only with those that relate to features.
  public var allRows = false
  /// Whether features come that the map hides by a condition.
  public var ignoresFilters = false
  /// The ids or titles of layers and tables that are left out.
  public var leftOutLayers: Set<String> = []
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
    if let attachments { parameters.returnLayerAttachmentOption = attachments.parameter }
    if let attachmentSync {
      parameters.attachmentSyncDirection = attachmentSync.parameter
    } else if attachments == Attachments.none {
      // Without attachments there is nothing to receive.
      parameters.attachmentSyncDirection = .upload
    }
    if schemaOnly { parameters.returnsSchemaOnlyForEditableLayers = true }
    if allRows { parameters.destinationTableRowFilter = .all }
    if ignoresFilters { parameters.isDefinitionExpressionFilterEnabled = false }
    if stopsOnErrors { parameters.continuesOnErrors = false }
  }
}

extension OfflineMapOptions.Attachments {
  fileprivate var parameter: GenerateOfflineMapParameters.ReturnLayerAttachmentOption {
    switch self {
    case .none: .none
    case .allLayers: .allLayers
    case .readOnlyLayers: .readOnlyLayers
    case .editableLayers: .editableLayers
    }
  }
}

extension OfflineMapOptions.AttachmentSync {
  fileprivate var parameter: GenerateOfflineMapParameters.AttachmentSyncDirection {
    switch self {
    case .none: .none
    case .upload: .upload
    case .bidirectional: .bidirectional
    }
  }
}

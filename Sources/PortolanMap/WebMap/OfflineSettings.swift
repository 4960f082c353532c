public import PortolanJSON

/// The offline settings of a map's author (`applicationProperties.offline`).
public struct OfflineSettings: Hashable, Sendable {
  /// The features to download from editable layers.
  public enum EditableDownload: String, Hashable, Sendable {
    case featuresAndAttachments, features, none
  }

  /// The direction of synchronization of editable layers.
  public enum EditableSync: String, Hashable, Sendable {
    case syncFeaturesAndAttachments, syncFeaturesUploadAttachments, uploadFeaturesAndAttachments
  }

  /// The settings as they were read, with all their members.
  public let json: JSONObject
  /// The features to download from editable layers.
  public let editableDownload: EditableDownload
  /// The direction of synchronization of editable layers.
  public let editableSync: EditableSync
  /// Whether attachments of layers that are only read are downloaded.
  public let downloadsReadOnlyAttachments: Bool
  /// The name of a file on the device that replaces the basemap, if any.
  public let referenceBasemapName: String?
  /// The ids of layers that stay online.
  public let connectedOnlineLayerIDs: [String]
  /// Whether rows of tables are downloaded that belong to no feature.
  public let includesTableRows: Bool

  /// Reads settings; what is absent is as the specification has it.
  public init(json: JSONObject = [:]) {
    self.json = json
    let editable = json.object("editableLayers")
    editableDownload =
      editable?.text("download").flatMap(EditableDownload.init) ?? .featuresAndAttachments
    editableSync = editable?.text("sync").flatMap(EditableSync.init) ?? .syncFeaturesAndAttachments
    downloadsReadOnlyAttachments =
      json.object("readonlyLayers")?.flag("downloadAttachments") ?? true
    referenceBasemapName =
      json.object("offlinebasemap")?.filledText("referenceBasemapName")
    connectedOnlineLayerIDs =
      json.objects("connectedOnlineLayers").compactMap { $0.filledText("id") }
    let tables = json.object("tables") ?? json.objects("tables").first
    includesTableRows = tables?.flag("includeRows") ?? true
  }
}

internal import PortolanJSON
internal import PortolanMap

extension GenerateOfflineMapParameters {
  /// Takes over what the author of the map wants to be taken offline.
  mutating func takeOver(_ settings: OfflineSettings) {
    let editable = settings.editableDownload == .featuresAndAttachments
    returnLayerAttachmentOption =
      switch (editable, settings.downloadsReadOnlyAttachments) {
      case (true, true): .allLayers
      case (true, false): .editableLayers
      case (false, true): .readOnlyLayers
      case (false, false): .none
      }
    attachmentSyncDirection =
      settings.editableSync == .syncFeaturesAndAttachments ? .bidirectional : .upload
    if returnLayerAttachmentOption == .none { attachmentSyncDirection = .upload }
    returnsSchemaOnlyForEditableLayers =
      settings.editableDownload == .none || settings.editableSync == .uploadFeaturesAndAttachments
    if settings.json["tables"] != nil, settings.includesTableRows {
      destinationTableRowFilter = .all
    }
    if !settings.connectedOnlineLayerIDs.isEmpty { onlineOnlyServicesOption = .useAuthoredSettings }
    referenceBasemapFilename = settings.referenceBasemapName
  }
}

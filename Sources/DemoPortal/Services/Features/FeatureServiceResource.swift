internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Describes a feature service: its root and its layers, with the members of ArcGIS Online's.
struct FeatureServiceResource: Sendable {
  let options: FeatureServiceOptions
  let content: HostedContent
  let itemID: String

  /// The root, `FeatureServer?f=json`.
  var root: JSONValue {
    var members: JSONObject = [
      "currentVersion": options.product.version, "serviceItemId": .string(itemID),
      "serviceDescription": .string(options.summary), "hasVersionedData": false,
      "supportsDisconnectedEditing": false, "hasStaticData": .bool(!options.isEditable),
      "hasSharedDomains": false,
      "maxRecordCount": .integer(Int64(options.maxRecordCount)),
      "supportedQueryFormats": "JSON", "supportsVCSProjection": false,
      "capabilities": .string(options.capabilities), "description": .string(options.summary),
      "copyrightText": .string(DemoContent.credits),
    ]
    addExtent(to: &members)
    addEditing(to: &members)
    if options.supportsSync { addSync(to: &members) }
    members["layers"] = .array(content.layers.map(entry))
    members["tables"] = .array(content.plainTables.map(entry))
    members["relationships"] = .array(FeatureLayerResource.relationships(of: content))
    return .object(members)
  }

  /// All layers and tables in full, `FeatureServer/layers`.
  var layers: JSONValue {
    [
      "layers": .array(content.layers.map { layer($0) }),
      "tables": .array(content.plainTables.map { layer($0) }),
    ]
  }

  /// A layer or table, `FeatureServer/{id}`.
  func layer(_ table: HostedTable) -> JSONValue {
    FeatureLayerResource(options: options, content: content, table: table, itemID: itemID).json
  }

  private func addExtent(to members: inout JSONObject) {
    let reference = content.layers.first?.schema.spatialReference ?? .webMercator
    let extent = content.extent.esriJSON(spatialReference: reference)
    members["spatialReference"] = reference.esriJSON
    members["initialExtent"] = extent
    members["fullExtent"] = extent
    members["allowGeometryUpdates"] = .bool(options.isEditable)
    members["units"] = reference.isWGS84 ? "esriDecimalDegrees" : "esriMeters"
  }

  private func addEditing(to members: inout JSONObject) {
    members["supportsAppend"] = false
    members["syncEnabled"] = .bool(options.supportsSync)
    members["supportsApplyEditsWithGlobalIds"] = .bool(options.isEditable)
    members["supportsReturnDeleteResults"] = true
    members["supportsLayerOverrides"] = false
    members["supportsTilesAndBasicQueriesMode"] = true
    members["advancedEditingCapabilities"] = [
      "supportsSplit": false, "supportsReturnServiceEditsInSourceSR": false,
      "supportsAsyncApplyEdits": false, "supportsReturnEditResults": true,
    ]
    members["editorTrackingInfo"] = [
      "enableEditorTracking": false, "enableOwnershipAccessControl": false,
      "allowOthersToQuery": true, "allowOthersToUpdate": true, "allowOthersToDelete": true,
      "allowAnonymousToQuery": .bool(!options.needsToken),
      "allowAnonymousToUpdate": .bool(!options.needsToken),
      "allowAnonymousToDelete": .bool(!options.needsToken),
    ]
    members["xssPreventionInfo"] = [
      "xssPreventionEnabled": true, "xssPreventionRule": "InputOnly",
      "xssInputRule": "rejectInvalid",
    ]
  }

  private func addSync(to members: inout JSONObject) {
    let capabilities: JSONObject = [
      "supportsAsync": true, "supportsRegisteringExistingData": true,
      "supportsSyncDirectionControl": true, "supportsPerLayerSync": true,
      "supportsPerReplicaSync": true, "supportsSyncModelNone": true,
      "supportsRollbackOnFailure": true, "supportsAttachmentsSyncDirection": true,
      "supportsBiDirectionalSyncForServer": false, "supportedSyncDataOptions": 0,
    ]
    members["syncCapabilities"] = .object(
      capabilities.without(options.product.unknownSyncCapabilities))
    members["extractChangesCapabilities"] = [
      "supportsReturnIdsOnly": true, "supportsReturnExtentOnly": false,
      "supportsReturnAttachments": true, "supportsLayerQueries": true,
      "supportsGeometry": true, "supportsFeatureReturn": true, "supportsReturnFeature": true,
      "supportsReturnDeletedFeatures": true, "supportsServerGens": true,
      "supportsFieldsToCompare": false,
    ]
    members["changeTrackingInfo"] = [
      "lastSyncDate": .integer(content.lastEdit.epochMilliseconds),
      "layerServerGens": .array(
        content.tables.map { table in
          [
            "id": .integer(Int64(table.id)), "minServerGen": 1,
            "serverGen": .integer(content.generation),
          ]
        }),
    ]
  }

  private func entry(_ table: HostedTable) -> JSONValue {
    var members: JSONObject = [
      "id": .integer(Int64(table.id)), "name": .string(table.schema.alias),
      "parentLayerId": -1, "defaultVisibility": true, "subLayerIds": .null, "minScale": 0,
      "maxScale": 0,
    ]
    let type = table.schema.geometryType
    members["type"] = type == nil ? "Table" : "Feature Layer"
    members["geometryType"] = type.map { .string($0.rawValue) }
    return .object(members)
  }
}

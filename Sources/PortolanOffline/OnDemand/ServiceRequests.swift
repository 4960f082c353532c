internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// What `createReplica` is asked for.
///
/// - SeeAlso: Docs/REST.md, 3
struct ReplicaParameters {
  let options: GenerateGeodatabaseParameters
  let name: String
  let isAsynchronous: Bool

  var form: RESTParameters {
    var form: RESTParameters = [
      "replicaName": name, "transportType": "esriTransportTypeUrl", "dataFormat": "sqlite",
      "targetType": "client", "syncModel": options.syncModel.rawValue,
      "syncDirection": "bidirectional",
    ]
    form.set("async", isAsynchronous)
    form.set("returnAttachments", options.returnsAttachments)
    if options.syncModel != .none {
      form["attachmentsSyncDirection"] = options.attachmentSyncDirection.rawValue
    }
    form.set(
      "layers", json: .array(options.layerOptions.map { .integer(Int64($0.layerID)) }))
    form.set("layerQueries", json: .object(layerQueries))
    let area = options.extent
    form.set("geometry", json: area.geometry.esriJSON(spatialReference: area.spatialReference))
    form["geometryType"] = area.geometry.type.rawValue
    form.set("inSR", json: area.spatialReference.esriJSON)
    form.set("replicaSR", options.outSpatialReference)
    return form
  }

  private var layerQueries: JSONObject {
    JSONObject(
      options.layerOptions.map { option in
        var query: JSONObject = [
          "queryOption": .string(option.queryOption.rawValue),
          "useGeometry": .bool(option.usesGeometry),
          "includeRelated": .bool(option.includesRelated),
        ]
        if !option.whereClause.isEmpty { query["where"] = .string(option.whereClause) }
        return JSONObject.Member(name: "\(option.layerID)", value: .object(query))
      })
  }
}

extension GenerateGeodatabaseParameters {
  /// What is asked of a service that may not know replicas of which it keeps nothing: then one of which it is
  /// told afterwards that nobody needs it.
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

/// What `exportTiles` is asked for.
///
/// - SeeAlso: Docs/REST.md, 4
struct TileExportParameters {
  let area: OfflineArea
  let levels: [Int]
  let quality: Int?
  let isVector: Bool
  /// The version of the server; since 10.7 it takes polygons under their own name.
  let version: Double?

  var form: RESTParameters {
    var form: RESTParameters = [
      "exportBy": "levelId", "levels": levels.map(String.init).joined(separator: ","),
      "tilePackage": "true",
    ]
    let shape = area.geometry.esriJSON(spatialReference: area.spatialReference)
    if area.geometry.type == .envelope {
      form.set("exportExtent", json: shape)
    } else if (version ?? 0) >= 10.7 {
      form.set("polygon", json: shape)
      form.set("exportExtent", json: area.extent.esriJSON(spatialReference: area.spatialReference))
    } else {
      form.set("areaOfInterest", json: ["features": [["geometry": shape]]])
    }
    if isVector {
      form["storageFormatType"] = "Compact"
    } else {
      form["storageFormat"] = "esriMapCacheStorageModeCompactV2"
      form["storageFormatType"] = "CompactV2"
      // The SDK writes -1 where pictures stay as they are.
      form.set("compressionQuality", quality.flatMap { $0 < 0 ? nil : min($0, 100) })
    }
    return form
  }
}

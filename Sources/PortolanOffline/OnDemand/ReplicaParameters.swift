internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// The parameters of `createReplica`.
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

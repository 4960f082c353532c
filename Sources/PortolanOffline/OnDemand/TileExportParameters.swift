internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// The parameters of `exportTiles`.
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

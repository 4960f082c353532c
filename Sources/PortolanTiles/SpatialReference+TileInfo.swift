internal import PortolanGeometry
internal import PortolanJSON

extension SpatialReference {
  /// The `spatialReference` member of a `tileInfo` object; a reference without id if absent.
  init(tileInfo json: JSONValue?) {
    self.init(
      wkid: json?["wkid"]?.int, latestWKID: json?["latestWkid"]?.int, wkt: json?["wkt"]?.string)
  }

  /// The reference as a member of a `tileInfo` object.
  var tileInfo: JSONValue {
    var object = JSONObject()
    object["wkid"] = wkid.map { .integer(Int64($0)) }
    object["latestWkid"] = latestWKID.map { .integer(Int64($0)) }
    object["wkt"] = wkt.map { .string($0) }
    return .object(object)
  }
}

internal import PortolanGeometry
internal import PortolanJSON

extension SpatialReference {
  /// Reads a reference as layers write it.
  init?(layerReference json: JSONValue) {
    self.init(
      wkid: json["wkid"]?.int, latestWKID: json["latestWkid"]?.int, wkt: json.name("wkt"),
      verticalWKID: json["vcsWkid"]?.int)
    guard wkid != nil || latestWKID != nil || wkt != nil else { return nil }
  }

  /// The reference as layers write it.
  var layerJSON: JSONValue {
    var members = JSONObject()
    members["wkid"] = wkid.map { .integer(Int64($0)) }
    members["latestWkid"] = latestWKID.map { .integer(Int64($0)) }
    members["vcsWkid"] = verticalWKID.map { .integer(Int64($0)) }
    members["wkt"] = wkid == nil ? wkt.map { .string($0) } : nil
    return .object(members)
  }
}

extension Envelope {
  /// Reads an extent as layers write it; `nil` for the ways in which they write none.
  init?(layerExtent json: JSONValue) {
    guard let xMin = json["xmin"]?.double, let yMin = json["ymin"]?.double,
      let xMax = json["xmax"]?.double, let yMax = json["ymax"]?.double
    else { return nil }
    self.init(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax)
    // Geodatabases write 9.999e+35 to -9.999e+35 for none (Docs/FORMATS.md, 2.2).
    guard !isEmpty, max(abs(xMin), abs(yMin), abs(xMax), abs(yMax)) < 1e35 else { return nil }
  }

  /// The extent as layers write it.
  func layerJSON(in reference: JSONValue?) -> JSONValue {
    var members: JSONObject = [
      "xmin": .number(xMin), "ymin": .number(yMin), "xmax": .number(xMax), "ymax": .number(yMax),
    ]
    members["spatialReference"] = reference
    return .object(members)
  }
}

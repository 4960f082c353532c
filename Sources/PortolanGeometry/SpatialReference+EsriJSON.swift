public import PortolanJSON

extension SpatialReference {
  /// Reads `{"wkid", "latestWkid", "vcsWkid", "wkt", "wkt2"}` or a bare id.
  ///
  /// Returns `nil` where no reference is named: services write `{}` or an id of 0 for tables and
  /// for data without a reference. Ids may be written as text. `wkt2` counts only where
  /// `wkt` is absent.
  public init?(esriJSON value: JSONValue?) {
    guard let value else { return nil }
    if let wkid = Self.id(value) {
      self.init(wkid: wkid)
      return
    }
    let wkid = Self.id(value["wkid"])
    let latest = Self.id(value["latestWkid"])
    let wkt = [value["wkt"], value["wkt2"]].compactMap { $0?.string }.first { !$0.isEmpty }
    guard wkid != nil || latest != nil || wkt != nil else { return nil }
    self.init(
      wkid: wkid, latestWKID: latest, wkt: wkt,
      verticalWKID: Self.id(value["vcsWkid"]) ?? Self.id(value["latestVcsWkid"]))
  }

  /// The reference as services write it; a definition only where there is no id.
  public var esriJSON: JSONValue {
    var object = JSONObject()
    object["wkid"] = (wkid ?? latestWKID).map { .integer(Int64($0)) }
    object["latestWkid"] = latestWKID.map { .integer(Int64($0)) }
    object["vcsWkid"] = verticalWKID.map { .integer(Int64($0)) }
    if object["wkid"] == nil { object["wkt"] = wkt.map { .string($0) } }
    return .object(object)
  }

  private static func id(_ value: JSONValue?) -> Int? {
    let id = value?.int ?? value?.string.flatMap { Int($0) }
    return id.flatMap { $0 > 0 ? $0 : nil }
  }
}

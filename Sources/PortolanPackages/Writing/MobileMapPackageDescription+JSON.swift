package import Foundation
package import PortolanGeometry
package import PortolanJSON

extension MobileMapPackageDescription {
  static let type = "Mobile Map Package"
  static let typeKeywords = ["Mobile Map Package", "Map", "2D", "mmpk", "Mobile"]

  /// The root `.info` of a package with `maps`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 1.2
  func info(maps: [NewMobileMap]) -> JSONValue {
    var info: JSONObject = [
      "name": .string(name), "title": .string(title), "summary": .string(summary),
      "snippet": .string(summary), "description": .string(details),
      "accessinformation": .string(accessInformation), "licenseinfo": .string(licenseInfo),
      "guid": .string(guid.plainText), "version": .string(Self.version),
      "created": created.milliseconds, "modified": modified.milliseconds,
      "type": .string(Self.type), "typeKeywords": JSONValue(texts: Self.typeKeywords),
      "tags": JSONValue(texts: tags), "maps": JSONValue(texts: maps.map(\.name)),
    ]
    info["extent"] = extent?.corners
    info["spatialReference"] = spatialReference.esriName.map { .string($0) }
    info["thumbnail"] = thumbnail.map { .string($0.pngURL) }
    info["expiration"] = expiration?.json
    return .object(info)
  }
}

extension PackageExpiration {
  /// As it is written: a moment in milliseconds, a message and a behaviour.
  ///
  /// The names that ArcGIS uses are not public (Docs/FORMATS.md, 1.2).
  fileprivate var json: JSONValue {
    var object: JSONObject = ["date": date.milliseconds]
    object["message"] = message.map { .string($0) }
    object["type"] = .string(policy.rawValue)
    return .object(object)
  }
}

extension UUID {
  /// 32 hexadecimal digits in lower case, as Runtime writes the ids of packages.
  package var plainText: String { uuidString.lowercased().replacing("-", with: "") }
}

extension Date {
  /// Milliseconds since 1970, as packages hold dates; `null` for one that no number can hold.
  package var milliseconds: JSONValue {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()).map { .integer($0) } ?? .null
  }
}

extension Data {
  /// A picture as a `data:` URL.
  var pngURL: String { "data:image/png;base64," + base64EncodedString() }
}

extension Envelope {
  /// Two corners in degrees, as items write their extent: across the antimeridian the first one is
  /// east of the second.
  package var corners: JSONValue {
    let east = xMax > 180 && width < 360 ? xMax - 360 : xMax
    return [[.number(xMin), .number(yMin)], [.number(east), .number(yMax)]]
  }
}

extension SpatialReference {
  /// The name that Esri's software has for it, for those that maps are commonly in.
  var esriName: String? {
    if isWebMercator { return "WGS_1984_Web_Mercator_Auxiliary_Sphere" }
    return isWGS84 ? "GCS_WGS_1984" : nil
  }
}

extension JSONValue {
  package init(texts: [String]) { self = .array(texts.map { .string($0) }) }
}

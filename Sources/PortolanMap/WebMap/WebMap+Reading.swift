public import Foundation
public import PortolanJSON

extension WebMap {
  /// Reads a document in UTF-8.
  public init(parsing data: Data) throws(WebMapError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: data)
    } catch {
      throw .notJSON(error)
    }
    try self.init(json: value)
  }

  /// Reads a document of version 1 or 2.
  ///
  /// Members that are missing or of the wrong type below the root are passed over and kept.
  public init(json value: JSONValue) throws(WebMapError) {
    guard let object = value.object else {
      throw .notAWebMap(reason: "an object is missing at the root")
    }
    if let reason = Self.reasonAgainst(object) { throw .notAWebMap(reason: reason) }
    if let version = object.text("version"), Self.major(of: version) >= 3 {
      throw .unsupportedVersion(version)
    }
    json = object
  }

  /// The reason why a document is not a web map, if it plainly is something else.
  private static func reasonAgainst(_ object: JSONObject) -> String? {
    if let error = object.object("error") {
      let message = error.text("message") ?? error.text("code") ?? "it does not say which"
      return "it is an error that a server answered with (\(message))"
    }
    if object["viewingMode"] != nil || object["ground"] != nil { return "it is a web scene" }
    if object["mapOptions"] != nil { return "it is a request to print a map" }
    let isKnown = ["operationalLayers", "baseMap", "tables"].contains { object[$0] != nil }
    return isKnown ? nil : "it has neither layers nor a basemap"
  }

  private static func major(of version: String) -> Int {
    // A version that is no number is no reason to refuse a map.
    Int(version.prefix { $0.isASCII && $0.isNumber }.prefix(9)) ?? 0
  }
}

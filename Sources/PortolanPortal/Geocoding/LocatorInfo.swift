public import PortolanGeometry
public import PortolanJSON

/// The metadata of a geocode service.
///
/// Docs/REST.md, 4.
public struct LocatorInfo: Hashable, Sendable {
  /// The description of the service.
  public var serviceDescription: String?
  /// The capabilities: `Geocode`, `ReverseGeocode`, `Suggest`.
  public var capabilities: ServiceCapabilities
  /// The parameter that takes an address in one line.
  public var singleLineField: String
  /// The parameters that take the parts of an address.
  public var addressFields: [String]
  /// The attributes of results.
  public var resultAttributes: [String]
  /// The maximum number of addresses in one request.
  public var maxBatchSize: Int?
  /// The suggested number of addresses in one request.
  public var suggestedBatchSize: Int?
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject

  /// Whether it supports suggestions.
  public var supportsSuggestions: Bool { capabilities.contains("Suggest") }

  /// Whether it finds the address of a place.
  public var supportsReverseGeocoding: Bool { capabilities.contains("ReverseGeocode") }
}

extension LocatorInfo {
  /// Reads the root of a geocode service; `nil` if it is something else.
  public init?(json: JSONValue) {
    guard let json = json.object,
      ["addressFields", "candidateFields", "locatorProperties", "singleLineAddressField"]
        .contains(where: { json[$0] != nil })
    else { return nil }
    let properties = json.object("locatorProperties") ?? [:]
    serviceDescription = json.filledText("serviceDescription")
    capabilities = ServiceCapabilities(
      json.filledText("capabilities") ?? "Geocode,ReverseGeocode")
    singleLineField = json.object("singleLineAddressField")?.filledText("name") ?? "SingleLine"
    addressFields = json.objects("addressFields").compactMap { $0.filledText("name") }
    resultAttributes = json.objects("candidateFields").compactMap { $0.filledText("name") }
    maxBatchSize = properties.int("MaxBatchSize").flatMap { $0 > 0 ? $0 : nil }
    suggestedBatchSize = properties.int("SuggestedBatchSize").flatMap { $0 > 0 ? $0 : nil }
    spatialReference = SpatialReference(esriJSON: json["spatialReference"])
    self.json = json
  }
}

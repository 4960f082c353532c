public import PortolanGeometry
internal import PortolanJSON

/// The parameters of a search for places.
public struct GeocodeParameters: Hashable, Sendable {
  /// The most results.
  public var maxResults: Int
  /// Attributes of results that are wanted; `*` for all.
  public var resultAttributeNames: [String]
  /// Kinds of place, for example `Coffee Shop`.
  public var categories: [String]
  /// The countries to search in, by their codes.
  public var countryCode: String?
  /// Near which place results are preferred, in WGS 84.
  public var preferredSearchLocation: Point?
  /// The box to search in, in WGS 84.
  public var searchArea: Envelope?
  /// The spatial reference of results; the service's own reference if `nil`.
  public var outputSpatialReference: SpatialReference?
  /// Whether results will be kept, which some services charge for.
  public var isForStorage: Bool

  /// Creates parameters.
  public init(
    maxResults: Int = 6, resultAttributeNames: [String] = [], categories: [String] = [],
    countryCode: String? = nil, preferredSearchLocation: Point? = nil,
    searchArea: Envelope? = nil, outputSpatialReference: SpatialReference? = nil,
    isForStorage: Bool = false
  ) {
    self.maxResults = maxResults
    self.resultAttributeNames = resultAttributeNames
    self.categories = categories
    self.countryCode = countryCode
    self.preferredSearchLocation = preferredSearchLocation
    self.searchArea = searchArea
    self.outputSpatialReference = outputSpatialReference
    self.isForStorage = isForStorage
  }
}

extension GeocodeParameters {
  /// The parameters that geocoding and suggesting have in common.
  var area: RESTParameters {
    var request: RESTParameters = [
      "countryCode": countryCode,
      "category": categories.isEmpty ? nil : categories.joined(separator: ","),
    ]
    request.set(
      "location",
      json: preferredSearchLocation.map { Geometry.point($0).esriJSON(spatialReference: .wgs84) })
    request.set("searchExtent", json: searchArea?.esriJSON(spatialReference: .wgs84))
    return request
  }

  /// The parameters of geocoding beside the text.
  var request: RESTParameters {
    var request = area
    request["outFields"] =
      resultAttributeNames.isEmpty ? nil : resultAttributeNames.joined(separator: ",")
    request["outSR"] = outputSpatialReference?.parameter
    request.set("maxLocations", max(1, maxResults))
    if isForStorage { request.set("forStorage", true) }
    return request
  }
}

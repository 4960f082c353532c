public import Foundation
public import PortolanGeometry
internal import PortolanJSON

/// A geocode service, which finds places by their addresses and names.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask.
public struct GeocodeService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/World/GeocodeServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the service.
  public func info() async throws(PortalError) -> LocatorInfo {
    try await client.value(url, orBecause: "it finds no places", reading: LocatorInfo.init(json:))
  }

  /// The suggestions for a text that is being typed.
  ///
  /// - Parameters:
  ///   - text: What has been typed.
  ///   - parameters: Where to look; 5 suggestions come unless more are wanted, 15 at most.
  /// - Returns: The suggestions, the best first.
  /// - Throws: ``PortalError``.
  public func suggest(
    for text: String, _ parameters: GeocodeParameters = GeocodeParameters(maxResults: 5)
  ) async throws(PortalError) -> [SuggestResult] {
    var request = parameters.area
    request["text"] = text
    request.set("maxSuggestions", min(max(1, parameters.maxResults), 15))
    return try await client.value(
      url.appending(path: "suggest"), request, orBecause: "there is no list of suggestions"
    ) { json in
      json["suggestions"]?.array?.compactMap(SuggestResult.init(json:))
    }
  }

  /// Finds places by a text.
  ///
  /// - Parameters:
  ///   - text: An address or a name.
  ///   - parameters: How to search.
  ///   - singleLineField: The parameter that takes the text; see ``LocatorInfo/singleLineField``.
  /// - Returns: The places, the best first; none is an empty list.
  /// - Throws: ``PortalError``.
  public func geocode(
    _ text: String, _ parameters: GeocodeParameters = GeocodeParameters(),
    singleLineField: String = "SingleLine"
  ) async throws(PortalError) -> [GeocodeResult] {
    var request = parameters.request
    request[singleLineField] = text
    return try await results(request)
  }

  /// Finds what a suggestion means.
  ///
  /// - Parameters:
  ///   - suggestion: The suggestion, which goes out as it came, or its key would not hold.
  ///   - parameters: How to search.
  ///   - singleLineField: The parameter that takes the text; see ``LocatorInfo/singleLineField``.
  /// - Returns: The places; many if it is a collection.
  /// - Throws: ``PortalError``.
  public func geocode(
    _ suggestion: SuggestResult, _ parameters: GeocodeParameters = GeocodeParameters(),
    singleLineField: String = "SingleLine"
  ) async throws(PortalError) -> [GeocodeResult] {
    var request = parameters.request
    request[singleLineField] = suggestion.label
    request["magicKey"] = suggestion.magicKey
    return try await results(request)
  }

  private func results(_ request: RESTParameters) async throws(PortalError) -> [GeocodeResult] {
    let places = try await client.value(
      url.appending(path: "findAddressCandidates"), request,
      orBecause: "there is no list of places", reading: Self.results(json:))
    return places.sorted { $0.score > $1.score }
  }

  /// Reads a list of places; `nil` if there is none.
  private static func results(json: JSONValue) -> [GeocodeResult]? {
    let reference = SpatialReference(esriJSON: json["spatialReference"])
    return (json["candidates"] ?? json["locations"])?.array?.compactMap {
      GeocodeResult(json: $0, in: reference)
    }
  }

  /// Finds the address of a place.
  ///
  /// - Parameters:
  ///   - location: The place.
  ///   - spatialReference: The spatial reference of its coordinates.
  ///   - outputSpatialReference: What those of the result are to mean.
  /// - Returns: The address; `nil` if there is none.
  /// - Throws: ``PortalError``.
  public func reverseGeocode(
    _ location: Point, in spatialReference: SpatialReference = .wgs84,
    outputSpatialReference: SpatialReference? = nil
  ) async throws(PortalError) -> GeocodeResult? {
    var request: RESTParameters = ["outSR": outputSpatialReference?.parameter]
    request.set(
      "location", json: Geometry.point(location).esriJSON(spatialReference: spatialReference))
    do {
      return try await client.value(
        url.appending(path: "reverseGeocode"), request, orBecause: "there is no address",
        reading: GeocodeResult.init(reverse:))
    } catch {
      guard error.isMissingAddress else { throw error }
      return nil
    }
  }

  /// Finds places by many addresses at once.
  ///
  /// - Parameters:
  ///   - addresses: The addresses; no more than ``LocatorInfo/maxBatchSize``.
  ///   - parameters: How to search.
  ///   - singleLineField: The parameter that takes an address; see
  ///     ``LocatorInfo/singleLineField``.
  /// - Returns: For each address, in their order, its place; `nil` where there is none. Services
  ///   answer in any order.
  /// - Throws: ``PortalError``.
  public func geocode(
    batch addresses: [String], _ parameters: GeocodeParameters = GeocodeParameters(),
    singleLineField: String = "SingleLine"
  ) async throws(PortalError) -> [GeocodeResult?] {
    let records = addresses.enumerated().map { index, address -> JSONValue in
      ["attributes": ["OBJECTID": .integer(Int64(index)), singleLineField: .string(address)]]
    }
    var request: RESTParameters = ["outSR": parameters.outputSpatialReference?.parameter]
    request["category"] =
      parameters.categories.isEmpty ? nil : parameters.categories.joined(separator: ",")
    request["sourceCountry"] = parameters.countryCode
    request.set("addresses", json: ["records": .array(records)])
    let found = try await client.value(
      url.appending(path: "geocodeAddresses"), request, method: .post,
      orBecause: "there is no list of places", reading: Self.results(json:))
    var places = [GeocodeResult?](repeating: nil, count: addresses.count)
    for place in found where place.location != nil && place.attributes.text("Status") != "U" {
      guard let index = place.attributes.int("ResultID"), places.indices.contains(index) else {
        continue
      }
      places[index] = place
    }
    return places
  }
}

extension PortalError {
  /// Whether this is how services say that there is no address at a place.
  fileprivate var isMissingAddress: Bool {
    guard case .server(_, let envelope) = self, envelope.code == 400 else { return false }
    return ([envelope.message] + envelope.details)
      .contains { $0.lowercased().contains("unable to find address") }
  }
}

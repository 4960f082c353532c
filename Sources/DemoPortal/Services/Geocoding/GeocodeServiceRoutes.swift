internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The addresses of a geocoder over the names of the sample.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct GeocodeServiceRoutes: Sendable {
  let gazetteer: Gazetteer
  /// The path of the service, which ends with `GeocodeServer`.
  let path: String

  /// Adds the addresses.
  func add(to router: inout Router) {
    router.add(path) { _ in .json(GeocodeServiceResource(types: gazetteer.types).json) }
    router.add(path + "/suggest") { .json(try suggest($0.parameters)) }
    router.add(path + "/findAddressCandidates") { .json(try candidates($0.parameters)) }
    router.add(path + "/geocodeAddresses") { .json(try addresses($0.parameters)) }
    router.add(path + "/reverseGeocode") { .json(try reverse($0.parameters)) }
  }

  // MARK: Suggestions

  private func suggest(_ parameters: DemoParameters) throws -> JSONValue {
    guard let text = parameters["text"] else { throw Self.missing("text") }
    let request = try GeocodeRequest(parameters)
    let limit = min(15, max(1, parameters.int("maxSuggestions") ?? 5))
    var suggestions: [JSONValue] = []
    if parameters.bool("returnCollections") ?? true {
      suggestions = collections(of: text).map { type in
        Self.suggestion(type, key: "type/\(type)", isCollection: true)
      }
    }
    suggestions += nearestFirst(gazetteer.matches(text), request).map {
      Self.suggestion($0.place.address + ", USA", key: $0.place.key, isCollection: false)
    }
    return ["suggestions": .array(Array(suggestions.prefix(limit)))]
  }

  /// The kinds of place whose name the text begins.
  private func collections(of text: String) -> [String] {
    let words = Gazetteer.words(of: text)
    guard words.count == 1, let word = words.first else { return [] }
    return gazetteer.types.filter { $0.lowercased().hasPrefix(word) }
  }

  private static func suggestion(
    _ text: String, key: String, isCollection: Bool
  ) -> JSONValue {
    [
      "text": .string(text), "magicKey": .string(Data(key.utf8).base64EncodedString()),
      "isCollection": .bool(isCollection),
    ]
  }

  // MARK: Candidates

  private func candidates(_ parameters: DemoParameters) throws -> JSONValue {
    let request = try GeocodeRequest(parameters)
    let limit = min(50, max(1, parameters.int("maxLocations") ?? 20))
    let fields = GeocodeRequest.Fields(parameters)
    let matches = nearestFirst(try self.matches(parameters), request).prefix(limit)
    return [
      "spatialReference": request.spatialReference.esriJSON,
      "candidates": .array(
        try matches.map { .object(try request.candidate($0, fields: fields)) }),
    ]
  }

  /// The places meant by a suggestion or a text.
  private func matches(_ parameters: DemoParameters) throws(DemoFailure) -> [Gazetteer.Match] {
    if let key = parameters["magicKey"].flatMap({ Data(base64Encoded: $0) }) {
      let text = String(decoding: key, as: UTF8.self)
      let places = gazetteer.places.filter { $0.key == text || "type/\($0.type)" == text }
      if !places.isEmpty { return places.map { Gazetteer.Match(place: $0, score: 100) } }
    }
    let parts = ["address", "neighborhood", "city", "subregion", "region"]
      .compactMap { parameters[$0] }
    guard
      let text = parameters.first(of: "SingleLine", "Single Line Input")
        ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
    else {
      // A search for a kind alone asks for all of it.
      guard parameters["category"] != nil else { throw Self.missing("SingleLine") }
      return gazetteer.places.map { Gazetteer.Match(place: $0, score: 100) }
    }
    return gazetteer.matches(text)
  }

  /// The wanted candidates; of equal ones the nearest first.
  private func nearestFirst(
    _ matches: [Gazetteer.Match], _ request: GeocodeRequest
  ) -> [Gazetteer.Match] {
    let wanted = matches.filter { request.accepts($0.place) }
    guard let center = request.location else { return wanted }
    func distance(_ match: Gazetteer.Match) -> Double {
      GeometryEngine.geodeticDistance(from: center, to: match.place.location)
    }
    return wanted.map { ($0, distance($0)) }
      .sorted { ($1.0.score, $0.1) < ($0.0.score, $1.1) }.map(\.0)
  }

  // MARK: Many at once

  /// Answers in another order than asked, as batch geocoders do.
  private func addresses(_ parameters: DemoParameters) throws -> JSONValue {
    guard let records = try parameters.json("addresses")?["records"]?.array else {
      throw Self.missing("addresses")
    }
    let request = try GeocodeRequest(parameters)
    let locations = try records.prefix(1000).reversed().map { record in
      try location(record["attributes"], request)
    }
    return [
      "spatialReference": request.spatialReference.esriJSON, "locations": .array(locations),
    ]
  }

  private func location(
    _ attributes: JSONValue?, _ request: GeocodeRequest
  ) throws -> JSONValue {
    let id = attributes?["OBJECTID"] ?? 0
    let names = ["SingleLine", "Address", "Neighborhood", "City", "Subregion", "Region"]
    let text = names.compactMap { attributes?.object?.value(ignoringCase: $0)?.string }
      .joined(separator: " ")
    guard let match = nearestFirst(gazetteer.matches(text), request).first else {
      return [
        "address": "", "score": 0,
        "attributes": ["ResultID": id, "Status": "U", "Score": 0, "Match_addr": ""],
      ]
    }
    var location = try request.candidate(match, fields: .init(DemoParameters([("outFields", "*")])))
    var values: JSONObject = ["ResultID": id]
    for member in location["attributes"]?.object?.members ?? [] {
      values[member.name] = member.value
    }
    location["attributes"] = .object(values)
    location["extent"] = nil
    return .object(location)
  }

  // MARK: The other way round

  /// The maximum distance to the nearest place, in metres.
  private static let reach = 5000.0

  private func reverse(_ parameters: DemoParameters) throws -> JSONValue {
    let request = try GeocodeRequest(parameters)
    guard let location = request.location else { throw Self.missing("location") }
    let types = parameters.list("featureTypes").map { $0.lowercased() }
    let nearest = gazetteer.places
      .filter { types.isEmpty || types.contains($0.addressType.lowercased()) }
      .map { ($0, GeometryEngine.geodeticDistance(from: location, to: $0.location)) }
      .min { $0.1 < $1.1 }
    guard let (place, distance) = nearest,
      distance <= parameters.double("distance") ?? Self.reach
    else {
      throw DemoFailure(
        code: 400, "Unable to complete operation.",
        details: ["Unable to find address for the specified location."])
    }
    let point = try request.point(place)
    return [
      "address": .object(Self.address(of: place)),
      "location": [
        "x": .number(point.x), "y": .number(point.y),
        "spatialReference": request.spatialReference.esriJSON,
      ],
    ]
  }

  private static func address(of place: Gazetteer.Place) -> JSONObject {
    [
      "Match_addr": .string(place.address), "LongLabel": .string(place.address + ", USA"),
      "ShortLabel": .string(place.name), "Addr_type": .string(place.addressType),
      "Type": .string(place.type), "PlaceName": .string(place.name), "AddNum": "",
      "Address": "", "Block": "", "Sector": "", "Neighborhood": "", "District": "",
      "City": .string(place.type == "City" ? place.name : ""), "MetroArea": "",
      "Subregion": .string(place.county), "Region": "Maine", "Territory": "", "Postal": "",
      "PostalExt": "", "CountryCode": "USA",
    ]
  }

  private static func missing(_ name: String) -> DemoFailure {
    DemoFailure(
      code: 400, "Unable to complete operation.",
      details: ["'\(name)' parameter is missing or invalid."])
  }
}

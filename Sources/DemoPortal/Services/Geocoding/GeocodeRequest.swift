internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The parameters that all requests to a geocoder have in common.
struct GeocodeRequest: Sendable {
  /// The reference of places in the answer.
  let spatialReference: SpatialReference
  /// The location that results should be near, in degrees.
  let location: Coordinate?
  /// The box that results must lie in, in degrees.
  let extent: Envelope?
  /// The kinds wanted, in small letters; all if empty.
  let categories: [String]
  private let fromDegrees: Projection

  /// Reads a request.
  ///
  /// - Throws: ``DemoFailure`` for places and references that make no sense.
  init(_ parameters: DemoParameters) throws {
    spatialReference = try FeatureQuery.reference(parameters, "outSR") ?? .wgs84
    location = try Self.shape(parameters, "location").flatMap(\.extent)?.center
    extent = try Self.shape(parameters, "searchExtent")?.extent
    categories = (parameters.list("category") + parameters.list("categories")).map {
      $0.lowercased()
    }
    do {
      fromDegrees = try Projection(from: .wgs84, to: spatialReference)
    } catch {
      throw DemoFailure.badQuery("'outSR' parameter is invalid: \(error.localizedDescription)")
    }
  }

  /// Whether a place is of a kind and in the box asked for.
  func accepts(_ place: Gazetteer.Place) -> Bool {
    (categories.isEmpty || categories.contains(place.type.lowercased())
      || categories.contains(place.addressType.lowercased()))
      && extent?.contains(place.location) ?? true
  }

  /// A place in the reference of the answer.
  func point(_ place: Gazetteer.Place) throws -> Coordinate {
    try fromDegrees.project(place.location)
  }

  /// A candidate for an address.
  func candidate(_ match: Gazetteer.Match, fields: Fields) throws -> JSONObject {
    let place = match.place
    let location = try point(place)
    var members: JSONObject = [
      "address": .string(place.address),
      "location": ["x": .number(location.x), "y": .number(location.y)],
      "score": .number(match.score),
    ]
    members["attributes"] = .object(fields.values(of: match))
    let box = try fromDegrees.project(place.extent)
    members["extent"] = box.esriJSON()
    return members
  }

  /// A shape in degrees.
  private static func shape(_ parameters: DemoParameters, _ name: String) throws -> Geometry? {
    guard let text = parameters[name] else { return nil }
    let (shape, reference) = try SpatialFilter.geometry(text)
    return try Projection(from: reference ?? .wgs84, to: .wgs84).project(shape)
  }
}

extension GeocodeRequest {
  /// The fields of candidates that are wanted.
  struct Fields: Sendable {
    private let names: [String]?

    /// Reads `outFields`; none unless asked for.
    init(_ parameters: DemoParameters) {
      let names = parameters.list("outFields")
      self.names = names.contains("*") ? nil : names.map { $0.lowercased() }
    }

    /// The values of a match.
    func values(of match: Gazetteer.Match) -> JSONObject {
      let place = match.place
      let all: JSONObject = [
        "Loc_name": "Maine", "Status": "M", "Score": .number(match.score),
        "Match_addr": .string(place.address), "LongLabel": .string(place.address + ", USA"),
        "ShortLabel": .string(place.name), "Addr_type": .string(place.addressType),
        "Type": .string(place.type), "PlaceName": .string(place.name),
        "Subregion": .string(place.county), "Region": "Maine", "RegionAbbr": "ME",
        "Country": "USA", "X": .number(place.location.x), "Y": .number(place.location.y),
        "Xmin": .number(place.extent.xMin), "Xmax": .number(place.extent.xMax),
        "Ymin": .number(place.extent.yMin), "Ymax": .number(place.extent.yMax),
      ]
      guard let names else { return all }
      return JSONObject(all.members.filter { names.contains($0.name.lowercased()) })
    }
  }
}

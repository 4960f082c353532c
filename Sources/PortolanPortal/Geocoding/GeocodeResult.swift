public import PortolanGeometry
public import PortolanJSON

/// A place that was found.
public struct GeocodeResult: Hashable, Sendable {
  /// The address for people.
  public var label: String
  /// The location; `nil` if the service does not know it.
  public var location: Point?
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference?
  /// The score of the match, 0 to 100.
  public var score: Double
  /// The box to look at, in the same reference.
  public var extent: Envelope?
  /// Further attributes.
  public var attributes: JSONObject
}

extension GeocodeResult {
  /// Reads a result of a list whose coordinates are in `reference`; `nil` if it is none.
  ///
  /// Takes those of `findAddressCandidates`, `geocodeAddresses` and the older `find`.
  init?(json: JSONValue, in reference: SpatialReference?) {
    guard let object = json.object else { return nil }
    let feature = object.object("feature") ?? object
    attributes = feature.object("attributes") ?? [:]
    label =
      object.filledText("address") ?? object.filledText("name")
      ?? attributes.filledText("Match_addr") ?? ""
    location = (feature["location"] ?? feature["geometry"]).flatMap(Point.init(location:))
    spatialReference =
      SpatialReference(esriJSON: feature["location"]?["spatialReference"]) ?? reference
    score = object.number("score") ?? attributes.number("Score") ?? 0
    extent = object.extent("extent")
  }

  /// Reads the answer to what is at a place; `nil` if it is none.
  init?(reverse json: JSONValue) {
    guard let address = json["address"]?.object else { return nil }
    attributes = address
    label =
      ["LongLabel", "Match_addr", "Address", "Street"].lazy
      .compactMap { address.filledText($0) }.first ?? ""
    location = json["location"].flatMap(Point.init(location:))
    spatialReference = SpatialReference(esriJSON: json["location"]?["spatialReference"])
    score = 100
    extent = json.object?.extent("extent")
  }
}

extension Point {
  /// Reads a place; `nil` for the ways in which services write none.
  fileprivate init?(location json: JSONValue) {
    guard let object = json.object, let x = object.number("x"), let y = object.number("y"),
      x.isFinite, y.isFinite
    else { return nil }
    self.init(x: x, y: y)
  }
}

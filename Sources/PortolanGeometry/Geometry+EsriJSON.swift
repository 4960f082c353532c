public import PortolanJSON

extension Geometry {
  /// Reads a shape as ArcGIS services and web maps write it.
  ///
  /// The kind follows from the members. Rings are arranged as in ``Polygon`` (Esri JSON
  /// has exteriors clockwise). Ordinates of `null` or `"NaN"` are not-a-number, and a point with
  /// such an `x` is empty. True curves become short straight lines. `hasZ` and `hasM` are those of the feature set around the shape, for
  /// shapes that do not say themselves.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)`` with the path of the member.
  public init(
    esriJSON value: JSONValue, hasZ: Bool? = nil, hasM: Bool? = nil
  ) throws(GeometryError) {
    guard let object = value.object else {
      throw .malformed(.esriJSON, place: "geometry", reason: "an object is missing")
    }
    let reader = EsriJSONReader(value, hasZ: hasZ, hasM: hasM)
    if object["x"] != nil {
      self = .point(try reader.point(value))
    } else if let points = object["points"] {
      self = .multipoint(Multipoint(points: try reader.path(points, place: "points")))
    } else if let member = Self.member("paths", "curvePaths", of: object) {
      self = .polyline(Polyline(paths: try reader.paths(member, of: value)))
    } else if let member = Self.member("rings", "curveRings", of: object) {
      let rings = try reader.paths(member, of: value)
      self = .polygon(Polygon(arranging: rings.map { $0.reversed() }))
    } else if object["xmin"] != nil {
      self = .envelope(try Envelope(esriJSON: value))
    } else {
      throw Self.error(forUnknown: object)
    }
  }

  private static func member(_ straight: String, _ curved: String, of object: JSONObject) -> String?
  {
    [curved, straight].first { object[$0] != nil }
  }

  private static func error(forUnknown object: JSONObject) -> GeometryError {
    let names = object.names.prefix(5).joined(separator: ", ")
    return .malformed(
      .esriJSON, place: "geometry",
      reason: "no known kind of shape has the members \(names.isEmpty ? "(none)" : names)")
  }
}

internal import PortolanJSON

/// The number of features of a GeoJSON document with an invalid shape or place.
struct GeoJSONDamage {
  /// The depth of lists around the coordinates of shapes, by their type.
  private static let depths = [
    "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2,
    "MultiPolygon": 3,
  ]

  private var count = 0
  private var isDocument = true

  /// Looks at a document; nothing at all, as of a document that could not be loaded, is not
  /// damaged.
  init(_ json: JSONValue) {
    guard !json.isNull else { return }
    switch json["type"]?.string {
    case "FeatureCollection":
      isDocument = json["features"]?.array != nil
      count = (json["features"]?.array ?? []).count { !Self.isFeature($0) }
    case "Feature": count = Self.isFeature(json) ? 0 : 1
    default: isDocument = Self.isShape(json, depth: 0)
    }
  }

  /// The damage, in a clause for people; `nil` if all is well.
  func problem(ofSource name: String) -> String? {
    let source = "the source \"\(name.prefix(60))\" of its style"
    if !isDocument { return "the data of \(source) are no GeoJSON" }
    return count == 0
      ? nil : "\(count) \(count == 1 ? "feature" : "features") of \(source) cannot be read whole"
  }

  private static func isFeature(_ json: JSONValue) -> Bool {
    guard json["type"]?.string == "Feature" else { return false }
    // A feature without a shape is one.
    guard let shape = json["geometry"], !shape.isNull else { return true }
    return isShape(shape, depth: 0)
  }

  private static func isShape(_ json: JSONValue, depth: Int) -> Bool {
    guard let type = json["type"]?.string else { return false }
    if type == "GeometryCollection" {
      guard let parts = json["geometries"]?.array, depth < 8 else { return false }
      return parts.allSatisfy { isShape($0, depth: depth + 1) }
    }
    guard let levels = depths[type], let places = json["coordinates"] else { return false }
    return places.array?.isEmpty ?? false || arePlaces(places, levels)
  }

  private static func arePlaces(_ json: JSONValue, _ levels: Int) -> Bool {
    guard levels > 0 else { return GeoJSONFeature.share(json) != nil }
    return json.array?.allSatisfy { arePlaces($0, levels - 1) } ?? false
  }
}

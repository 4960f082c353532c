internal import PortolanGeometry
internal import PortolanJSON

/// A feature of a GeoJSON text, taken apart, or why it cannot be.
struct GeoJSONItem {
  /// The kinds of shape that one table can hold.
  enum Family: Int, Hashable, Sendable, CaseIterable {
    case point
    case line
    case area
    /// No shape at all.
    case none

    /// What the name of a table ends in, where a file has several.
    var suffix: String {
      switch self {
      case .point: "points"
      case .line: "lines"
      case .area: "areas"
      case .none: "no_shape"
      }
    }

    /// What the rows of the kind are, in sentences.
    var noun: String {
      switch self {
      case .point, .line, .area: suffix
      case .none: "rows without shapes"
      }
    }

    /// The kind of a shape.
    init(_ geometry: Geometry?) {
      self =
        switch geometry {
        case .point, .multipoint: .point
        case .polyline: .line
        case .polygon, .envelope: .area
        case nil: .none
        }
    }
  }

  /// The id, if the feature has one.
  let id: JSONValue?
  let properties: JSONObject
  /// The shape, if the feature has one that is supported.
  let geometry: Geometry?
  /// What the feature has for a shape, where that is not supported.
  let foreignShape: String?
  /// Whether a number was left out, since it is infinite.
  var lacksInfinity = false

  /// Which table the feature belongs to.
  var family: Family { Family(geometry) }

  /// Takes a value apart: a feature, or a geometry alone.
  ///
  /// A feature with a shape that is not supported is one without.
  init(_ value: JSONValue) throws(GeometryError) {
    guard value["type"]?.string == "Feature" else {
      id = nil
      properties = [:]
      geometry = try Geometry(geoJSON: value)
      foreignShape = nil
      return
    }
    id = value["id"].flatMap { $0.isNull ? nil : $0 }
    properties = value["properties"]?.object ?? [:]
    let shape = value["geometry"] ?? .null
    do {
      geometry = try shape.isNull ? nil : Geometry(geoJSON: shape)
      foreignShape = nil
    } catch .unsupported(_, let feature) {
      geometry = nil
      foreignShape = feature
    }
  }
}

public import PortolanJSON

extension Geometry {
  /// Reads the geometry object of a GeoJSON feature (RFC 7946).
  ///
  /// Coordinates are longitude and latitude on WGS 84 unless the document says otherwise. The
  /// first ring of each polygon is its exterior, whatever its winding. Rings are closed where they
  /// are open. A third ordinate is the height; further ones are ignored, as the RFC asks.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)`` with the path of the member, or
  ///   ``GeometryError/unsupported(_:feature:)`` for a geometry collection.
  public init(geoJSON value: JSONValue) throws(GeometryError) {
    guard let type = value["type"]?.string else {
      throw .malformed(.geoJSON, place: "type", reason: "a name is missing")
    }
    let reader = GeoJSONReader()
    let root = try reader.list(value["coordinates"], "coordinates", orFor: type)
    switch type {
    case "Point": self = .point(try reader.point(root))
    case "MultiPoint":
      self = .multipoint(Multipoint(points: try reader.path(root, "coordinates")))
    case "LineString":
      let path = try reader.path(root, "coordinates")
      self = .polyline(Polyline(paths: path.count == 0 ? [] : [path]))
    case "MultiLineString":
      self = .polyline(Polyline(paths: try reader.paths(root, "coordinates")))
    case "Polygon": self = .polygon(Polygon(rings: try reader.rings(root, "coordinates")))
    case "MultiPolygon": self = .polygon(Polygon(rings: try reader.polygons(root)))
    default:
      throw .malformed(.geoJSON, place: "type", reason: "there is no kind of shape named \(type)")
    }
  }
}

/// Reads the nested lists of a GeoJSON geometry.
private struct GeoJSONReader {
  func list(
    _ value: JSONValue?, _ place: String, orFor type: String = ""
  ) throws(GeometryError) -> [JSONValue] {
    if type == "GeometryCollection" {
      throw .unsupported(.geoJSON, feature: "a geometry collection")
    }
    guard let elements = value?.array else {
      throw .malformed(.geoJSON, place: place, reason: "a list is missing")
    }
    return elements
  }

  func point(_ position: [JSONValue]) throws(GeometryError) -> Point {
    guard !position.isEmpty else { return Point(x: .nan, y: .nan) }
    let path = try path([.array(position)], "coordinates")
    let coordinate = path.coordinates[0]
    return Point(x: coordinate.x, y: coordinate.y, z: path.z?.first)
  }

  func path(_ positions: [JSONValue], _ place: String) throws(GeometryError) -> Path {
    let hasZ = positions.contains { $0.array.map { $0.count > 2 && !$0[2].isNull } ?? false }
    var builder = PathBuilder(
      .geoJSON, layout: PathBuilder.Layout(hasZ: hasZ, hasM: false), capacity: positions.count)
    for (index, position) in positions.enumerated() {
      guard let ordinates = position.array, builder.append(ordinates) else {
        throw .malformed(
          .geoJSON, place: "\(place)[\(index)]", reason: "a position is no list of numbers")
      }
    }
    return builder.path
  }

  func paths(_ values: [JSONValue], _ place: String) throws(GeometryError) -> [Path] {
    var paths: [Path] = []
    for (index, value) in values.enumerated() {
      let inner = "\(place)[\(index)]"
      paths.append(try path(try list(value, inner), inner))
    }
    return paths
  }

  func rings(_ values: [JSONValue], _ place: String) throws(GeometryError) -> [Path] {
    let rings = try paths(values, place).compactMap(\.closed)
    return rings.enumerated().map { index, ring in
      let isWrong = index == 0 ? ring.signedArea < 0 : ring.signedArea > 0
      return isWrong ? ring.reversed() : ring
    }
  }

  func polygons(_ values: [JSONValue]) throws(GeometryError) -> [Path] {
    var all: [Path] = []
    for (index, value) in values.enumerated() {
      let place = "coordinates[\(index)]"
      all += try rings(try list(value, place), place)
    }
    return all
  }
}

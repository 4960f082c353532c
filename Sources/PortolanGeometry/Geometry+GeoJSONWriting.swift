public import PortolanJSON

extension Geometry {
  /// The shape as the geometry object of a GeoJSON feature (RFC 7946).
  ///
  /// Coordinates are written as they are, to the last bit; project them to WGS 84 first where the
  /// reader expects that. Heights are kept, measures are not, for GeoJSON has no place for them.
  /// A box becomes a polygon, and several paths or areas the multi-part kind.
  public func geoJSON() -> JSONValue {
    switch self {
    case .point(let point):
      let positions = paths.flatMap(Self.positions)
      return Self.object("Point", point.x.isNaN ? [] : positions.first ?? [])
    case .multipoint(let multipoint):
      return Self.object("MultiPoint", .array(Self.positions(multipoint.points)))
    case .polyline(let polyline):
      return Self.object("LineString", polyline.paths.map { .array(Self.positions($0)) })
    case .polygon(let polygon):
      return Self.object(
        "Polygon",
        polygon.parts.map { part in
          .array(part.rings.map { .array(Self.positions($0)) })
        })
    case .envelope(let envelope):
      return Geometry.polygon(envelope.isEmpty ? Polygon(rings: []) : envelope.polygon).geoJSON()
    }
  }

  private static func object(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    ["type": .string(type), "coordinates": coordinates]
  }

  private static func object(_ type: String, _ parts: [JSONValue]) -> JSONValue {
    parts.count > 1 ? object("Multi" + type, .array(parts)) : object(type, parts.first ?? [])
  }

  private static func positions(_ path: Path) -> [JSONValue] {
    path.coordinates.enumerated().map { index, coordinate in
      var position: [JSONValue] = [.number(coordinate.x), .number(coordinate.y)]
      let height = path.height(at: index)
      if !height.isNaN { position.append(.number(height)) }
      return .array(position)
    }
  }
}

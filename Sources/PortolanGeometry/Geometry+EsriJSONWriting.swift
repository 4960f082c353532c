public import PortolanJSON

extension Geometry {
  /// The shape as ArcGIS services write it: exterior rings clockwise, holes the other way.
  ///
  /// Missing heights and measures are written as `"NaN"`, an empty point as `{"x": null}`.
  public func esriJSON(spatialReference: SpatialReference? = nil) -> JSONValue {
    var object = JSONObject()
    switch self {
    case .envelope(let envelope): return envelope.esriJSON(spatialReference: spatialReference)
    case .point(let point): object = Self.members(of: point)
    case .multipoint(let multipoint):
      object = Self.flags([multipoint.points])
      object["points"] = Self.vertices(multipoint.points, as: Self.flags([multipoint.points]))
    case .polyline(let polyline):
      object = Self.flags(polyline.paths)
      object["paths"] = .array(polyline.paths.map { Self.vertices($0, as: object) })
    case .polygon(let polygon):
      object = Self.flags(polygon.rings)
      object["rings"] = .array(polygon.rings.map { Self.vertices($0.reversed(), as: object) })
    }
    object["spatialReference"] = spatialReference?.esriJSON
    return .object(object)
  }

  private static func members(of point: Point) -> JSONObject {
    guard !point.x.isNaN else { return ["x": nil] }
    var object: JSONObject = ["x": .number(point.x), "y": .number(point.y)]
    object["z"] = point.z.map { EsriJSONNumber.write($0) }
    object["m"] = point.m.map { EsriJSONNumber.write($0) }
    return object
  }

  /// Every vertex of a shape must have the ordinates that the shape announces.
  private static func flags(_ paths: [Path]) -> JSONObject {
    var object = JSONObject()
    if paths.contains(where: { $0.z != nil }) { object["hasZ"] = true }
    if paths.contains(where: { $0.m != nil }) { object["hasM"] = true }
    return object
  }

  private static func vertices(_ path: Path, as flags: JSONObject) -> JSONValue {
    let (hasZ, hasM) = (flags["hasZ"] != nil, flags["hasM"] != nil)
    return .array(
      path.coordinates.enumerated().map { index, coordinate in
        var ordinates = [
          EsriJSONNumber.write(coordinate.x), EsriJSONNumber.write(coordinate.y),
        ]
        if hasZ { ordinates.append(EsriJSONNumber.write(path.height(at: index))) }
        if hasM { ordinates.append(EsriJSONNumber.write(path.measure(at: index))) }
        return .array(ordinates)
      })
  }
}

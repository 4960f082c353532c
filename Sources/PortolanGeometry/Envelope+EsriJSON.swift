public import PortolanJSON

extension Envelope {
  /// Reads `{"xmin", "ymin", "xmax", "ymax"}`; ordinates of `null` or `"NaN"` mean an empty box.
  ///
  /// A box across the antimeridian, with its `xmin` east of its `xmax`, continues beyond 180 degrees.
  /// Without a spatial reference, numbers that can be degrees are taken as such.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)`` where an ordinate is missing or none.
  public init(esriJSON value: JSONValue) throws(GeometryError) {
    let xMin = try Self.ordinate("xmin", of: value)
    let yMin = try Self.ordinate("ymin", of: value)
    let xMax = try Self.ordinate("xmax", of: value)
    let yMax = try Self.ordinate("ymax", of: value)
    guard ![xMin, yMin, xMax, yMax].contains(where: \.isNaN) else {
      self = .empty
      return
    }
    let reference = SpatialReference(esriJSON: value["spatialReference"])
    let maybeDegrees = max(abs(xMin), abs(xMax)) <= 180 && max(abs(yMin), abs(yMax)) <= 90
    self.init(
      west: xMin, south: yMin, east: xMax, north: yMax,
      worldWidth: reference.map(\.worldWidth) ?? (maybeDegrees ? 360 : nil))
  }

  /// The box as services write it, with ordinates of `"NaN"` if it is empty.
  public func esriJSON(spatialReference: SpatialReference? = nil) -> JSONValue {
    let ordinates = [("xmin", xMin), ("ymin", yMin), ("xmax", xMax), ("ymax", yMax)]
    var object = JSONObject()
    for (name, ordinate) in ordinates {
      object[name] = EsriJSONNumber.write(isEmpty ? .nan : ordinate)
    }
    object["spatialReference"] = spatialReference?.esriJSON
    return .object(object)
  }

  private static func ordinate(
    _ name: String, of value: JSONValue
  ) throws(GeometryError) -> Double {
    guard let ordinate = EsriJSONNumber.read(value[name]) else {
      throw .malformed(.esriJSON, place: name, reason: "a number is missing")
    }
    return ordinate
  }
}

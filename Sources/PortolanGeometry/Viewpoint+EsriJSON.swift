public import PortolanJSON

extension Viewpoint {
  /// Reads `{"targetGeometry", "scale", "rotation"}`, or an envelope as older web maps have it.
  ///
  /// The target may be a point, an envelope or any other shape, whose extent is taken. A scale of
  /// 0 or less counts as none.
  ///
  /// - Throws: ``GeometryError`` where the target is missing, damaged or empty.
  public init(esriJSON value: JSONValue) throws(GeometryError) {
    guard let targetJSON = value["targetGeometry"] else {
      let extent = try Envelope(esriJSON: value)
      guard !extent.isEmpty else { throw Self.emptyTarget }
      self.init(
        target: .extent(extent),
        spatialReference: SpatialReference(esriJSON: value["spatialReference"]))
      return
    }
    let scale = EsriJSONNumber.read(value["scale"])
    let rotation = EsriJSONNumber.read(value["rotation"]) ?? 0
    self.init(
      target: try Self.target(targetJSON),
      scale: scale.flatMap { $0 > 0 && $0.isFinite ? $0 : nil },
      rotation: rotation.isFinite ? rotation : 0,
      spatialReference: SpatialReference(esriJSON: targetJSON["spatialReference"]))
  }

  /// The viewpoint as web maps hold it.
  public var esriJSON: JSONValue {
    let targetJSON =
      switch target {
      case .center(let center):
        Geometry.point(Point(x: center.x, y: center.y)).esriJSON(spatialReference: spatialReference)
      case .extent(let extent): extent.esriJSON(spatialReference: spatialReference)
      }
    var object = JSONObject()
    object["rotation"] = rotation == 0 ? nil : .number(rotation)
    object["scale"] = scale.map { .number($0) }
    object["targetGeometry"] = targetJSON
    return .object(object)
  }

  private static func target(_ value: JSONValue) throws(GeometryError) -> Target {
    let geometry = try Geometry(esriJSON: value)
    if case .point(let point) = geometry, !geometry.isEmpty { return .center(point.coordinate) }
    guard let extent = geometry.extent else { throw emptyTarget }
    return .extent(extent)
  }

  private static let emptyTarget = GeometryError.malformed(
    .esriJSON, place: "targetGeometry", reason: "it is empty")
}

internal import CProj

extension SpatialReference {
  /// Looks up what PROJ knows about the reference.
  ///
  /// Takes some milliseconds, but for WGS 84 and Web Mercator: ask once and keep the answer.
  ///
  /// - Throws: ``GeometryError/unknownSpatialReference(_:reason:)``.
  public func properties() throws(GeometryError) -> SpatialReferenceProperties {
    if isWGS84 { return .wgs84 }
    if isWebMercator { return .webMercator }
    let definition = try ProjContext().definition(of: self)
    guard let unit = definition.unit else {
      throw .unknownSpatialReference(displayName, reason: "it has no horizontal coordinates")
    }
    return SpatialReferenceProperties(
      name: definition.name, isGeographic: definition.isGeographic, unitName: unit.name,
      metersPerUnit: definition.isGeographic
        ? unit.factor * 180 / .pi * SpatialReferenceProperties.metersPerDegree : unit.factor)
  }
}

extension ProjObject {
  /// Whether coordinates are angles.
  fileprivate var isGeographic: Bool {
    let type = unsafe proj_get_type(handle)
    return type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS
  }

  /// The unit of the first axis, and how many metres or radians it is.
  fileprivate var unit: (name: String, factor: Double)? {
    let system = unsafe proj_crs_get_coordinate_system(context.handle, handle)
    guard let system = unsafe ProjObject(system, in: context) else { return nil }
    var factor = 0.0
    var name: UnsafePointer<CChar>?
    let isKnown = unsafe proj_cs_get_axis_info(
      context.handle, system.handle, 0, nil, nil, nil, &factor, &name, nil, nil)
    guard isKnown != 0, factor > 0, factor.isFinite else { return nil }
    return (unsafe name.map { unsafe String(cString: $0) } ?? "", factor)
  }
}

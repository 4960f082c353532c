public import PortolanGeometry

extension FeatureValidator {
  /// Checks a shape.
  ///
  /// - Parameters:
  ///   - geometry: The shape, in the spatial reference of the table.
  ///   - place: What errors name.
  /// - Returns: The shape with its rings closed; a box becomes an area.
  /// - Throws: ``FeatureEditError`` if the table cannot hold it, or it is not simple.
  public func shape(
    _ geometry: Geometry, at place: EditPlace
  ) throws(FeatureEditError) -> Geometry {
    guard let expected = schema.geometryType else { throw .geometryNotAllowed(place) }
    var geometry = geometry
    if case .envelope(let envelope) = geometry, !envelope.isEmpty {
      geometry = .polygon(envelope.polygon)
    }
    let areaType: GeometryType = expected == .envelope ? .polygon : expected
    guard geometry.type == areaType else {
      throw .wrongGeometryType(expected: areaType, found: geometry.type, place)
    }
    if case .polygon(let polygon) = geometry {
      geometry = .polygon(Polygon(rings: polygon.rings.map(\.closed)))
    }
    guard !geometry.paths.isEmpty else {
      throw .incompleteGeometry(reason: "it has no vertices", place)
    }
    for path in geometry.paths { try check(path, areaType, at: place) }
    if case .polygon = geometry { try checkRings(geometry, at: place) }
    return geometry
  }

  private func check(
    _ path: Path, _ type: GeometryType, at place: EditPlace
  ) throws(FeatureEditError) {
    let least: Int =
      switch type {
      case .polyline: 2
      case .polygon, .envelope: 4
      case .point, .multipoint: 1
      }
    guard path.count >= least else {
      let needed = type == .polygon ? "a ring needs 3 vertices" : "a path needs \(least) vertices"
      throw .incompleteGeometry(reason: needed, place)
    }
    for ordinates in [path.z, path.m] {
      guard ordinates.map({ $0.count == path.count }) ?? true else {
        throw .incompleteGeometry(reason: "some vertices have no height or measure", place)
      }
    }
    if path.z != nil, !schema.hasZ { throw .surplusOrdinates(.z, place) }
    if path.m != nil, !schema.hasM { throw .surplusOrdinates(.m, place) }
    if path.z == nil, schema.hasZ, !schema.mayLackHeights { throw .missingHeights(place) }
    try check(path.coordinates.lazy.map(\.x), .x, coordinateRange.x, at: place)
    try check(path.coordinates.lazy.map(\.y), .y, coordinateRange.y, at: place)
    try check(path.z ?? [], .z, coordinateRange.z, at: place)
    // A measure that is not known is not a number.
    try check((path.m ?? []).filter { !$0.isNaN }, .m, coordinateRange.m, at: place)
  }

  private func check(
    _ ordinates: some Sequence<Double>, _ axis: FeatureEditError.Axis,
    _ range: ClosedRange<Double>?, at place: EditPlace
  ) throws(FeatureEditError) {
    for value in ordinates {
      guard value.isFinite else { throw .notFinite(axis, place) }
      if let range, !range.contains(value) {
        throw .outsideCoordinateRange(axis, value: value, range: range, place)
      }
    }
  }

  private func checkRings(
    _ polygon: Geometry, at place: EditPlace
  ) throws(FeatureEditError) {
    let isSimple: Bool
    do {
      isSimple = try GeometryEngine.isSimple(polygon)
    } catch {
      throw .incompleteGeometry(reason: "it encloses no area", place)
    }
    guard isSimple else { throw .ringsCross(place) }
  }
}

extension Path {
  /// The ring with its first vertex at its end, where it is not there already.
  fileprivate var closed: Path {
    guard let first = coordinates.first, coordinates.last != first else { return self }
    return Path(
      coordinates + [first], z: z.map { $0 + $0.prefix(1) }, m: m.map { $0 + $0.prefix(1) })
  }
}

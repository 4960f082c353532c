internal import PortolanJSON

extension Geometry {
  /// The shape as well-known text (OGC 06-103r4, 7), such as `LINESTRING (1 2, 3 4)`.
  ///
  /// Coordinates are written as they are, to the last bit, with heights and measures where there are some; of
  /// these, a height that is missing is 0, and a measure `nan`, as GDAL writes them. A box becomes a polygon, and
  /// several paths or areas the multi-part kind.
  public func wellKnownText() -> String {
    let value = geoJSON()
    let type = value["type"]?.string?.uppercased() ?? ""
    guard let coordinates = value["coordinates"], coordinates.array?.isEmpty == false else {
      return "\(type) EMPTY"
    }
    func holdsSome(_ ordinates: [Double]?) -> Bool { ordinates?.contains { !$0.isNaN } ?? false }
    let positions = WellKnownPositions(
      hasHeights: paths.contains { holdsSome($0.z) },
      hasMeasures: paths.contains { holdsSome($0.m) })
    // In the same lists, the third number of a position is its measure.
    let measures = positions.hasMeasures ? havingMeasuresAsHeights().geoJSON()["coordinates"] : nil
    let text = positions.text(of: coordinates, measures ?? coordinates)
    return type + positions.flag + (type == "POINT" ? "(\(text))" : text)
  }

  /// Reads well-known text, in any letters; a number of a reference before it (`SRID=4326;`) is left
  /// out.
  ///
  /// Arcs of circles become straight lines of at most 2° of them.
  ///
  /// - Throws: ``GeometryError/malformed(_:place:reason:)``,
  ///   ``GeometryError/unsupported(_:feature:)`` for collections and surfaces of triangles.
  public init(wellKnownText text: some StringProtocol) throws(GeometryError) {
    var reader = WellKnownTextReader(text)
    let shape = try reader.geometry()
    guard reader.hasMeasures else {
      self = shape
      return
    }
    // Lists of positions have one place behind the coordinates.
    var measures = WellKnownTextReader(text, takesMeasures: true)
    self = shape.measured(by: try measures.geometry())
  }

  /// The shape with the heights of another, which is the same but for these, as its measures.
  private func measured(by other: Geometry) -> Geometry {
    var measured = zip(paths, other.paths).map { Path($0.coordinates, z: $0.z, m: $1.z) }[...]
    return replacingPaths { measured.popFirst() ?? $0 }
  }

  private func havingMeasuresAsHeights() -> Geometry {
    replacingPaths { Path($0.coordinates, z: $0.m) }
  }

  /// The shape with other ordinates at its vertices; a box stays as it is.
  private func replacingPaths(_ change: (Path) -> Path) -> Geometry {
    switch self {
    case .point(let point):
      let path = change(paths[0])
      return .point(Point(x: point.x, y: point.y, z: path.z?.first, m: path.m?.first))
    case .multipoint(let multipoint):
      return .multipoint(Multipoint(points: change(multipoint.points)))
    case .polyline(let polyline):
      return .polyline(Polyline(paths: polyline.paths.map { change($0) }))
    case .polygon(let polygon):
      return .polygon(Polygon(rings: polygon.rings.map { change($0) }))
    case .envelope: return self
    }
  }
}

/// Positions of a shape in well-known text, all of which have the same ordinates.
private struct WellKnownPositions {
  let hasHeights: Bool
  let hasMeasures: Bool

  /// The Z and M flags between the kind of the shape and its positions.
  var flag: String {
    hasHeights || hasMeasures ? " \(hasHeights ? "Z" : "")\(hasMeasures ? "M" : "") " : " "
  }

  /// A position, or the list of those in some nested lists and in the same lists with measures as heights.
  func text(of value: JSONValue, _ measured: JSONValue) -> String {
    let (parts, measures) = (value.array ?? [], measured.array ?? [])
    guard parts.first?.array != nil else { return position(parts, measures) }
    return "(" + zip(parts, measures).map { text(of: $0, $1) }.joined(separator: ", ") + ")"
  }

  private func position(_ ordinates: [JSONValue], _ measured: [JSONValue]) -> String {
    var numbers = ordinates.prefix(2).map { $0.text() }
    if hasHeights { numbers.append(ordinates.count > 2 ? ordinates[2].text() : "0") }
    if hasMeasures { numbers.append(measured.count > 2 ? measured[2].text() : "nan") }
    return numbers.joined(separator: " ")
  }
}

/// Lines and areas with arcs of circles, which become straight lines.
extension WellKnownTextReader {
  /// The kinds of shape that may have arcs.
  static let curves: Set<String> = [
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE",
  ]

  /// A shape that may have arcs; `nil` if the kind is none.
  mutating func curved(_ kind: String) throws(GeometryError) -> Geometry? {
    switch kind {
    case "CIRCULARSTRING", "COMPOUNDCURVE":
      let path = try curve(kind)
      return .polyline(Polyline(paths: path.coordinates.isEmpty ? [] : [path]))
    case "MULTICURVE":
      return .polyline(Polyline(paths: try curves().filter { !$0.coordinates.isEmpty }))
    case "CURVEPOLYGON": return .polygon(Polygon(rings: try rings()))
    case "MULTISURFACE":
      var rings: [Path] = []
      guard try begin() else { return .polygon(Polygon(rings: [])) }
      repeat {
        let part = self.kind()
        guard ["", "POLYGON", "CURVEPOLYGON"].contains(part) else { throw misplaced(part) }
        rings += try self.rings()
      } while take(",")
      try end()
      return .polygon(Polygon(rings: rings))
    default: return nil
    }
  }

  /// A line, some arcs, or both one after the other.
  private mutating func curve(_ kind: String) throws(GeometryError) -> Path {
    switch kind {
    case "", "LINESTRING": return try vertices()
    case "CIRCULARSTRING":
      let path = try vertices()
      arcCount += path.arcCount
      guard arcCount <= Path.mostArcs else {
        throw .unsupported(.wellKnownText, feature: "a shape of more than \(Path.mostArcs) arcs")
      }
      return path.drawingArcs()
    case "COMPOUNDCURVE":
      var whole = Path([])
      guard try begin() else { return whole }
      repeat {
        let part = self.kind()
        guard part != "COMPOUNDCURVE" else { throw misplaced(part) }
        let next = try curve(part)
        if whole.coordinates.isEmpty { whole = next } else { whole.join(next) }
      } while take(",")
      try end()
      return whole
    default: throw misplaced(kind)
    }
  }

  /// Several lines that may have arcs.
  private mutating func curves() throws(GeometryError) -> [Path] {
    guard try begin() else { return [] }
    var paths: [Path] = []
    repeat {
      let part = self.kind()
      paths.append(try curve(part))
    } while take(",")
    try end()
    return paths
  }

  /// The rings of an area, its exterior first.
  private mutating func rings() throws(GeometryError) -> [Path] {
    var rings: [Path] = []
    for path in try curves() { WellKnownBinaryReader.add(path, to: &rings) }
    return rings
  }

  /// The positions of a line, or those that arcs go through.
  private mutating func vertices() throws(GeometryError) -> Path {
    guard try begin() else { return Path([]) }
    var (coordinates, heights): ([Coordinate], [Double]) = ([], [])
    repeat {
      let numbers = try position()
      coordinates.append(Coordinate(x: numbers[0], y: numbers[1]))
      heights.append(numbers.count > 2 ? numbers[2] : .nan)
    } while take(",")
    try end()
    return Path(coordinates, z: heights.allSatisfy(\.isNaN) ? nil : heights)
  }

  /// Goes into a list; `false` if there is none.
  private mutating func begin() throws(GeometryError) -> Bool {
    guard try begins() else { return false }
    return take("(")
  }

  private mutating func end() throws(GeometryError) {
    guard take(")") else { throw fault("\")\" is missing") }
  }

  private func misplaced(_ kind: String) -> GeometryError {
    kind.isEmpty || Self.curves.contains(kind)
      ? fault("a part of the kind \(kind) is out of place")
      : .unsupported(.wellKnownText, feature: "a shape of the kind \(kind)")
  }
}

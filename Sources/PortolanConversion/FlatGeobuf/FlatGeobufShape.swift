internal import PortolanGeometry

/// Shapes as FlatGeobuf files hold them.
enum FlatGeobufShape {
  /// The types of shapes that are read, by their numbers in files.
  enum Kind: UInt8 {
    case unknown, point, line, polygon, points, lines, polygons
    /// Lines of arcs of circles, lines of both, areas within such lines, and several of them.
    case arcs = 8, compoundCurve, curvedPolygon, curves, surfaces

    /// The type that a table of such shapes has; `nil` if they may be of any.
    var type: GeometryType? {
      switch self {
      case .unknown: nil
      case .point: .point
      case .points: .multipoint
      case .line, .lines, .arcs, .compoundCurve, .curves: .polyline
      case .polygon, .polygons, .curvedPolygon, .surfaces: .polygon
      }
    }

    /// The kind in which shapes of a type are written.
    init(of type: GeometryType?) {
      switch type {
      case .point?: self = .point
      case .multipoint?: self = .points
      case .polyline?: self = .lines
      case .polygon?, .envelope?: self = .polygons
      case nil: self = .unknown
      }
    }
  }

  // MARK: - Reading

  /// A shape of a kind without arcs; `nil` if it has no vertices.
  ///
  /// - SeeAlso: ``FlatGeobufCurves``
  static func geometry(_ table: FlatTable, _ kind: Kind) throws(FlatTable.Fault) -> Geometry? {
    switch kind {
    case .unknown, .arcs, .compoundCurve, .curvedPolygon, .curves, .surfaces: return nil
    case .point:
      let path = try path(table)
      guard let place = path.coordinates.first, !place.x.isNaN else { return nil }
      return .point(Point(x: place.x, y: place.y, z: path.z?.first, m: path.m?.first))
    case .points:
      let path = try path(table)
      return path.coordinates.isEmpty ? nil : .multipoint(Multipoint(points: path))
    case .line, .lines:
      let paths = try paths(table)
      return paths.isEmpty ? nil : .polyline(Polyline(paths: paths))
    case .polygon:
      let rings = try paths(table)
      return rings.isEmpty ? nil : .polygon(Polygon(arranging: rings))
    case .polygons:
      var rings: [Path] = []
      var count = 0
      for part in try table.tables(7) {
        let own = try paths(part)
        count += own.reduce(1) { $0 + $1.count }
        // Damaged parts may all be the same one, however large that is.
        guard count <= table.buffer.count else { throw FlatTable.Fault() }
        rings += own
      }
      // A file may hold one area without its part.
      if rings.isEmpty { rings = try paths(table) }
      return rings.isEmpty ? nil : .polygon(Polygon(arranging: rings))
    }
  }

  static func path(_ table: FlatTable) throws(FlatTable.Fault) -> Path {
    let numbers = try table.doubles(1)
    guard numbers.count % 2 == 0 else { throw FlatTable.Fault() }
    let (z, m) = (try table.doubles(2), try table.doubles(3))
    let count = numbers.count / 2
    guard z.isEmpty || z.count == count, m.isEmpty || m.count == count else {
      throw FlatTable.Fault()
    }
    return Path(
      (0..<count).map { Coordinate(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) },
      z: z.isEmpty ? nil : z, m: m.isEmpty ? nil : m)
  }

  /// The runs of vertices, which end where the table says.
  static func paths(_ table: FlatTable) throws(FlatTable.Fault) -> [Path] {
    let whole = try path(table)
    let ends = try table.words(0)
    guard !ends.isEmpty else { return whole.coordinates.isEmpty ? [] : [whole] }
    var paths: [Path] = []
    var start = 0
    for end in ends {
      guard end >= start, end <= whole.count else { throw FlatTable.Fault() }
      let part = start..<end
      paths.append(
        Path(
          Array(whole.coordinates[part]), z: whole.z.map { Array($0[part]) },
          m: whole.m.map { Array($0[part]) }))
      start = end
    }
    return paths
  }

  // MARK: - Writing

  /// A shape as a table; `nil` if it has no vertices, or is of another type than the file holds.
  static func table(
    _ geometry: Geometry, _ kind: Kind, hasZ: Bool, hasM: Bool
  ) -> FlatTableContents? {
    func table(_ paths: [Path], _ kind: Kind? = nil) -> FlatTableContents {
      self.table(paths, kind, hasZ: hasZ, hasM: hasM)
    }
    guard !geometry.isEmpty else { return nil }
    switch (kind, geometry) {
    case (.unknown, _):
      // Where the file does not say what its shapes are, each does so itself.
      let own = Kind(of: geometry.type)
      var whole = self.table(geometry, own, hasZ: hasZ, hasM: hasM)
      whole?.set(6, .number(UInt64(own.rawValue), size: 1))
      return whole
    case (.lines, .polyline):
      return self.table(geometry.paths, nil, hasZ: hasZ, hasM: hasM, isSetOfLines: true)
    case (.point, .point), (.points, .multipoint): return table(geometry.paths)
    case (.polygons, .polygon(let polygon)): return parts(polygon.rings, table)
    case (.polygons, .envelope(let envelope)): return parts(envelope.polygon.rings, table)
    default: return nil
    }
  }

  private static func parts(
    _ rings: [Path], _ table: ([Path], Kind?) -> FlatTableContents
  ) -> FlatTableContents {
    var areas: [[Path]] = []
    for ring in rings {
      if ring.signedArea > 0 || areas.isEmpty {
        areas.append([ring])
      } else {
        areas[areas.count - 1].append(ring)
      }
    }
    var whole = FlatTableContents()
    whole.set(7, .tables(areas.map { table($0, .polygon) }))
    return whole
  }

  private static func table(
    _ paths: [Path], _ kind: Kind?, hasZ: Bool, hasM: Bool, isSetOfLines: Bool = false
  ) -> FlatTableContents {
    var table = FlatTableContents()
    // GDAL 3.6 reads no set of lines without their ends, not even a set of one.
    if paths.count > 1 || isSetOfLines {
      var end = 0
      table.set(
        0,
        .words(
          paths.map { path in
            end += path.count
            return UInt32(end)
          }))
    }
    table.set(1, .doubles(paths.flatMap { $0.coordinates.flatMap { [$0.x, $0.y] } }))
    if hasZ { table.set(2, .doubles(paths.flatMap { ordinates($0, $0.height) })) }
    if hasM { table.set(3, .doubles(paths.flatMap { ordinates($0, $0.measure) })) }
    table.set(6, kind.map { .number(UInt64($0.rawValue), size: 1) })
    return table
  }

  /// What each vertex has beside its place; 0 where it has nothing.
  private static func ordinates(_ path: Path, _ value: (Int) -> Double) -> [Double] {
    (0..<path.count).map { index in
      let number = value(index)
      return number.isNaN ? 0 : number
    }
  }
}

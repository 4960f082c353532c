import PortolanGeometry
import Testing

@Suite struct GeometryEngineTests {
  static let square = Geometry.envelope(Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10))
  static let inner = Geometry.envelope(Envelope(xMin: 2, yMin: 2, xMax: 4, yMax: 4))
  static let neighbour = Geometry.envelope(Envelope(xMin: 10, yMin: 0, xMax: 12, yMax: 5))
  static let bowTie = Geometry.polygon(
    Polygon(rings: [
      Path([(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)].map { Coordinate(x: $0, y: $1) })
    ]))

  static func line(_ points: (Double, Double)...) -> Geometry {
    .polyline(Polyline(paths: [Path(points.map { Coordinate(x: $0.0, y: $0.1) })]))
  }

  @Test func `Shapes relate as expected`() throws {
    let across = Self.line((-5, 5), (15, 5))
    #expect(try GeometryEngine.isGeometry(Self.square, containing: Self.inner))
    #expect(try GeometryEngine.isGeometry(Self.inner, within: Self.square))
    #expect(try !GeometryEngine.isGeometry(Self.inner, containing: Self.square))
    #expect(try GeometryEngine.isGeometry(Self.square, touching: Self.neighbour))
    #expect(try GeometryEngine.isGeometry(Self.square, intersecting: Self.neighbour))
    #expect(try !GeometryEngine.isGeometry(Self.inner, intersecting: Self.neighbour))
    #expect(try GeometryEngine.isGeometry(across, crossing: Self.square))
    #expect(try !GeometryEngine.isGeometry(Self.square, overlapping: Self.inner))
    #expect(try GeometryEngine.isGeometry(Self.square, equivalentTo: Self.square))
  }

  @Test func `Overlays give polygons in our order`() throws {
    let difference = try GeometryEngine.difference(Self.square, Self.inner)
    guard case .polygon(let polygon) = difference else {
      Issue.record("no polygon")
      return
    }
    #expect(polygon.rings.map { $0.signedArea } == [100, -4])
    #expect(Polygon(arranging: polygon.rings) == polygon)
    #expect(GeometryEngine.area(of: difference) == 96)
    #expect(GeometryEngine.length(of: difference) == 48)
    let union = try GeometryEngine.union(Self.square, Self.neighbour)
    #expect(GeometryEngine.area(of: union) == 110)
    let common = try GeometryEngine.intersection(Self.square, Self.line((-5, 5), (15, 5)))
    #expect(GeometryEngine.length(of: common) == 10)
    #expect(try GeometryEngine.intersection(Self.inner, Self.neighbour).isEmpty)
  }

  @Test func `A union of polygons has no holes where they overlap`() throws {
    func square(_ west: Double) -> Polygon {
      let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
      return Polygon(rings: [Path(corners.map { Coordinate(x: west + $0.0, y: $0.1) })])
    }
    let union = try GeometryEngine.union([square(0), square(20), square(2), square(3), square(9)])
    #expect(GeometryEngine.area(of: .polygon(union)) == 28 + 16 + 16)
    #expect(union.rings.count == 3)
    let apart = try GeometryEngine.union([square(0), square(20), square(9)])
    #expect(apart.rings == [square(0), square(20), square(9)].flatMap(\.rings))
    #expect(try GeometryEngine.union([square(0)]) == square(0))
    #expect(try GeometryEngine.union([Polygon]()).rings.isEmpty)
  }

  @Test func `Self-intersecting areas are found, repaired and overlaid`() throws {
    #expect(try !GeometryEngine.isSimple(Self.bowTie))
    #expect(try GeometryEngine.isSimple(Self.square))
    #expect(try !GeometryEngine.isSimple(Self.line((0, 0), (4, 4), (4, 0), (0, 4))))
    let simplified = try GeometryEngine.simplify(Self.bowTie)
    #expect(try GeometryEngine.isSimple(simplified))
    #expect(GeometryEngine.area(of: simplified) == 8)
    let common = try GeometryEngine.intersection(Self.bowTie, Self.square)
    #expect(GeometryEngine.area(of: common) == 8)
  }

  @Test func `Buffers, hulls and generalized lines have the right size`() throws {
    let buffer = try GeometryEngine.buffer(around: .point(Point(x: 0, y: 0)), distance: 1)
    #expect(abs(GeometryEngine.area(of: .polygon(buffer)) - .pi) < 0.003)
    #expect(try GeometryEngine.buffer(around: Self.inner, distance: -5).rings.isEmpty)
    let zigzag = Self.line((0, 0), (1, 0.1), (2, -0.1), (3, 0))
    #expect(
      try GeometryEngine.generalize(zigzag, maxDeviation: 0.2) == Self.line((0, 0), (3, 0)))
    let hull = try GeometryEngine.convexHull(of: Self.bowTie)
    #expect(GeometryEngine.area(of: hull) == 16)
  }

  @Test func `A label is placed inside, also of a horseshoe`() throws {
    let horseshoe = Polygon(rings: [
      Path(
        [(0, 0), (9, 0), (9, 9), (8, 9), (8, 1), (1, 1), (1, 9), (0, 9), (0, 0)].map {
          Coordinate(x: $0, y: $1)
        })
    ])
    let label = try #require(try GeometryEngine.labelPoint(for: .polygon(horseshoe)))
    #expect(horseshoe.contains(label))
    #expect(try GeometryEngine.labelPoint(for: .polygon(Polygon(rings: []))) == nil)
  }

  @Test func `Heights are carried along`() throws {
    let path = Path(
      [(0, 0), (1, 0.01), (2, 0)].map { Coordinate(x: $0, y: $1) }, z: [1, 2, 3])
    let line = Geometry.polyline(Polyline(paths: [path]))
    let result = try GeometryEngine.generalize(line, maxDeviation: 1)
    #expect(result.paths[0].z == [1, 3])
  }

  /// Lengths from GeographicLib: a quarter of the meridian, and a degree of the equator.
  @Test func `Lengths and areas over the ground are those of the ellipsoid`() throws {
    let origin = Coordinate(x: 0, y: 0)
    let toPole = GeometryEngine.geodeticDistance(from: origin, to: Coordinate(x: 0, y: 90))
    #expect(abs(toPole - 10_001_965.729_312_7) < 1e-6)
    let degree = GeometryEngine.geodeticDistance(from: origin, to: Coordinate(x: 1, y: 0))
    #expect(abs(degree - 111_319.490_793_273_58) < 1e-6)
    let octant = Geometry.polygon(
      Polygon(rings: [
        Path([(0, 0), (90, 0), (0, 90), (0, 0)].map { Coordinate(x: $0, y: $1) })
      ]))
    let area = try GeometryEngine.geodeticArea(of: octant, in: .wgs84)
    #expect(abs(area / (510_065_621_724_088.5 / 8) - 1) < 1e-9)
    let mercator = try Projection(from: .wgs84, to: .webMercator)
    let line = Self.line((-111, 40), (-110, 41))
    let (direct, projected) = (
      try GeometryEngine.geodeticLength(of: line, in: .wgs84),
      try GeometryEngine.geodeticLength(of: mercator.project(line), in: .webMercator)
    )
    #expect(abs(direct - projected) < 1e-6)
    #expect(throws: GeometryError.self) {
      try GeometryEngine.geodeticLength(of: Self.line((0, 95), (1, 96)), in: .wgs84)
    }
  }

  static let unusable: [Geometry] = [
    .point(Point(x: .infinity, y: 0)), line((0, 0), (.nan, 1)), line((1, 1)),
    .polygon(Polygon(rings: [Path([Coordinate(x: 0, y: 0)])])),
    .polygon(Polygon(rings: [Path([(0, 0), (1, 0), (0, 0)].map { Coordinate(x: $0, y: $1) })])),
    .polygon(
      Polygon(rings: [Path([(0, 0), (1, 0), (1, 1), (0, 1)].map { Coordinate(x: $0, y: $1) })])),
    .multipoint(Multipoint(points: Path([Coordinate(x: 0, y: -.infinity)]))),
    .envelope(Envelope(xMin: 0, yMin: 0, xMax: .infinity, yMax: 1)),
  ]

  @Test(arguments: unusable) func `Shapes GEOS cannot take are refused`(_ shape: Geometry) {
    #expect(throws: GeometryError.self) { try GeometryEngine.isSimple(shape) }
    #expect(throws: GeometryError.self) { try PreparedGeometry(shape) }
    #expect(throws: GeometryError.self) {
      try GeometryEngine.isGeometry(Self.square, intersecting: shape)
    }
    #expect(throws: GeometryError.self) { try GeometryEngine.union(Self.square, shape) }
  }

  @Test func `Empty shapes relate to nothing and have no distance`() throws {
    let empties: [Geometry] = [
      .point(Point(x: .nan, y: .nan)), .polyline(Polyline(paths: [Path([])])),
      .polygon(Polygon(rings: [])), .multipoint(Multipoint(points: Path([]))), .envelope(.empty),
    ]
    for empty in empties {
      #expect(try !GeometryEngine.isGeometry(Self.square, intersecting: empty))
      #expect(try GeometryEngine.distance(from: empty, to: Self.square) == nil)
      #expect(try GeometryEngine.simplify(empty).isEmpty)
    }
  }

  @Test func `A prepared shape answers from many threads`() async throws {
    let prepared = try PreparedGeometry(Self.square)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          try (0..<50).reduce(0) { sum, step in
            let x = Double(worker + step) - 20
            let isIn = try prepared.intersects(.point(Point(x: x, y: 5)))
            return sum + (isIn == (x >= 0 && x <= 10) ? 1 : 0)
          }
        }
      }
      for try await agreements in group { #expect(agreements == 50) }
    }
    #expect(try prepared.contains(Self.inner))
    #expect(try prepared.isWithin(distance: 2.5, of: .point(Point(x: 12, y: 5))))
    #expect(try !prepared.isWithin(Self.inner))
  }
}

import PortolanGeometry
import Testing

/// The predicates written in Swift, held against GEOS.
@Suite struct HotPathTests {
  @Test(arguments: 1...20) func `Containment agrees with GEOS`(_ seed: UInt64) throws {
    var random = RandomShapes(seed: seed)
    let polygon = random.polygon(Int(random.number(4...60)))
    let prepared = try PreparedGeometry(.polygon(polygon))
    for _ in 0..<200 {
      let place = random.coordinate()
      let point = Geometry.point(Point(x: place.x, y: place.y))
      #expect(try polygon.contains(place) == prepared.intersects(point))
    }
    for vertex in polygon.rings.flatMap(\.coordinates) { #expect(polygon.contains(vertex)) }
  }

  @Test(arguments: 1...20) func `Containment on a grid agrees with GEOS`(_ seed: UInt64) throws {
    var random = RandomShapes(seed: seed)
    let corners = (0..<5).map { _ in random.gridCoordinate() }
    let hull = try GeometryEngine.convexHull(of: .multipoint(Multipoint(points: Path(corners))))
    guard case .polygon(let polygon) = hull else { return }
    for x in -10...10 {
      for y in -10...10 {
        let place = Coordinate(x: Double(x), y: Double(y))
        let point = Geometry.point(Point(x: place.x, y: place.y))
        #expect(
          try polygon.contains(place) == GeometryEngine.isGeometry(hull, intersecting: point))
      }
    }
  }

  @Test(arguments: 1...20) func `Distances agree with GEOS`(_ seed: UInt64) throws {
    var random = RandomShapes(seed: seed)
    let shapes: [Geometry] = [
      .polygon(random.polygon(17)), .polyline(Polyline(paths: [random.path(9), random.path(2)])),
      .multipoint(Multipoint(points: random.path(7))), .envelope(random.box()),
      .point(Point(x: random.number(-9...9), y: random.number(-9...9))),
    ]
    for shape in shapes {
      for _ in 0..<20 {
        let place = random.coordinate()
        let point = Geometry.point(Point(x: place.x, y: place.y))
        let expected = try #require(try GeometryEngine.distance(from: shape, to: point))
        #expect(abs(shape.squaredDistance(to: place).squareRoot() - expected) < 1e-12)
        let nearest = try #require(try GeometryEngine.nearestCoordinate(in: shape, to: place))
        #expect(abs(nearest.distance - expected) < 1e-12)
      }
    }
  }

  @Test(arguments: 1...20) func `Meeting a box agrees with GEOS`(_ seed: UInt64) throws {
    var random = RandomShapes(seed: seed)
    for _ in 0..<20 {
      let box = random.box()
      let shapes: [Geometry] = [
        .polygon(random.polygon(17)), .polyline(Polyline(paths: [random.path(3)])),
        .multipoint(Multipoint(points: random.path(3))), .envelope(random.box()),
        .point(Point(x: random.number(-9...9), y: random.number(-9...9))),
      ]
      for shape in shapes {
        let expected = try GeometryEngine.isGeometry(shape, intersecting: .envelope(box))
        #expect(shape.intersects(box) == expected)
      }
    }
  }

  @Test func `A box inside an area meets it, one in its hole does not`() {
    let outer = Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10).polygon.rings[0]
    let hole = Envelope(xMin: 2, yMin: 2, xMax: 8, yMax: 8).polygon.rings[0].reversed()
    let polygon = Polygon(rings: [outer, hole])
    #expect(polygon.intersects(Envelope(xMin: 0.5, yMin: 0.5, xMax: 1, yMax: 1)))
    #expect(!polygon.intersects(Envelope(xMin: 3, yMin: 3, xMax: 4, yMax: 4)))
    #expect(polygon.intersects(Envelope(xMin: -5, yMin: -5, xMax: 50, yMax: 50)))
    #expect(polygon.intersects(Envelope(xMin: 10, yMin: 10, xMax: 12, yMax: 12)))
    #expect(!polygon.intersects(.empty))
    #expect(!polygon.contains(Coordinate(x: 5, y: 5)))
    #expect(polygon.squaredDistance(to: Coordinate(x: 5, y: 5)) == 9)
  }

  @Test func `Empty and broken shapes are infinitely far away and meet nothing`() {
    let nowhere = Coordinate(x: .nan, y: .nan)
    let broken = Path([nowhere, nowhere])
    let shapes: [Geometry] = [
      .point(Point(x: .nan, y: .nan)), .multipoint(Multipoint(points: Path([]))),
      .polyline(Polyline(paths: [])), .polygon(Polygon(rings: [])), .envelope(.empty),
      .polyline(Polyline(paths: [broken, Path([])])), .polygon(Polygon(rings: [broken])),
    ]
    let world = Envelope(xMin: -1e9, yMin: -1e9, xMax: 1e9, yMax: 1e9)
    for shape in shapes {
      #expect(shape.squaredDistance(to: Coordinate(x: 0, y: 0)) == .infinity)
      #expect(!shape.intersects(world))
    }
  }
}

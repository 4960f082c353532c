import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite struct GeometryBlobProbeTests {
  typealias Shapes = GeometryBlobShapeTests

  private func blob(_ geometry: Geometry) throws -> [UInt8] {
    try GeometryBlobEncoder(
      precision: Shapes.precision, srid: 1, geometryType: geometry.type
    ).encode(geometry).bytes
  }

  private func probe(_ x: Double, _ y: Double, within tolerance: Double = 0) -> GeometryBlobProbe {
    GeometryBlobProbe(
      at: Coordinate(x: x, y: y), tolerance: tolerance, precision: Shapes.precision)
  }

  private func touches(_ probe: GeometryBlobProbe, _ bytes: [UInt8]) throws -> Bool {
    try unsafe bytes.withUnsafeBytes { try unsafe probe.touches($0) }
  }

  private func distance(_ probe: GeometryBlobProbe, _ bytes: [UInt8]) throws -> Double? {
    try unsafe bytes.withUnsafeBytes { try unsafe probe.distance(to: $0) }
  }

  @Test(arguments: [
    (5.0, 5.0, true), (3, 3, false), (7, 7, false), (1, 9, true), (25, 5, true), (15, 5, false),
    (-1, 5, false), (5, 11, false), (3, 5, true),
  ])
  func `Holes and parts count together`(_ x: Double, _ y: Double, _ isInside: Bool) throws {
    let rings = [Shapes.square, Shapes.hole, Shapes.otherHole, Shapes.farSquare]
    let bytes = try blob(.polygon(Polygon(rings: rings)))
    #expect(try touches(probe(x, y), bytes) == isInside)
    #expect(try (distance(probe(x, y), bytes) == 0) == isInside)
  }

  @Test(arguments: [
    (3.0, 0.5, true), (-3, 0.5, true), (0, 1, false), (0, -1, false), (5, 0, false),
    (3, -1.4, true), (-3, -1.4, true), (-2, 1.5, false),
  ])
  func `A ring that touches itself is one area`(
    _ x: Double, _ y: Double, _ isInside: Bool
  ) throws {
    let bytes = try blob(.polygon(Polygon(rings: [Shapes.bowTie])))
    #expect(try touches(probe(x, y), bytes) == isInside)
    // The same ring from the vertex that it passes twice, which a line can be written from.
    var crossed = try blob(.polyline(Polyline(paths: [Shapes.bowTie])))
    crossed[8] = GeometryBlobHeader.ShapeClass.polygon.rawValue << 2
    crossed[9] = 8
    #expect(try touches(probe(x, y), crossed) == isInside)
  }

  @Test func `The tolerance reaches to the edge of an area`() throws {
    let bytes = try blob(.polygon(Polygon(rings: [Shapes.square, Shapes.hole])))
    #expect(try touches(probe(-1, 5, within: 1), bytes))
    #expect(try !touches(probe(-1, 5, within: 0.99), bytes))
    #expect(try touches(probe(3, 3, within: 1), bytes))
    #expect(try distance(probe(3, 3), bytes) == 1)
    #expect(try distance(probe(13, 14), bytes) == 5)
  }

  @Test func `The distance to a line is that to its nearest segment`() throws {
    let paths = [Shapes.ring((0, 0), (10, 0)), Shapes.ring((20, 0), (30, 0))]
    let bytes = try blob(.polyline(Polyline(paths: paths)))
    #expect(try distance(probe(5, 3), bytes) == 3)
    #expect(try distance(probe(15, 0), bytes) == 5)
    #expect(try distance(probe(33, 4), bytes) == 5)
    #expect(try touches(probe(15, 0, within: 5), bytes))
    #expect(try !touches(probe(15, 0, within: 4.9), bytes))
  }

  @Test func `The distance to points is that to the nearest`() throws {
    let points = Shapes.ring((0, 0), (10, 0), (10, 10))
    let bytes = try blob(.multipoint(Multipoint(points: points)))
    #expect(try distance(probe(13, 4), bytes) == 5)
    #expect(try touches(probe(0, 1, within: 1), bytes))
  }

  @Test func `Nothing is near the nil shape`() throws {
    let bytes = try blob(.polygon(Polygon(rings: [])))
    #expect(try !touches(probe(0, 0, within: 1e9), bytes))
    #expect(try distance(probe(0, 0), bytes) == nil)
  }

  @Test(.needsSharedFiles, arguments: GeometryBlobVectorTests.vectors)
  func `A recorded shape is met where it is`(_ vector: BlobVector) throws {
    for vertex in vector.parts.joined().prefix(50) {
      let probe = GeometryBlobProbe(
        at: vertex, tolerance: 4 / vector.precision.xyScale, precision: vector.precision)
      #expect(try touches(probe, vector.bytes))
      #expect(try (distance(probe, vector.bytes) ?? 1) * vector.precision.xyScale <= 4)
    }
  }
}

import PortolanGeometry
import Testing

@testable import PortolanGeodatabase

@Suite struct GeometryBlobShapeTests {
  static let precision = CoordinatePrecision(xOrigin: -1_000, yOrigin: -1_000, xyScale: 64)

  static let square = ring((0, 0), (10, 0), (10, 10), (0, 10), (0, 0))
  static let hole = ring((2, 2), (2, 4), (4, 4), (4, 2), (2, 2))
  static let otherHole = ring((6, 6), (6, 8), (8, 8), (8, 6), (6, 6))
  static let farSquare = ring((20, 0), (30, 0), (30, 10), (20, 10), (20, 0))
  /// Touches itself at its first vertex, so that it must be written from another one.
  static let bowTie = ring((0, 0), (4, -2), (4, 2), (0, 0), (-4, 2), (-4, -2), (0, 0))

  static func ring(_ points: (Double, Double)...) -> Path {
    Path(points.map { Coordinate(x: $0.0, y: $0.1) })
  }

  static func withChannels(_ path: Path) -> Path {
    Path(
      path.coordinates, z: path.coordinates.indices.map { Double($0) + 0.5 },
      m: path.coordinates.indices.map { $0 == 1 ? -2.25 : Double($0) * 3 })
  }

  static let shapes: [Geometry] = [
    .point(Point(x: 1, y: 2)),
    .multipoint(Multipoint(points: ring((1, 2)))),
    .multipoint(Multipoint(points: ring((1, 2), (-10, 0), (-10.015625, 0), (3, 4)))),
    .multipoint(Multipoint(points: Path((0..<40).map { Coordinate(x: Double($0), y: 1) }))),
    .polyline(Polyline(paths: [ring((0, 0), (1, 1), (5, 0))])),
    .polyline(Polyline(paths: [ring((0, 0), (1, 1)), ring((2, 2), (3, 3)), ring((5, 5), (4, 9))])),
    .polyline(Polyline(paths: [Path((0..<11).map { Coordinate(x: Double($0), y: 0) })])),
    .polygon(Polygon(rings: [square])),
    .polygon(Polygon(rings: [square, hole, otherHole])),
    .polygon(Polygon(rings: [square, hole, otherHole, farSquare])),
    .polygon(Polygon(rings: [square, farSquare])),
  ]

  func encoder(
    for geometry: Geometry, hasZ: Bool = false, hasM: Bool = false
  )
    -> GeometryBlobEncoder
  {
    GeometryBlobEncoder(
      precision: Self.precision, srid: 300_001, geometryType: geometry.type, hasZ: hasZ,
      hasM: hasM)
  }

  @Test(arguments: shapes) func `A shape comes back as it was written`(
    _ geometry: Geometry
  ) throws {
    let encoded = try encoder(for: geometry).encode(geometry)
    #expect(encoded.extent == geometry.extent)
    let decoded = try encoded.bytes.decoded(Self.precision)
    #expect(decoded.geometry == geometry)
    #expect(decoded.unknownBytes == [])
  }

  @Test(arguments: shapes) func `Heights and measures come back with it`(
    _ geometry: Geometry
  ) throws {
    let geometry = geometry.mapPaths(Self.withChannels)
    let encoded = try encoder(for: geometry, hasZ: true, hasM: true).encode(geometry)
    #expect(try encoded.bytes.decoded(Self.precision).geometry == geometry)
    let flat = try encoder(for: geometry, hasM: true).encode(geometry)
    let paths = try #require(try flat.bytes.decoded(Self.precision).geometry).paths
    #expect(paths.allSatisfy { $0.z == nil })
    #expect(paths.map(\.m) == geometry.paths.map(\.m))
  }

  @Test func `A missing height is nought and a missing measure stays missing`() throws {
    let line = Geometry.polyline(Polyline(paths: [Self.ring((0, 0), (1, 1))]))
    let encoded = try encoder(for: line, hasZ: true, hasM: true).encode(line)
    let path = try #require(try encoded.bytes.decoded(Self.precision).geometry?.paths.first)
    #expect(path.z == [0, 0])
    #expect(path.m?.allSatisfy(\.isNaN) == true)
  }

  @Test func `A point without a height or a measure stays without it`() throws {
    for point in [Point(x: 1, y: 2), Point(x: 1, y: 2, z: 3), Point(x: 1, y: 2, m: 4)] {
      let encoded = try encoder(for: .point(point), hasZ: true, hasM: true).encode(.point(point))
      #expect(try encoded.bytes.decoded(Self.precision).geometry == .point(point))
    }
  }

  @Test func `No shape is written as the samples have it`() throws {
    let encoder = GeometryBlobEncoder(precision: .degrees, srid: 4326, geometryType: .polygon)
    let encoded = try encoder.encode(nil)
    #expect(encoded.bytes == [UInt8](hex: "64e610000000000018000000000001000000"))
    #expect(try encoder.encode(.polygon(Polygon(rings: []))) == encoded)
    #expect(try encoded.bytes.decoded(.degrees).geometry == nil)
  }

  @Test func `The published point decodes`() throws {
    let bytes = [UInt8](hex: "64E610000100000004010C0000000000000080A8B3D7AB1780A8B3D7AB17")
    #expect(try bytes.decoded(.degrees).geometry == .point(Point(x: 1, y: 1)))
  }

  @Test func `A hole that comes as a part of its own is a hole`() throws {
    let parts = [Self.square, Self.farSquare, Self.hole]
    let encoder = GeometryBlobEncoder(
      precision: Self.precision, srid: 1, geometryType: .polyline)
    var bytes = try encoder.encode(.polyline(Polyline(paths: parts))).bytes
    bytes[8] = GeometryBlobHeader.ShapeClass.polygon.rawValue << 2
    bytes[9] = 0x48
    #expect(
      try bytes.decoded(Self.precision).geometry
        == .polygon(Polygon(rings: [Self.square, Self.hole, Self.farSquare])))
  }

  @Test func `A ring that touches itself at its first vertex stays one ring`() throws {
    let shape = Geometry.polygon(Polygon(rings: [Self.bowTie]))
    let encoded = try encoder(for: shape).encode(shape)
    guard case .polygon(let polygon) = try encoded.bytes.decoded(Self.precision).geometry else {
      return #expect(Bool(false), "no polygon")
    }
    #expect(polygon.rings.count == 1)
    #expect(abs(polygon.rings[0].signedArea) == abs(Self.bowTie.signedArea))
    #expect(polygon.rings[0].count == Self.bowTie.count)
  }

  @Test func `A ring that repeats each of its vertices is written without the repetitions`() throws
  {
    let points = Array(repeating: (1.0, 1.0), count: 5) + Array(repeating: (2.0, 5.0), count: 5)
    let shape = Geometry.polygon(Polygon(rings: [Path(points.map { Coordinate(x: $0, y: $1) })]))
    let encoder = encoder(for: shape)
    let once = try encoder.encode(shape)
    let again = try #require(try once.bytes.decoded(Self.precision).geometry)
    #expect(again.paths.map(\.count) == [3])
    #expect(try encoder.encode(again).bytes == once.bytes)
  }

  @Test func `A ring that goes around twice has a part for itself`() throws {
    let around = Self.square.coordinates
    let twice = Path(around + around.dropFirst())
    let shape = Geometry.polygon(Polygon(rings: [twice, Self.farSquare]))
    let encoder = encoder(for: shape)
    let once = try encoder.encode(shape)
    let again = try #require(try once.bytes.decoded(Self.precision).geometry)
    #expect(again.paths.map(\.count) == [twice.count, Self.farSquare.count])
    #expect(try encoder.encode(again).bytes == once.bytes)
  }

  @Test func `A ring whose end is ambiguous is refused`() throws {
    // Each of P, Q, a, b, c, d, e and f is passed twice, and P and Q end loops in turn.
    let ring = Self.ring(
      (0, 0), (1, 0), (1, 1), (0, 0), (5, 5), (6, 5), (6, 6), (5, 5),
      (0, 0), (1, 0), (1, 1), (0, 0), (5, 5), (6, 5), (6, 6), (5, 5), (0, 0), (1, 0), (1, 1), (0, 0)
    )
    let shape = Geometry.polygon(Polygon(rings: [ring]))
    #expect(throws: GeometryBlobError.ambiguousRing) {
      try encoder(for: shape).encode(shape)
    }
  }

  @Test func `Rings too short to enclose anything are kept`() throws {
    let shape = Geometry.polygon(
      Polygon(rings: [Self.square, Self.ring((1, 1), (2, 2), (1, 1)), Self.ring((5, 5), (5, 5))]))
    let encoded = try encoder(for: shape).encode(shape)
    let paths = try #require(try encoded.bytes.decoded(Self.precision).geometry).paths
    #expect(paths.map(\.count) == [5, 3, 2])
  }

  @Test(arguments: [false, true], [false, true])
  func `A header against the rules of the format is read all the same`(
    _ hasBox: Bool, _ hasPartList: Bool
  ) throws {
    let paths = [Self.ring((0, 0), (1, 1), (2, 5)), Self.ring((2, 2), (3, 3))]
    let line = Geometry.polyline(Polyline(paths: paths))
    let encoded = try encoder(for: line).encode(line).bytes
    let start = Array(encoded[0..<10])
    let rest = Array(encoded[12...])
    var bytes = start
    if hasBox {
      for edge: Int64 in [64_000, 64_000, 64_192, 64_320] { bytes.appendVarint(edge) }
    }
    if hasPartList { bytes += encoded[10..<12] }
    #expect(try (bytes + rest).decoded(Self.precision).geometry == line)
  }

  @Test func `Bytes after the coordinates are kept and shown`() throws {
    let line = Self.shapes[4]
    let bytes = try encoder(for: line).encode(line).bytes
    let decoded = try (bytes + [1, 2, 3]).decoded(Self.precision)
    #expect(decoded.geometry == line)
    #expect(decoded.unknownBytes == [1, 2, 3])
    // The same inside the stream: a channel that no flag names.
    var longer = bytes + [7, 8]
    longer[10] += 2
    #expect(try longer.decoded(Self.precision).unknownBytes == [7, 8])
  }

  @Test(arguments: [Double.nan, .infinity, -1_000.01, 1e15])
  func `A coordinate off the grid is refused`(_ x: Double) {
    let line = Geometry.polyline(Polyline(paths: [Self.ring((0, 0), (x, 1))]))
    #expect(throws: GeometryBlobError.self) { try encoder(for: line).encode(line) }
  }

  @Test func `A shape of another type is refused`() {
    let point = Geometry.point(Point(x: 0, y: 0))
    #expect(throws: GeometryBlobError.wrongType(expected: .polygon, found: .point)) {
      try encoder(for: .polygon(Polygon(rings: []))).encode(point)
    }
  }

  @Test func `Counts that the bytes cannot hold are refused before memory is taken`() throws {
    var bytes = try encoder(for: Self.shapes[0]).encode(Self.shapes[0]).bytes
    bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0x7F])
    #expect(throws: GeometryBlobError.inconsistentHeader) { try bytes.decoded(Self.precision) }
    bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: GeometryBlobError.inconsistentHeader) { try bytes.decoded(Self.precision) }
  }

  @Test(arguments: shapes) func `Random damage never takes the process down`(
    _ geometry: Geometry
  ) throws {
    let bytes = try encoder(for: geometry).encode(geometry).bytes
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        copy[Int.random(in: 1..<copy.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      // A changed coordinate is as good a shape as any; only the bounds are of interest.
      let decoded = try? copy.decoded(Self.precision)
      #expect((decoded?.geometry?.paths.reduce(0) { $0 + $1.count } ?? 0) <= copy.count)
    }
  }
}

extension Geometry {
  fileprivate func mapPaths(_ transform: (Path) -> Path) -> Geometry {
    switch self {
    case .point(let point):
      .point(Point(x: point.x, y: point.y, z: 12.5, m: -7))
    case .multipoint(let multipoint): .multipoint(Multipoint(points: transform(multipoint.points)))
    case .polyline(let line): .polyline(Polyline(paths: line.paths.map(transform)))
    case .polygon(let polygon): .polygon(Polygon(rings: polygon.rings.map(transform)))
    case .envelope: self
    }
  }
}

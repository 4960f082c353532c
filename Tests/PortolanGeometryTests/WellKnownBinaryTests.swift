import PortolanGeometry
import PortolanJSON
import Testing

@Suite struct WellKnownBinaryTests {
  static let shapes: [JSONValue] = [
    ["x": 1.5, "y": -2], ["x": 1, "y": 2, "z": 3], ["x": 1, "y": 2, "m": 4],
    ["x": 1, "y": 2, "z": 3, "m": 4], ["points": []], ["points": [[1, 2], [3, 4]]],
    ["hasZ": true, "points": [[1, 2, 3], [3, 4, 5]]], ["paths": []],
    ["paths": [[[0, 1], [2, 3]], [[4, 5], [6, 7], [8, 9]]]],
    ["hasZ": true, "hasM": true, "paths": [[[0, 1, 2, 3], [4, 5, 6, 7]]]], ["rings": []],
    [
      "rings": [
        [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]],
        [[20, 0], [20, 9], [29, 9], [20, 0]],
      ]
    ],
  ]

  static func read(_ bytes: [UInt8]) throws -> Geometry {
    try Geometry(wellKnownBinary: bytes.span.bytes)
  }

  @Test(arguments: shapes) func `A written geometry is read back`(_ value: JSONValue) throws {
    let geometry = try Geometry(esriJSON: value)
    #expect(try Self.read(geometry.wellKnownBinary()) == geometry)
  }

  @Test(arguments: shapes) func `Damaged bytes give an error or a shape`(_ value: JSONValue) throws
  {
    let bytes = try Geometry(esriJSON: value).wellKnownBinary()
    for count in 0..<bytes.count {
      #expect(throws: GeometryError.self) { try Self.read(Array(bytes.prefix(count))) }
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        // Only that it ends matters: a flipped ordinate is a shape like any other.
        _ = try? Self.read(damaged)
      }
    }
  }

  @Test(arguments: [
    ("00000000013ff00000000000004000000000000000", Point(x: 1, y: 2)),
    ("0101000000000000000000f03f0000000000000040", Point(x: 1, y: 2)),
    ("01e9030000000000000000f03f00000000000000400000000000000840", Point(x: 1, y: 2, z: 3)),
    ("0101000080000000000000f03f00000000000000400000000000000840", Point(x: 1, y: 2, z: 3)),
    ("01d1070000000000000000f03f00000000000000400000000000000840", Point(x: 1, y: 2, m: 3)),
    ("0101000020e6100000000000000000f03f0000000000000040", Point(x: 1, y: 2)),
  ])
  func `Other writers' points are read`(_ text: String, _ expected: Point) throws {
    #expect(try Self.read(Self.bytes(text)) == .point(expected))
  }

  @Test func `An empty point is not-a-number`() throws {
    let bytes = Geometry.point(Point(x: .nan, y: .nan)).wellKnownBinary()
    #expect(try Self.read(bytes).isEmpty)
  }

  @Test func `The first ring is the exterior, whatever its winding`() throws {
    let clockwise = Path(
      [(0, 0), (0, 9), (9, 9), (0, 0)].map { Coordinate(x: $0, y: $1) })
    let bytes = Geometry.polygon(Polygon(rings: [clockwise])).wellKnownBinary()
    #expect(try Self.read(bytes).paths[0].signedArea > 0)
  }

  @Test(arguments: [
    "", "02", "0101000000", "010700000000000000", "011000000000000000", "016300000000000000",
    "0102000000ffffffff", "0106000000ffffff7f", "0106000000010000000101000000000000000000",
    "01a00f000000000000",
  ])
  func `Hostile bytes give an error`(_ text: String) {
    #expect(throws: GeometryError.self) { try Self.read(Self.bytes(text)) }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// A shape of a kind with its parts.
  private static func shape(_ kind: UInt64, _ parts: [[UInt8]]) -> [UInt8] {
    [1] + bytes(kind, 4) + bytes(UInt64(parts.count), 4) + parts.flatMap(\.self)
  }

  /// A line, or a ring without what precedes it in one, of a kind.
  private static func line(_ kind: UInt64, _ vertices: [[Double]]) -> [UInt8] {
    shape(kind, vertices.map { $0.flatMap { bytes($0.bitPattern, 8) } })
  }

  @Test func `Arcs become lines between positions on their circle`() throws {
    let arc = try Self.read(Self.line(8, [[0, 0], [1, 1], [2, 0]]))
    let path = try #require(arc.paths.first)
    #expect(arc.type == .polyline && path.count == 91)
    let ends = [path.coordinates[0], path.coordinates[45], path.coordinates[90]]
    #expect(ends == [(0, 0), (1, 1), (2, 0)].map { Coordinate(x: $0, y: $1) })
    #expect(
      path.coordinates.allSatisfy { place in
        let (x, y) = (place.x - 1, place.y)
        return abs((x * x + y * y).squareRoot() - 1) < 1e-12 && y > -1e-12
      })
    let circle = try Self.read(Self.shape(10, [Self.line(8, [[0, 0], [2, 0], [0, 0]])]))
    #expect(circle.type == .polygon && circle.paths.map(\.count) == [181])
    let ring = try #require(circle.paths.first)
    #expect(abs(ring.signedArea - Double.pi) < 0.01)
  }

  @Test func `Heights change evenly along an arc`() throws {
    let arc = try Self.read(Self.line(1008, [[0, 0, 0], [1, 1, 45], [2, 0, 0]]))
    let heights = try #require(arc.paths.first?.z)
    #expect(heights.count == 91 && heights[45] == 45 && heights[90] == 0)
    #expect(zip(heights.indices, heights).allSatisfy { abs(Double(min($0, 90 - $0)) - $1) < 1e-9 })
  }

  @Test(arguments: [
    // One line after the other, with the vertex in which they meet once.
    (shape(9, [line(2, [[0, 0], [1, 1]]), line(2, [[1, 1], [2, 0]])]), [3]),
    // Positions in a line are no arc.
    (line(8, [[0, 0], [1, 0], [2, 0]]), [3]), (line(8, [[0, 0], [1, 0]]), [2]),
    // Nor are those that are so but for their last digits.
    (
      line(
        8,
        [
          [9.138297528470725, 47.615407701426726], [9.137944861243227, 47.61540771234123],
          [9.137592194015731, 47.615407723255736],
        ]), [3]
    ),
    (shape(11, [line(2, [[0, 0], [1, 1]]), shape(9, [line(2, [[5, 5], [6, 6]])])]), [2, 2]),
    (shape(10, [line(2, [[0, 0], [4, 0], [4, 4], [0, 0]])]), [4]),
    (shape(12, [shape(10, [line(2, [[0, 0], [4, 0], [4, 4], [0, 0]])])]), [4]),
  ])
  func `Curves without arcs are the lines that they are made of`(
    _ bytes: [UInt8], _ counts: [Int]
  ) throws {
    #expect(try Self.read(bytes).paths.map(\.count) == counts)
  }

  @Test func `A surface of areas is these areas`() throws {
    let rings = Path([(0, 0), (9, 0), (9, 9), (0, 0)].map { Coordinate(x: $0, y: $1) })
    let area = Geometry.polygon(Polygon(rings: [rings]))
    // The first byte says the order of bytes, the next the kind: a set of areas is a surface then.
    var bytes = area.wellKnownBinary()
    bytes[1] = 12
    #expect(try Self.read(bytes) == area)
  }

  @Test(arguments: [
    shape(9, [shape(9, [])]), shape(10, [line(1, [])]), shape(12, [line(2, [])]), shape(16, []),
  ])
  func `Curves of parts that they cannot have give an error`(_ bytes: [UInt8]) {
    #expect(throws: GeometryError.self) { try Self.read(bytes) }
  }

  @Test func `Arcs without end are refused`() {
    let vertices = (0..<40_003).map { [Double($0), Double($0 % 2)] }
    #expect(
      throws: GeometryError.unsupported(
        .wellKnownBinary, feature: "a shape of more than 20000 arcs")
    ) { try Self.read(Self.line(8, vertices)) }
  }
}

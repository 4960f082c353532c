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
    "", "02", "0101000000", "010700000000000000", "010800000000000000", "016300000000000000",
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
}

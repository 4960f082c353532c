import PortolanGeodatabase
import PortolanGeometry
import Testing

@testable import PortolanGeoPackage

/// The reading of the header of a shape, by which spatial indexes and extents are kept.
@Suite struct GeoPackageBinaryTests {
  /// A header with the edges of a box, and a point at (3, 4) behind it.
  private static func bytes(
    flags: UInt8, _ edges: [Double] = [], bigEndian isBig: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x47, 0x50, 0, flags, 0, 0, 0, 0]
    for edge in edges {
      let bits = isBig ? edge.bitPattern.bigEndian : edge.bitPattern.littleEndian
      withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
    }
    return bytes + Geometry.point(Point(x: 3, y: 4)).wellKnownBinary()
  }

  private func extent(_ bytes: [UInt8]) throws -> Envelope? {
    try bytes.withUnsafeBytes { try GeoPackageBinary.extent(of: $0) }
  }

  private func geometry(_ bytes: [UInt8]) throws -> Geometry? {
    try bytes.withUnsafeBytes { try GeoPackageBinary.geometry(of: $0) }
  }

  private static let box = Envelope(xMin: 1, yMin: 5, xMax: 2, yMax: 7)
  private static let point = Envelope(xMin: 3, yMin: 4, xMax: 3, yMax: 4)

  @Test(
    arguments: [
      // Without a box the shape itself is looked at, as with one that holds nothing.
      (bytes(flags: 0b0000_0001), point), (bytes(flags: 0b0000_0011, [2, 1, 5, 7]), point),
      // West, east, south and north, then heights and measures.
      (bytes(flags: 0b0000_0011, [1, 2, 5, 7]), box),
      (bytes(flags: 0b0000_0010, [1, 2, 5, 7], bigEndian: true), box),
      (bytes(flags: 0b0000_0101, [1, 2, 5, 7, 8, 9]), box),
      (bytes(flags: 0b0000_0111, [1, 2, 5, 7, 8, 9]), box),
      (bytes(flags: 0b0000_1001, [1, 2, 5, 7, 8, 9, 8, 9]), box),
      // Said to be empty.
      (bytes(flags: 0b0001_0001), nil),
    ] as [([UInt8], Envelope?)])
  func `The box is the one in the header, or else that of the shape`(
    _ bytes: [UInt8], _ box: Envelope?
  ) throws {
    #expect(try extent(bytes) == box)
    #expect(try geometry(bytes) == .point(Point(x: 3, y: 4)))
  }

  @Test func `The box that is written has its edges west, east, south and north`() throws {
    let line = Path([Coordinate(x: 1, y: 5), Coordinate(x: 2, y: 7)])
    let encoder = GeoPackageBinaryEncoder(
      srsID: 0, geometryType: .polyline, hasZ: false, hasM: false)
    var written: [UInt8] = []
    let encoded = try encoder.encode(.polyline(Polyline(paths: [line])), into: &written)
    #expect(encoded.extent == Self.box)
    let header = Self.bytes(flags: 0b0000_0011, [1, 2, 5, 7]).prefix(40)
    #expect(written.prefix(40) == header)
    #expect(try extent(written) == Self.box)
  }

  @Test(
    arguments: [
      (
        Array(bytes(flags: 1).dropFirst(1)),
        .damaged(reason: "the shape does not begin as shapes in GeoPackages do")
      ),
      (
        Array(bytes(flags: 1).prefix(8)),
        .damaged(reason: "the shape does not begin as shapes in GeoPackages do")
      ),
      (bytes(flags: 0b0010_0001), .unsupported(feature: "an extended kind of shape")),
      (bytes(flags: 0b0000_1011), .damaged(reason: "the kind of its box, 5, is not known")),
      (
        Array(bytes(flags: 0b0000_0011, [1, 2, 5, 7]).prefix(40)),
        .damaged(reason: "the shape ends too early")
      ),
    ] as [([UInt8], StoredShapeError)])
  func `A header that cannot be read says why`(_ bytes: [UInt8], _ error: StoredShapeError) {
    #expect(throws: error) { try extent(bytes) }
    #expect(throws: error) { try geometry(bytes) }
  }
}

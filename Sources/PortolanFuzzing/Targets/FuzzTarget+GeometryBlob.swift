internal import Foundation
internal import PortolanGeodatabase
internal import PortolanGeometry

extension FuzzTarget {
  /// A blob is decoded, measured, probed, and what came of it is encoded and decoded again.
  static let geometryBlob = FuzzTarget("geometry-blob", seeds: GeometrySeeds.blobs) { data in
    let bytes = [UInt8](data)
    let precision = CoordinatePrecision.webMercator
    probe(bytes, precision)
    // A blob with a good box may have damaged vertices.
    _ = try? GeometryBlob.extent(of: bytes.span.bytes, precision: precision)
    let decoded = try GeometryBlob.decode(bytes.span.bytes, precision: precision)
    guard let shape = decoded.geometry else { return }
    let count = shape.paths.reduce(0) { $0 + $1.count }
    try FuzzFinding.check(count <= bytes.count, "holds more vertices than bytes")
    try checkRoundTrip(shape, precision)
  }

  private static func probe(_ bytes: [UInt8], _ precision: CoordinatePrecision) {
    for tolerance in [0, 1000.0] {
      let probe = GeometryBlobProbe(
        at: Coordinate(x: -7_600_000, y: 5_500_000), tolerance: tolerance, precision: precision)
      unsafe bytes.withUnsafeBytes {
        // Damaged blobs touch nothing; what counts is that the probe comes back.
        _ = try? unsafe probe.touches($0)
        // The same.
        _ = try? unsafe probe.distance(to: $0)
      }
    }
  }

  private static func checkRoundTrip(
    _ shape: Geometry, _ precision: CoordinatePrecision
  ) throws {
    let paths = shape.paths
    let encoder = GeometryBlobEncoder(
      precision: precision, srid: 3857, geometryType: shape.type,
      hasZ: paths.contains { $0.z != nil }, hasM: paths.contains { $0.m != nil })
    let encoded = try encoder.encode(shape)
    let again = try FuzzFinding.mustWork("decoded again") {
      try GeometryBlob.decode(encoded.bytes.span.bytes, precision: precision)
    }
    let copy = try FuzzFinding.mustWork("encoded again") { try encoder.encode(again.geometry) }
    try FuzzFinding.check(copy.bytes == encoded.bytes, "is encoded differently the second time")
  }
}

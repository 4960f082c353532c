import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase
@testable import PortolanGeometry

/// A recorded blob with what it must decode to.
struct BlobVector: CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let precision: CoordinatePrecision
  let srid: Int
  let parts: [[Coordinate]]
  let z: [Double]?
  let hasBox: Bool
  let partCounts: [Int]?

  var testDescription: String { name }

  static func all() throws -> [BlobVector] {
    let path = "fixtures/geometry/geometry-blob-vectors.json"
    let list = try JSONValue(parsing: SharedFiles.data(path))
    return try (list.array ?? []).map { try BlobVector($0) }
  }

  private init(_ json: JSONValue) throws {
    name = "\(json["table"]?.string ?? "")-\(json["rowid"]?.int ?? 0)"
    bytes = try [UInt8](hex: #require(json["hex"]?.string))
    let xy = (json["xy"]?.array ?? []).compactMap(\.double)
    try #require(xy.count == 3)
    let z = json["zdomain"]?.array?.compactMap(\.double) ?? [-100_000, 10_000]
    precision = CoordinatePrecision(
      xOrigin: xy[0], yOrigin: xy[1], xyScale: xy[2], zOrigin: z[0], zScale: z[1])
    srid = try #require(json["srid"]?.int)
    parts = (json["parts"]?.array ?? []).map { part in
      (part.array ?? []).map { Coordinate(x: $0[0]?.double ?? .nan, y: $0[1]?.double ?? .nan) }
    }
    self.z = json["z"]?.array?.flatMap { ($0.array ?? []).compactMap(\.double) }
    hasBox = json["has_bbox"]?.bool ?? false
    partCounts = json["part_counts"]?.array?.compactMap(\.int)
  }
}

extension [UInt8] {
  init(hex: String) {
    self = stride(from: 0, to: hex.count - 1, by: 2).compactMap { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
  }

  /// The blob without what no reader knows the meaning of: the padding of the size and two bits.
  func withoutStaleBits() throws -> [UInt8] {
    let header = try unsafe withUnsafeBytes { try unsafe GeometryBlobHeader($0) }
    let slot = header.isNil ? 10 : header.stream.lowerBound - 8
    var copy = self
    let sizeEnd = self[slot..<slot + 4].firstIndex { $0 & 0x80 == 0 } ?? slot + 3
    for index in sizeEnd + 1..<slot + 4 { copy[index] = 0 }
    copy[slot + 5] &= 0x03
    copy[slot + 7] = 0
    return copy
  }

  func decoded(
    _ precision: CoordinatePrecision
  ) throws(GeometryBlobError) -> GeometryBlob.Decoded {
    try GeometryBlob.decode(span.bytes, precision: precision)
  }
}

extension GeometryBlobEncoder {
  /// An encoder that writes what stands in a blob.
  init(like blob: [UInt8], precision: CoordinatePrecision) throws {
    let header = try unsafe blob.withUnsafeBytes { try unsafe GeometryBlobHeader($0) }
    let type: GeometryType =
      switch header.shapeClass {
      case .point: .point
      case .multipoint: .multipoint
      case .line: .polyline
      case .polygon: .polygon
      }
    self.init(
      precision: precision, srid: header.srid, geometryType: type, hasZ: header.hasZ,
      hasM: header.hasM)
  }
}

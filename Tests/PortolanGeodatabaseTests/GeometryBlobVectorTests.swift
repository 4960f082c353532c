import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.needsSharedFiles) struct GeometryBlobVectorTests {
  static let vectors: [BlobVector] =
    SharedFiles.isPresent ? (try? BlobVector.all()) ?? [] : []

  @Test func `There are vectors of every kind`() {
    #expect(Self.vectors.count == 36)
  }

  @Test(arguments: vectors) func `A recorded blob decodes to the last bit`(
    _ vector: BlobVector
  ) throws {
    let decoded = try vector.bytes.decoded(vector.precision)
    #expect(decoded.unknownBytes == [])
    #expect(decoded.geometry?.paths.map(\.coordinates) ?? [] == vector.parts)
    if let z = vector.z {
      #expect(decoded.geometry?.paths.flatMap { $0.z ?? [] } == z)
    } else {
      #expect(decoded.geometry?.paths.allSatisfy { $0.z == nil } ?? true)
    }
  }

  @Test(arguments: vectors) func `A decoded blob is written as it was`(
    _ vector: BlobVector
  ) throws {
    let geometry = try vector.bytes.decoded(vector.precision).geometry
    let encoder = try GeometryBlobEncoder(like: vector.bytes, precision: vector.precision)
    let encoded = try encoder.encode(geometry)
    #expect(encoded.bytes == (try vector.bytes.withoutStaleBits()))
    #expect(encoded.extent == geometry?.extent)
    #expect(encoder.srid == vector.srid)
  }

  @Test(arguments: vectors) func `The box of a blob is that of its vertices`(
    _ vector: BlobVector
  ) throws {
    let geometry = try vector.bytes.decoded(vector.precision).geometry
    let extent = try GeometryBlob.extent(of: vector.bytes.span.bytes, precision: vector.precision)
    #expect(extent == geometry?.extent)
  }

  @Test(arguments: vectors) func `Every beginning of a blob is refused`(
    _ vector: BlobVector
  ) throws {
    for count in 0..<vector.bytes.count {
      let prefix = Array(vector.bytes.prefix(count))
      #expect(throws: GeometryBlobError.self) { try prefix.decoded(vector.precision) }
    }
  }

  @Test(arguments: vectors.filter { $0.bytes.count < 600 })
  func `A blob with a wrong byte decodes or is refused`(_ vector: BlobVector) throws {
    for index in vector.bytes.indices {
      for mask: UInt8 in [0x01, 0x40, 0x80, 0xFF] {
        var bytes = vector.bytes
        bytes[index] ^= mask
        // Either is right; what counts is that the process lives and stays small.
        guard let decoded = try? bytes.decoded(vector.precision) else { continue }
        let count = decoded.geometry?.paths.reduce(0) { $0 + $1.count } ?? 0
        #expect(count <= bytes.count)
      }
    }
  }
}

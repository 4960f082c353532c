import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The invariants of every shape of every sample, current or not.
@Suite(.needsSharedFiles) struct SampleShapeTests {
  @Test(arguments: SampleGeodatabase.all)
  func `Every shape decodes, lies in its box of the index, and is written as it was`(
    _ sample: SampleGeodatabase
  ) throws {
    let reader = try GeodatabaseReader(at: sample.url)
    for table in sample.tables.map(\.name) + ["GDB_Items"] {
      let storage = try reader.storage(of: table)
      let geometry = try #require(storage.geometry)
      let precision = try #require(geometry.precision)
      let index = try #require(geometry.index)
      let query = try reader.connection.query(
        """
        SELECT t.rowid, t."\(geometry.name)", r.minx, r.maxx, r.miny, r.maxy FROM "\(table)" AS t
        LEFT JOIN "\(index)" AS r ON r.pkid = t.rowid WHERE t."\(geometry.name)" IS NOT NULL
        """)
      var count = 0
      while try query.step() {
        let bytes = [UInt8](query.blob(at: 1))
        let decoded = try bytes.decoded(precision)
        #expect(decoded.unknownBytes == [])
        let encoder = try GeometryBlobEncoder(like: bytes, precision: precision)
        let encoded = try encoder.encode(decoded.geometry)
        #expect(encoded.bytes == (try bytes.withoutStaleBits()), "\(table) \(query.integer(at: 0))")
        #expect(decoded.geometry == nil || !query.isNull(at: 2))
        if let extent = decoded.geometry?.extent {
          count += 1
          let box = Envelope(
            xMin: query.real(at: 2), yMin: query.real(at: 4), xMax: query.real(at: 3),
            yMax: query.real(at: 5))
          #expect(box.contains(extent))
          #expect(try GeometryBlob.extent(of: bytes.span.bytes, precision: precision) == extent)
        }
      }
      let expected = sample.tables.first { $0.name == table }?.shapeCount
      #expect(expected ?? count == count)
    }
  }

  /// The integers over the scale, computed here in the plainest way.
  @Test(arguments: SampleGeodatabase.all)
  func `Every vertex of every feature is the file's own integers over its scale`(
    _ sample: SampleGeodatabase
  ) throws {
    let reader = try GeodatabaseReader(at: sample.url)
    for table in sample.tables {
      let storage = try reader.storage(of: table.name)
      let geometry = try #require(storage.geometry)
      let precision = try #require(geometry.precision)
      var blobs: [Int64: [UInt8]] = [:]
      let query = try reader.connection.query(
        """
        SELECT "\(storage.objectIDColumn)", "\(geometry.name)" FROM "\(table.name)" AS t
        \(storage.isCurrent("t").map { "WHERE \($0)" } ?? "")
        """)
      while try query.step() { blobs[query.integer(at: 0)] = [UInt8](query.blob(at: 1)) }
      let features = try reader.features(in: table.name, matching: .init())
      #expect(features.count == blobs.count)
      for feature in features {
        let plain = PlainBlob(try #require(blobs[feature.objectID]), precision)
        #expect(feature.geometry?.paths.flatMap(\.coordinates) ?? [] == plain.coordinates)
        #expect(feature.geometry?.paths.flatMap { $0.z ?? [] } ?? [] == plain.z)
      }
    }
  }
}

/// A second, slow and simple reader of blobs, to hold against the real one.
private struct PlainBlob {
  var coordinates: [Coordinate] = []
  var z: [Double] = []

  init(_ bytes: [UInt8], _ precision: CoordinatePrecision) {
    let count = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count > 0 else { return }
    var offset = 10
    func next() -> Int64 {
      let first = bytes[offset]
      var (value, shift) = (Int64(first & 0x3F), 6)
      while bytes[offset] & 0x80 != 0 {
        offset += 1
        value += Int64(bytes[offset] & 0x7F) << Int64(shift)
        shift += 7
      }
      offset += 1
      return first & 0x40 == 0 ? value : -value
    }
    if count > 10 { for _ in 0..<4 { _ = next() } }
    if bytes[9] & 0x40 != 0, bytes[8] >> 2 > 2 { for _ in 0..<next() { _ = next() } }
    let hasZ = bytes[offset + 5] & 1 != 0
    offset += 8
    var (x, y, height): (Int64, Int64, Int64) = (0, 0, 0)
    var isVertex: [Bool] = []
    for _ in 0..<count {
      x += next()
      y += next()
      isVertex.append(x != -1 || y != 0)
      guard isVertex.last == true else { continue }
      coordinates.append(
        Coordinate(
          x: Double(x) / precision.xyScale + precision.xOrigin,
          y: Double(y) / precision.xyScale + precision.yOrigin))
    }
    guard hasZ else { return }
    for index in 0..<count {
      height += next()
      if isVertex[index] { z.append(Double(height) / precision.zScale + precision.zOrigin) }
    }
  }
}

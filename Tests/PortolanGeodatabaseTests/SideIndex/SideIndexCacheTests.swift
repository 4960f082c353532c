import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// What an index does when its file or the database is not what it was.
@Suite(.temporaryDirectory) struct SideIndexCacheTests {
  private static let table = "Parcels"

  private var folder: SideIndexFolder {
    SideIndexFolder(temporaryDirectory.appending(path: "indexes", directoryHint: .isDirectory))
  }

  /// The files of indexes.
  private var files: [URL] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    }
  }

  /// The file of the one index of a file of parcels.
  private func indexFile(of url: URL) throws -> URL {
    let reader = try GeodatabaseReader(at: url, sideIndexes: folder)
    let isBuilt = try reader.buildSideIndex(of: Self.table)
    #expect(isBuilt)
    return folder.file(
      of: "parcels", in: try #require(SideIndexSource(.file(url))))
  }

  @Test func `A damaged index gives right answers or none`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 200)
    let file = try indexFile(of: parcels.url)
    let bytes = try Data(contentsOf: file)
    let places = parcels.places(12)
    let reader = try GeodatabaseReader(at: parcels.url)
    let expected = try places.map {
      try reader.objectIDs(in: Self.table, touching: $0, within: 2)
    }
    var refused = 0
    for offset in stride(from: 0, to: bytes.count, by: 41) {
      var changed = bytes
      changed[offset] ^= 1 << UInt8(offset % 8)
      let copy = temporaryDirectory.appending(path: "\(offset).sideindex")
      try changed.write(to: copy)
      let index = SideIndex(at: copy)
      for (place, ids) in zip(places, expected) {
        let found = index?.objectIDs(touching: place, within: 2, limit: .max)
        #expect(found == nil || found == ids, "byte \(offset)")
        refused += found == nil ? 1 : 0
      }
    }
    #expect(refused > 0)
  }

  @Test func `Without its checksums a damaged index still ends`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 200)
    let bytes = try Data(contentsOf: try indexFile(of: parcels.url))
    for offset in stride(from: 0, to: bytes.count, by: 53) {
      var changed = bytes
      changed[offset] = 0xFF
      let copy = temporaryDirectory.appending(path: "\(offset).sideindex")
      try changed.write(to: copy)
      let index = SideIndex(at: copy, comparingChecksums: false)
      for place in parcels.places(5) {
        _ = index?.objectIDs(touching: place, within: 30, limit: .max)
      }
    }
  }

  @Test func `A cut index is none`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 40)
    let file = try indexFile(of: parcels.url)
    let bytes = try Data(contentsOf: file)
    for length in [0, 1, 8, 100, 500, bytes.count - 1] {
      let copy = temporaryDirectory.appending(path: "\(length).sideindex")
      try bytes.prefix(length).write(to: copy)
      #expect(SideIndex(at: copy) == nil)
      #expect(SideIndex(at: copy, comparingChecksums: false) == nil)
    }
    #expect(SideIndex(at: temporaryDirectory.appending(path: "absent")) == nil)
  }

  @Test func `An index of another state of the file is not used, and is replaced`() async throws {
    let parcels = try ParcelFile(in: temporaryDirectory)
    let geodatabase = try Geodatabase.open(at: parcels.url, sideIndexes: folder)
    #expect(
      try await geodatabase.buildSideIndexes(leastRows: 0) == ParcelFile.tables.map(\.name))
    let place = Coordinate(x: 1_001, y: -1_999)
    let before = try await geodatabase.objectIDs(in: Self.table, touching: place, within: 0)
    #expect(before.contains(1))
    let editing = try EditableGeodatabase.open(
      at: parcels.url, now: { Example.moment }, makeID: { UUID() })
    _ = try await editing.apply([.delete(.objectID(1), table: Self.table)])
    await editing.close()
    let after = try await geodatabase.objectIDs(in: Self.table, touching: place, within: 0)
    #expect(after == before.filter { $0 != 1 })
    let reader = try GeodatabaseReader(at: parcels.url, sideIndexes: folder)
    let index = reader.sideIndexes.index(of: Self.table)
    #expect(index == nil)
    let fileCount = try files.count
    try await geodatabase.buildSideIndexes(leastRows: 0)
    #expect(try files.count == fileCount)
    let again = try await geodatabase.objectIDs(in: Self.table, touching: place, within: 0)
    #expect(again == after)
  }

  @Test func `A file with changes beside it has no index`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 40)
    _ = try indexFile(of: parcels.url)
    try Data().write(to: URL(filePath: parcels.url.path(percentEncoded: false) + "-journal"))
    #expect(SideIndexSource(.file(parcels.url)) == nil)
    let reader = try GeodatabaseReader(at: parcels.url, sideIndexes: folder)
    let index = reader.sideIndexes.index(of: Self.table)
    #expect(index == nil)
    let isBuilt = try reader.buildSideIndex(of: Self.table)
    #expect(!isBuilt)
  }

  @Test func `Small tables and tables without rows`() async throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 1)
    let geodatabase = try Geodatabase.open(at: parcels.url, sideIndexes: folder)
    #expect(try await geodatabase.buildSideIndexes() == [])
    #expect(try await geodatabase.buildSideIndexes(leastRows: 1).count == 3)
    let none = try ParcelFile(in: temporaryDirectory, count: 0, name: "none")
    let reader = try GeodatabaseReader(at: none.url, sideIndexes: folder)
    let isBuilt = try reader.buildSideIndex(of: Self.table)
    #expect(isBuilt)
    let index = try #require(reader.sideIndexes.index(of: Self.table))
    #expect(index.objectIDs(touching: Coordinate(x: 0, y: 0), within: 9e9, limit: 5) == [])
  }

  @Test func `Without a folder nothing is made`() async throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 40)
    let geodatabase = try Geodatabase.open(at: parcels.url)
    #expect(try await geodatabase.buildSideIndexes(leastRows: 0) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.url.path(percentEncoded: false)))
  }

  @Test func `Indexes of files that are gone are removed`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory, count: 40)
    let kept = try ParcelFile(in: temporaryDirectory, count: 40, name: "kept")
    let (file, keptFile) = (try indexFile(of: parcels.url), try indexFile(of: kept.url))
    try Data("no index".utf8).write(to: folder.url.appending(path: "other.sideindex"))
    try FileManager.default.removeItem(at: parcels.url)
    folder.removeStale()
    #expect(try files.map(\.lastPathComponent) == [keptFile.lastPathComponent])
    #expect(file.lastPathComponent != keptFile.lastPathComponent)
  }

  @Test func `A part of another file has an index of its own`() throws {
    let parcels = try ParcelFile(in: temporaryDirectory)
    let bytes = try Data(contentsOf: parcels.url)
    let archive = temporaryDirectory.appending(path: "package.bin")
    try (Data(count: 4_096) + bytes + Data(count: 10)).write(to: archive)
    let region = FileRegion(url: archive, offset: 4_096, length: bytes.count)
    let source = GeodatabaseSource(.region(region), sideIndexes: folder)
    let reader = try GeodatabaseReader(source)
    let isBuilt = try reader.buildSideIndex(of: Self.table)
    #expect(isBuilt)
    let plain = try GeodatabaseReader(at: parcels.url)
    let index = try #require(reader.sideIndexes.index(of: Self.table))
    folder.removeStale()
    #expect(folder.index(of: "parcels", in: index.header.source) != nil)
    for place in parcels.places(40) {
      let expected = try plain.objectIDs(in: Self.table, touching: place, within: 1)
      #expect(index.objectIDs(touching: place, within: 1, limit: .max) == expected)
    }
  }

  @Test func `Long shapes stay in the table, and are found there`() throws {
    let url = temporaryDirectory.appending(path: "long.geodatabase")
    let schema = FeatureTableSchema(
      name: Self.table, geometryType: .polygon, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID, isNullable: false)])
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "long", tables: [.init(schema)]), now: Example.moment,
      makeID: Example.ids())
    let circle = (0...4_000).map { step in
      let angle = Double(step % 4_000) / 2_000 * .pi
      return Coordinate(x: 100 * cos(angle), y: 100 * sin(angle))
    }
    let square = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)].map { Coordinate(x: 300 + $0, y: $1) }
    for (id, ring) in [circle, square].enumerated() {
      let shape = Geometry.polygon(Polygon(rings: [Path(ring)]))
      let values = Attributes(FieldList(schema.fields), [.integer(Int64(id + 1))])
      try writer.append(
        Feature(objectID: Int64(id + 1), attributes: values, geometry: shape), to: Self.table)
    }
    try writer.finish()
    let reader = try GeodatabaseReader(at: url, sideIndexes: folder)
    let isBuilt = try reader.buildSideIndex(of: Self.table)
    #expect(isBuilt)
    let index = try #require(reader.sideIndexes.index(of: Self.table))
    let (middle, corner) = (Coordinate(x: 0, y: 0), Coordinate(x: 305, y: 5))
    #expect(index.objectIDs(touching: middle, within: 0, limit: 1) == nil)
    let ids = try reader.objectIDs(in: Self.table, touching: middle, within: 0)
    #expect(ids == [1])
    #expect(index.objectIDs(touching: corner, within: 0, limit: 1) == [2])
  }
}

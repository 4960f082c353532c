import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct SideIndexTests {
  private var folder: SideIndexFolder {
    SideIndexFolder(temporaryDirectory.appending(path: "indexes", directoryHint: .isDirectory))
  }

  /// A reader that has the indexes of all tables, and one that has none.
  private func readers(_ url: URL) throws -> (indexed: HeldReader, plain: HeldReader) {
    let indexed = HeldReader(try GeodatabaseReader(at: url, sideIndexes: folder))
    _ = try indexed.reader.buildSideIndexes(leastRows: 0)
    let source = GeodatabaseSource(.file(url))
    return (
      indexed, HeldReader(try GeodatabaseReader(source, on: source.location.connect()))
    )
  }

  @Test(arguments: ParcelFile.tables.map(\.name), [0, 0.001, 1, 12, 300])
  func `Taps find what they find without an index`(table: String, tolerance: Double) throws {
    let file = try ParcelFile(in: temporaryDirectory)
    let (indexed, plain) = try readers(file.url)
    let index = try #require(indexed.reader.sideIndexes.index(of: table))
    var found = 0
    for place in file.places(400) {
      let expected = try plain.reader.objectIDs(in: table, touching: place, within: tolerance)
      let ids = index.objectIDs(touching: place, within: tolerance, limit: .max)
      #expect(ids == expected, "\(place)")
      let read = try indexed.reader.objectIDs(in: table, touching: place, within: tolerance)
      #expect(read == expected)
      found += expected.count
    }
    #expect(found > 0 || table != "Parcels")
  }

  @Test(arguments: ParcelFile.tables.map(\.name))
  func `Extents find what they find without an index`(table: String) throws {
    let file = try ParcelFile(in: temporaryDirectory)
    let (indexed, plain) = try readers(file.url)
    for (number, place) in file.places(60).enumerated() {
      let box = Envelope(
        xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y
      ).expanded(by: Double(number % 7) * 15)
      let query = QueryParameters(
        whereClause: number.isMultiple(of: 2) ? "NUMBER > 100" : nil, extent: box,
        limit: number.isMultiple(of: 3) ? 5 : nil)
      let expected = try plain.reader.features(in: table, matching: query)
      let found = try indexed.reader.features(in: table, matching: query)
      #expect(found == expected)
    }
  }

  @Test(.needsSharedFiles, arguments: SampleGeodatabase.all)
  func `Files of Esri's software give the same, those with a history too`(
    _ sample: SampleGeodatabase
  ) throws {
    let (indexed, plain) = try readers(sample.url)
    for table in sample.tables.map(\.name) {
      let index = try #require(indexed.reader.sideIndexes.index(of: table))
      let shapes = try plain.reader.features(in: table, matching: QueryParameters())
        .compactMap(\.geometry)
      for shape in shapes.prefix(60) {
        let box = try #require(shape.extent)
        for place in [
          Coordinate(x: box.xMin, y: box.yMin), Coordinate(x: box.xMax, y: box.yMin),
          Coordinate(x: (box.xMin + box.xMax) / 2, y: (box.yMin + box.yMax) / 2),
        ] {
          let expected = try plain.reader.objectIDs(in: table, touching: place, within: 0)
          let ids = index.objectIDs(touching: place, within: 0, limit: .max)
          #expect(ids == nil || ids == expected)
          let read = try indexed.reader.objectIDs(in: table, touching: place, within: 0)
          #expect(read == expected)
          let query = QueryParameters(
            extent: Envelope(xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y))
          let found = try indexed.reader.features(in: table, matching: query)
          let features = try plain.reader.features(in: table, matching: query)
          #expect(found == features)
        }
      }
    }
  }

  @Test func `No more are found than are asked for`() throws {
    let file = try ParcelFile(in: temporaryDirectory)
    let (indexed, _) = try readers(file.url)
    let index = try #require(indexed.reader.sideIndexes.index(of: "main.PARCELS"))
    let middle = Coordinate(x: 1_100, y: -1_900)
    #expect(index.objectIDs(touching: middle, within: 50, limit: 3)?.count == 3)
    #expect(index.objectIDs(touching: middle, within: 50, limit: 0) == [])
    #expect(index.objectIDs(touching: middle, within: 50, limit: -1) == [])
    #expect(index.objectIDs(touching: Coordinate(x: .nan, y: 0), within: 5, limit: 3) == [])
    #expect(
      index.rowKeys(meeting: Envelope(xMin: 0, yMin: -9e9, xMax: 9e9, yMax: 0), most: 9) == nil)
  }
}

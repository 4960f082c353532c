internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

extension FuzzTarget {
  /// Taps and boxes are looked up in a side index, whose checksums are not compared, so that damage
  /// reaches what they keep it from; then in the same index with them.
  static let sideIndex = FuzzTarget(
    "side-index", cost: 4, form: .pages, seeds: sideIndexSeeds
  ) { data in
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).sideindex")
    // A file that cannot be removed is one more temporary file.
    defer { try? FileManager.default.removeItem(at: url) }
    try data.write(to: url)
    guard let index = SideIndex(at: url, comparingChecksums: false) else {
      throw FeatureStoreError.damaged(file: "index", place: "its header", reason: "it is none")
    }
    for (place, tolerance) in sideIndexTaps {
      let ids = index.objectIDs(touching: place, within: tolerance, limit: 50)
      guard ids?.count ?? 0 <= 50 else { throw FuzzFinding("more ids than were asked for") }
      let box = Envelope(xMin: place.x, yMin: place.y, xMax: place.x, yMax: place.y)
        .expanded(by: tolerance)
      let keys = index.rowKeys(meeting: box, most: 50)
      guard keys?.count ?? 0 <= 50 else { throw FuzzFinding("more keys than were asked for") }
    }
    _ = SideIndex(at: url)?.rowKeys(
      meeting: Envelope(xMin: -1e9, yMin: -1e9, xMax: 1e9, yMax: 1e9), most: 50)
  }

  private static let sideIndexTaps: [(Coordinate, Double)] = [
    (Coordinate(x: 15, y: 15), 0), (Coordinate(x: 95, y: 42), 3), (Coordinate(x: 0, y: 0), 1e12),
    (Coordinate(x: .nan, y: 1), 1), (Coordinate(x: -1e300, y: .infinity), 1e300),
  ]

  /// Indexes of a leaf and of three levels, without what they say of the file they were made of.
  private static func sideIndexSeeds() throws -> [Data] {
    try [7, 300].map { count in
      let folder = FileManager.default.temporaryDirectory
        .appending(path: UUID().uuidString, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }  // One more temporary folder.
      let file = folder.appending(path: "cells.geodatabase")
      try writeCells(count, to: file)
      let indexes = SideIndexFolder(folder.appending(path: "indexes", directoryHint: .isDirectory))
      _ = try GeodatabaseReader(at: file, sideIndexes: indexes).buildSideIndex(of: "Cells")
      let urls = try FileManager.default.contentsOfDirectory(
        at: indexes.url, includingPropertiesForKeys: nil)
      var data = try urls.first.map { try Data(contentsOf: $0) } ?? Data()
      data.replaceSubrange(32..<112, with: Data(count: 80))
      let path = Data(file.path(percentEncoded: false).utf8)
      if let range = data.range(of: path) {
        data.replaceSubrange(range, with: Data(repeating: UInt8(ascii: "x"), count: path.count))
      }
      return data
    }
  }

  private static func writeCells(_ count: Int, to file: URL) throws {
    let schema = FeatureTableSchema(
      name: "Cells", geometryType: .polygon, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID, isNullable: false)])
    let writer = try GeodatabaseWriter(
      at: file, GeodatabaseDefinition(name: "cells", tables: [.init(schema)]),
      now: Date(timeIntervalSince1970: 0), makeID: { UUID() })
    for number in 0..<count {
      let (x, y) = (Double(number % 20) * 10, Double(number / 20) * 10)
      let ring = [(0, 0), (0, 8), (8, 8), (8, 0), (0, 0)].map { Coordinate(x: x + $0, y: y + $1) }
      try writer.append(
        Feature(
          objectID: Int64(number + 1),
          attributes: Attributes(FieldList(schema.fields), [.integer(Int64(number + 1))]),
          geometry: .polygon(Polygon(rings: [Path(ring)]))), to: "Cells")
    }
    try writer.finish()
  }
}

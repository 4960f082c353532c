internal import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanGeometry

extension FuzzTarget {
  /// A FlatGeobuf file is read as a whole.
  static let flatGeobuf = FuzzTarget(
    "flatgeobuf", cost: 2, words: ["fgb", "\u{8}", "EPSG"], seeds: TableFileSeeds.flatGeobuf
  ) { data in
    try await withFiles([("input.fgb", data)]) { folder in
      try await readAll(TableFile.flatGeobuf(at: folder.appending(path: "input.fgb")), data.count)
    }
  }

  /// A shapefile is read with its rows, its reference and its encoding, one of them changed.
  ///
  /// The first byte of an input says which of the shapefiles is changed, and in which file.
  static let shapefile = FuzzTarget(
    "shapefile", cost: 2, words: ["*", " ", "UTF-8", "1252", "20200131", "GEOGCS["],
    seeds: TableFileSeeds.partsOfShapefiles
  ) { data in
    let number = Int(data.first ?? 0)
    let parts = TableFileSeeds.shapefiles[number / 4 % TableFileSeeds.shapefiles.count]
    let files = PackagePart.files(of: parts, replacing: number % 4, by: Data(data.dropFirst()))
    try await withFiles(files) { folder in
      let size = files.reduce(0) { $0 + $1.data.count }
      try await readAll(TableFile.shapefile(at: folder.appending(path: "input.shp")), size)
    }
  }

  /// Reads all rows of a table file of `size` bytes.
  private static func readAll(_ store: any FeatureStore, _ size: Int) async throws {
    for schema in try await store.schemas() {
      let rows = try await store.features(in: schema.name, matching: QueryParameters()).collect()
      let count = try await store.count(in: schema.name, matching: QueryParameters())
      try FuzzFinding.check(rows.count == count, "has other rows than it counted")
      let vertices = rows.reduce(0) { sum, row in
        sum + (row.geometry?.paths.reduce(0) { $0 + $1.count } ?? 0)
      }
      try FuzzFinding.check(vertices <= size, "has more vertices than bytes")
    }
  }

  private static func withFiles(
    _ files: [(name: String, data: Data)], _ body: (URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    // A folder that cannot be removed is one more temporary folder.
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files { try file.data.write(to: folder.appending(path: file.name)) }
    try await body(folder)
  }
}

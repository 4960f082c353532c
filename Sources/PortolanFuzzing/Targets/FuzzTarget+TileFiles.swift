internal import Foundation
internal import PortolanArchives
internal import PortolanTileFiles
internal import PortolanTiles

extension FuzzTarget {
  /// A PMTiles archive is opened, and its tiles counted, listed and read.
  static let pmtiles = FuzzTarget(
    "pmtiles", cost: 2, words: FormatWords.json, seeds: TileFileSeeds.pmtiles
  ) { data in
    let file = try PMTilesFile.open(MemoryByteSource(data, name: "fuzzed.pmtiles"))
    try await read(file)
  }

  /// An MBTiles file, the same way; most of the time goes into SQLite, and into writing the file
  /// that it opens.
  static let mbtiles = FuzzTarget(
    "mbtiles", cost: 20, form: .pages, seeds: TileFileSeeds.mbtiles
  ) { data in
    try await withFile(data, "mbtiles") { try await read(MBTilesFile.open($0)) }
  }

  /// The tables of tiles of a GeoPackage, the same way.
  static let geoPackageTiles = FuzzTarget(
    "geopackage-tiles", cost: 20, form: .pages, seeds: TileFileSeeds.geoPackages
  ) { data in
    try await withFile(data, "gpkg") { url in
      let file = try GeoPackageTiles.open(url)
      for table in file.tables { try await read(table) }
      if let problem = file.problems.values.first { throw problem }
    }
  }

  /// Far more than the seeds hold: a damaged run may be of thousands of millions.
  private static let limit = 1_000

  private static func read(_ source: any TileSource) async throws(TileError) {
    var failure: TileError?
    var count = 0
    do {
      for try await id in source.tileIDs {
        do throws(TileError) { _ = try await source.tile(at: id) } catch { failure = error }
        count += 1
        if count == limit { break }
      }
    } catch {
      failure = error
    }
    _ = try await source.tile(at: TileID(level: 3, row: 1, column: 5))
    _ = try await source.metadata()
    _ = try await source.tileCounts()
    if let failure { throw failure }
  }

  private static func withFile(
    _ data: Data, _ type: String, _ body: (URL) async throws -> Void
  ) async throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).\(type)")
    // A file that cannot be removed is one more temporary file.
    defer { try? FileManager.default.removeItem(at: url) }
    try data.write(to: url)
    try await body(url)
  }
}

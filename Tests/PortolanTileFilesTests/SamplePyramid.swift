import Foundation
import PortolanGeometry
import PortolanTileFiles
import PortolanTiles

/// Made-up tiles that touch what could go wrong: several bundles, cells in which row and column
/// differ, the corners of a bundle, and a level that is left out.
enum SamplePyramid {
  static let tiles: [TileID: Data] = {
    let ids = [
      TileID(level: 0, row: 0, column: 0),
      TileID(level: 1, row: 0, column: 1), TileID(level: 1, row: 1, column: 0),
      TileID(level: 9, row: 127, column: 127), TileID(level: 9, row: 127, column: 128),
      TileID(level: 9, row: 128, column: 127), TileID(level: 9, row: 128, column: 128),
      TileID(level: 9, row: 3, column: 100), TileID(level: 9, row: 300, column: 511),
    ]
    return Dictionary(uniqueKeysWithValues: ids.map { ($0, tile($0)) })
  }()

  static let counts = [0: 1, 1: 2, 9: 6]

  /// Addresses beside those above, and ones that no scheme has.
  static let absent = [
    TileID(level: 0, row: 0, column: 1), TileID(level: 1, row: 1, column: 1),
    TileID(level: 9, row: 100, column: 3), TileID(level: 9, row: 127, column: 126),
    TileID(level: 5, row: 0, column: 0), TileID(level: 99, row: 0, column: 0),
    TileID(level: -1, row: 0, column: 0), TileID(level: 0, row: -1, column: 0),
    TileID(level: 9, row: 0, column: -128), TileID(level: 0, row: .max, column: .max),
  ]

  /// Bytes that begin as a PNG does and differ from tile to tile, in length too.
  static func tile(_ id: TileID) -> Data {
    let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    return signature + Data("\(id) ".utf8) + Data(repeating: 7, count: id.row % 13)
  }
}

extension SamplePyramid {
  /// The description in the files.
  static let description = TilePackageDescription(
    name: "sample",
    fullExtent: Envelope(xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508),
    format: "PNG8")

  /// Writes the tiles as a tile package, row by row.
  static func writePackage(to file: URL, layout: TilePackageLayout = .tpkx) throws {
    try write(TilePackageWriter(at: file, description, layout: layout), tiles.keys.sorted())
  }

  /// Writes the tiles as an MBTiles file.
  static func writeMBTiles(to file: URL) throws {
    try write(MBTilesWriter(at: file, description), tiles.keys.sorted())
  }

  /// Writes the tiles as a PMTiles archive, in that order.
  static func writePMTiles(to file: URL, ids: [TileID]) throws {
    try write(PMTilesWriter(at: file, description), ids)
  }

  private static func write<Writer: TileWriter & ~Copyable>(
    _ writer: consuming Writer, _ ids: [TileID]
  ) throws {
    for id in ids { try writer.add(tile(id), at: id) }
    try writer.finish()
  }
}

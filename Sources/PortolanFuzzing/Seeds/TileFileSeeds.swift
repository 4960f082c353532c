internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite
internal import PortolanTileFiles
internal import PortolanTiles

/// Small files of tiles of the kinds that others define.
enum TileFileSeeds {
  private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
  private static let vector = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0])

  private static let description = TilePackageDescription(
    name: "Seed", summary: "A seed", accessInformation: "Nobody",
    fullExtent: Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1),
    geographicExtent: Envelope(xMin: -180, yMin: -85, xMax: 180, yMax: 85))

  private static let ids = (0...3).flatMap { level in
    TileRange(level: level, rows: 0..<min(3, 1 << level), columns: 0..<1 << level)
  }

  /// Archives as they are written, and one whose directories are not packed, so that changes
  /// reach what reads them.
  static func pmtiles() throws -> [Data] {
    let written = try [picture, vector].map { tile in
      try data(of: "pmtiles") { try fill(PMTilesWriter(at: $0, description), with: tile) }
    }
    return written + [plainArchive]
  }

  /// Files with a table of tiles, and with a view that joins two.
  static func mbtiles() throws -> [Data] {
    let written = try [picture, vector].map { tile in
      try data(of: "mbtiles") { try fill(MBTilesWriter(at: $0, description), with: tile) }
    }
    let joined = try database([
      "CREATE TABLE map (zoom_level INT, tile_column INT, tile_row INT, tile_id TEXT)",
      "CREATE TABLE images (tile_data BLOB, tile_id TEXT)",
      "CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, "
        + "map.tile_row AS tile_row, images.tile_data AS tile_data FROM map "
        + "JOIN images ON images.tile_id = map.tile_id",
      "INSERT INTO map VALUES (0, 0, 0, 'a'), (3, 5, 6, 'a')",
      "INSERT INTO images VALUES (x'89504E470D0A1A0A010203', 'a')",
    ])
    return written + [joined]
  }

  /// A GeoPackage with a table of tiles.
  static func geoPackages() throws -> [Data] {
    [
      try database([
        "CREATE TABLE gpkg_contents (table_name, data_type, identifier, description, min_x, "
          + "min_y, max_x, max_y)",
        "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, "
          + "definition)",
        "CREATE TABLE gpkg_tile_matrix_set (table_name, srs_id, min_x, min_y, max_x, max_y)",
        "CREATE TABLE gpkg_tile_matrix (table_name, zoom_level, tile_width, tile_height, "
          + "pixel_x_size, pixel_y_size)",
        "CREATE TABLE a (id INTEGER PRIMARY KEY, zoom_level INT, tile_column INT, tile_row INT, "
          + "tile_data BLOB, UNIQUE (zoom_level, tile_column, tile_row))",
        "INSERT INTO gpkg_contents VALUES ('a', 'tiles', 'A', '', 0, 0, 512, 512)",
        "INSERT INTO gpkg_spatial_ref_sys VALUES (4326, 'EPSG', 4326, 'undefined')",
        "INSERT INTO gpkg_tile_matrix_set VALUES ('a', 4326, 0, 0, 512, 512)",
        "INSERT INTO gpkg_tile_matrix VALUES ('a', 2, 256, 256, 2, 2), ('a', 3, 256, 256, 1, 1)",
        "INSERT INTO a VALUES (1, 2, 0, 0, x'89504E470D0A1A0A'), (2, 3, 1, 1, x'FFD8FFE0')",
      ])
    ]
  }

  private static func fill<Writer: TileWriter & ~Copyable>(
    _ writer: consuming Writer, with tile: Data
  ) throws {
    for id in ids { try writer.add(tile + Data([UInt8(id.row)]), at: id) }
    try writer.finish()
  }

  private static func database(_ statements: [String]) throws -> Data {
    try data(of: "sqlite") { url in
      let connection = try Connection(at: url, access: .create)
      for statement in statements { try connection.execute(statement) }
    }
  }

  /// The bytes of a file that `write` writes.
  private static func data(of type: String, _ write: (URL) throws -> Void) throws -> Data {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).\(type)")
    try write(url)
    let data = try Data(contentsOf: url)
    try FileManager.default.removeItem(at: url)
    return data
  }

  /// A root directory with a tile and a leaf directory, which has a run of two and another tile.
  private static let plainArchive: Data = {
    let root: [UInt8] = [2, 0, 1, 1, 0, 11, 9, 1, 1]
    let leaf: [UInt8] = [2, 1, 2, 2, 1, 11, 11, 1, 0]
    let parts = [root.count, 2, leaf.count, 22]
    var header = Data("PMTiles".utf8) + Data([3])
    var offset = 127
    for count in parts {
      for number in [offset, count] {
        header += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      offset += count
    }
    header += Data(count: 24) + Data([1, 1, 1, 2, 0, 1]) + Data(count: 25)
    return header + Data(root) + Data("{}".utf8) + Data(leaf) + picture + picture
  }()
}

import Foundation
import PortolanSQLite
import PortolanTiles

/// Writes MBTiles files of shapes that others write, with SQL of its own.
enum MBTilesBuilder {
  /// One table without an index or metadata, as the smallest files have.
  static func writeTable(_ tiles: [TileID: Data], to file: URL) throws {
    try write(to: file, ["CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)"]) {
      for (id, tile) in tiles {
        try $0.execute(
          "INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", .integer(Int64(id.level)),
          .integer(Int64(id.column)), .integer(row(id)), .blob(tile))
      }
    }
  }

  /// Two tables behind a view, so that equal tiles are kept once.
  static func writeView(
    _ tiles: [TileID: Data], to file: URL, view: String = MBTilesBuilder.view
  ) throws {
    let schema = [
      "CREATE TABLE map (zoom_level INT, tile_column INT, tile_row INT, tile_id TEXT)",
      "CREATE TABLE images (tile_data BLOB, tile_id TEXT)",
      "CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)",
      "CREATE UNIQUE INDEX images_id ON images (tile_id)",
      "CREATE TABLE metadata (name TEXT, value TEXT)",
      "INSERT INTO metadata VALUES ('bounds', '-180.0,-85,180,85')", view,
    ]
    try write(to: file, schema) {
      for (id, tile) in tiles {
        try $0.execute(
          "INSERT INTO map VALUES (?1, ?2, ?3, ?4)", .integer(Int64(id.level)),
          .integer(Int64(id.column)), .integer(row(id)), .text("\(id)"))
        try $0.execute("INSERT INTO images VALUES (?1, ?2)", .blob(tile), .text("\(id)"))
      }
    }
  }

  /// The view as most writers spell it.
  static let view = """
    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
    map.tile_row AS tile_row, images.tile_data AS tile_data
    FROM map JOIN images ON images.tile_id = map.tile_id
    """

  private static func row(_ id: TileID) -> Int64 { Int64((1 << id.level) - 1 - id.row) }

  private static func write(
    to file: URL, _ schema: [String], _ fill: (borrowing Connection) throws -> Void
  ) throws {
    let connection = try Connection(at: file, access: .create)
    for statement in schema { try connection.execute(statement) }
    try fill(connection)
  }
}

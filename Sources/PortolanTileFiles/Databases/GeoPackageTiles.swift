public import Foundation
public import PortolanArchives
internal import PortolanGeometry
public import PortolanSQLite
public import PortolanTiles

/// The tables of tiles in a GeoPackage: `.gpkg`.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
public struct GeoPackageTiles: Sendable {
  /// The tables that can be read, in the order of the file's contents.
  public private(set) var tables: [GeoPackageTileTable] = []
  /// Why others cannot, by their names.
  public private(set) var problems: [String: TileError] = [:]

  /// Opens a file.
  ///
  /// - Returns: The tables of tiles, of which there may be none.
  /// - Throws: `TileError.unsupported(file:reason:)` if it is no GeoPackage,
  ///   `TileError.unreadable(file:reason:)`, `TileError.damaged(file:place:reason:)`.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> GeoPackageTiles {
    try GeoPackageTiles(TileDatabase(at: url, access: access))
  }

  /// Opens a file that lies uncompressed inside another one.
  public static func open(_ region: FileRegion) throws(TileError) -> GeoPackageTiles {
    try GeoPackageTiles(TileDatabase(at: region))
  }

  /// The table of that name, without case.
  public func table(named name: String) -> GeoPackageTileTable? {
    tables.first { $0.tableName.lowercased() == name.lowercased() }
  }

  init(_ database: TileDatabase) throws(TileError) {
    guard try database.hasTable("gpkg_contents") else {
      throw .unsupported(file: database.name, reason: "it is no GeoPackage")
    }
    guard try database.hasTable("gpkg_tile_matrix_set") else { return }
    let rows = try database.rows(
      """
      SELECT c.table_name, c.data_type, c.identifier, c.description, c.min_x, c.min_y, c.max_x,
        c.max_y, s.srs_id, s.min_x, s.max_y
      FROM gpkg_contents AS c JOIN gpkg_tile_matrix_set AS s
        ON lower(s.table_name) = lower(c.table_name) ORDER BY c.rowid
      """)
    for row in rows {
      guard let name = row[0].text else { continue }
      do throws(TileError) {
        tables.append(try GeoPackageTileTable(row, name, in: database))
      } catch {
        problems[name] = error
      }
    }
  }
}

internal import Foundation
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanSQLite
public import PortolanTiles

/// A table of tiles in a GeoPackage.
///
/// Levels are the table's zoom levels; their tiles may be of any size, also one that is not twice
/// or half that of the next, and lie in any spatial reference. Rows count from the top.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
public struct GeoPackageTileTable: TileSource {
  public let info: TileSourceInfo
  /// The name of the table.
  public let tableName: String
  private let table: TileTable

  /// Reads what the file says about a table of tiles.
  ///
  /// - Parameters:
  ///   - row: From `gpkg_contents` type, identifier, description and extent, after the name; from
  ///     `gpkg_tile_matrix_set` reference and top left corner.
  ///   - name: The name of the table.
  ///   - database: The file.
  /// - Throws: ``TileError/unsupported(file:reason:)`` for coverages and views,
  ///   ``TileError/damaged(file:place:reason:)`` if no tile can be placed.
  init(_ row: [SQLValue], _ name: String, in database: TileDatabase) throws(TileError) {
    let type = row[1].text?.lowercased() ?? ""
    guard ["tiles", "vector-tiles"].contains(type) else {
      throw .unsupported(
        file: database.name, reason: "\"\(name)\" holds \"\(type)\", which is not supported")
    }
    guard try database.hasTable(name) else {
      throw .unsupported(
        file: database.name, reason: "\"\(name)\" is a view of tiles, which is not supported")
    }
    tableName = name
    table = try TileTable(TileTableLayout(table: name), in: database)
    guard let x = row[9].number, let y = row[10].number else {
      throw .damaged(file: database.name, place: name, reason: "its tiles have no origin")
    }
    let reference = try SpatialReference(geoPackage: row[8].integer ?? 0, in: database)
    let scheme = try Self.scheme(
      of: name, origin: Coordinate(x: x, y: y), reference, in: database)
    let sample = try table.anyTile()
    info = TileSourceInfo(
      name: row[2].text ?? name, scheme: scheme, levels: try table.levels(),
      fullExtent: Self.extent(row[4...7]),
      declaredFormat: sample.flatMap(TileFormat.init(detecting:))?.fileExtension ?? "unknown",
      summary: row[3].text.flatMap { $0.isEmpty ? nil : $0 })
  }

  public func tile(at id: TileID) throws(TileError) -> Tile? {
    guard id.row >= 0, id.column >= 0,
      let data = try table.data(level: id.level, column: id.column, row: id.row)
    else { return nil }
    return try Tile(data, at: id, file: table.database.name)
  }

  public func hasEmptyTile(at id: TileID) throws(TileError) -> Bool {
    try table.isEmpty(level: id.level, column: id.column, row: id.row)
  }

  public func tileCounts() throws(TileError) -> [Int: Int] { try table.counts() }

  /// Level by level, each column by column, where the table has the index that it should; else in
  /// the order of the rows.
  public var tileIDs: TileIDs {
    table.tileIDs { TileID(level: $0, row: $2, column: $1) }
  }

  /// Nothing: what a GeoPackage says about layers in vector tiles is not read.
  public func metadata() -> JSONValue? { nil }

  private static func extent(_ sides: ArraySlice<SQLValue>) -> Envelope? {
    let numbers = sides.compactMap(\.number)
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
    let envelope = Envelope(
      xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3])
    return envelope.isEmpty ? nil : envelope
  }

  /// The levels from `gpkg_tile_matrix`.
  private static func scheme(
    of name: String, origin: Coordinate, _ reference: SpatialReference, in database: TileDatabase
  ) throws(TileError) -> TileScheme {
    let rows = try database.rows(
      """
      SELECT zoom_level, tile_width, tile_height, pixel_x_size, pixel_y_size
      FROM gpkg_tile_matrix WHERE lower(table_name) = lower(?1) ORDER BY zoom_level
      """, .text(name), limit: 256)
    let matrices = rows.compactMap(TileMatrix.init)
    guard let first = matrices.first else {
      throw .damaged(file: database.name, place: name, reason: "it has no tile matrix")
    }
    // A reference that PROJ does not know has no scales; tiles are placed without.
    let unit = try? reference.properties()
    return try TileScheme(
      origin: origin, tileWidth: first.width, tileHeight: first.height,
      spatialReference: reference, levels: matrices.map { $0.level(like: first, unit) }
    ).validated(file: database.name, place: name)
  }
}

/// A row of `gpkg_tile_matrix`.
private struct TileMatrix {
  var number: Int
  var width: Int
  var height: Int
  var pixelWidth: Double
  var pixelHeight: Double

  init?(_ row: [SQLValue]) {
    guard let number = row[0].integer, number >= 0, let width = row[1].integer, width > 0,
      let height = row[2].integer, height > 0, let pixelWidth = row[3].number,
      let pixelHeight = row[4].number
    else { return nil }
    self.number = number
    self.width = width
    self.height = height
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }

  /// The level of a scheme whose tiles have the pixels of `first`: the ground that a tile covers
  /// counts, and tiles of other sizes are drawn larger or smaller.
  func level(like first: TileMatrix, _ unit: SpatialReferenceProperties?) -> TileScheme.Level {
    let resolution = pixelWidth * Double(width) / Double(first.width)
    let vertical = pixelHeight * Double(height) / Double(first.height)
    return TileScheme.Level(
      level: number, resolution: resolution,
      scale: unit?.scale(forResolution: resolution) ?? 0,
      // Writers compute both, and the last digits may differ.
      verticalResolution: abs(vertical - resolution) > 1e-9 * resolution ? vertical : nil)
  }
}

extension SpatialReference {
  /// The reference that a GeoPackage numbers `id`.
  fileprivate init(geoPackage id: Int, in database: TileDatabase) throws(TileError) {
    let rows = try database.rows(
      """
      SELECT organization, organization_coordsys_id, definition
      FROM gpkg_spatial_ref_sys WHERE srs_id = ?1
      """, .integer(Int64(id)), limit: 1)
    guard let row = rows.first else {
      self.init(wkid: id > 0 ? id : nil)
      return
    }
    var definition = row[2].definition
    if definition == nil { definition = try Self.newerDefinition(of: id, in: database) }
    let isKnown = ["EPSG", "ESRI"].contains(row[0].text?.uppercased() ?? "")
    self.init(wkid: isKnown ? row[1].integer.flatMap { $0 > 0 ? $0 : nil } : nil, wkt: definition)
  }

  /// The definition that an extension has beside the usual one, which may be left undefined then.
  private static func newerDefinition(
    of id: Int, in database: TileDatabase
  ) throws(TileError) -> String? {
    guard try database.columns(of: "gpkg_spatial_ref_sys").contains("definition_12_063") else {
      return nil
    }
    let rows = try database.rows(
      "SELECT definition_12_063 FROM gpkg_spatial_ref_sys WHERE srs_id = ?1",
      .integer(Int64(id)), limit: 1)
    return rows.first?.first?.definition.flatMap { SpatialReference(wkt: $0).plainWellKnownText() }
  }
}

extension SQLValue {
  /// The well-known text, unless it says that there is none.
  fileprivate var definition: String? {
    text.flatMap { $0.isEmpty || $0.lowercased() == "undefined" ? nil : $0 }
  }
}

internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

/// The system tables of a GeoPackage, asked a row at a time.
///
/// Any of them may be missing; what they would say is then unknown.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
enum GeoPackageTables {
  /// A row of `gpkg_contents`.
  struct ContentsRow {
    let table: String
    let identifier: String?
    let extent: Envelope?
    let srsID: Int?
  }

  /// A row of `gpkg_geometry_columns`.
  struct GeometryRow {
    let column: String
    let typeName: String
    let srsID: Int
    let hasZ: Bool
    /// Whether heights may be there, and need not be.
    let mayLackHeights: Bool
    let hasM: Bool
  }

  /// A row of `gpkgext_relations`.
  struct RelationRow: Sendable {
    let id: Int
    let baseTable: String
    let baseColumn: String
    let relatedTable: String
    let relatedColumn: String
    let name: String
    let mappingTable: String

    /// Whether the related rows are files that belong to the base's.
    var isMedia: Bool { name.lowercased() == "media" }
  }

  /// The names of the tables of features and of attributes, in the order of the file.
  ///
  /// A table whose shapes are declared is shown also if the contents do not list it.
  static func tableNames(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    var names: [String] = []
    for sql in [
      """
      SELECT table_name FROM gpkg_contents
      WHERE lower(data_type) IN ('features', 'attributes', 'aspatial') ORDER BY rowid
      """,
      "SELECT table_name FROM gpkg_geometry_columns ORDER BY rowid",
    ] {
      guard let query = try connection.optionalQuery(sql) else { continue }
      while try query.step() {
        let name = query.text(at: 0)
        if !names.contains(where: { $0.isSameName(as: name) }) { names.append(name) }
      }
    }
    return names
  }

  /// The entry of a table in the contents.
  static func contents(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> ContentsRow? {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT table_name, identifier, min_x, min_y, max_x, max_y, srs_id FROM gpkg_contents
        WHERE table_name = ? COLLATE NOCASE
        """, .text(table)), try query.step()
    else { return nil }
    let isBounded = (2...5).allSatisfy { !query.isNull(at: $0) }
    let extent = Envelope(
      xMin: query.real(at: 2), yMin: query.real(at: 3), xMax: query.real(at: 4),
      yMax: query.real(at: 5))
    let identifier = query.text(at: 1)
    return ContentsRow(
      table: query.text(at: 0), identifier: identifier.isEmpty ? nil : identifier,
      extent: isBounded && !extent.isEmpty ? extent : nil,
      srsID: query.isNull(at: 6) ? nil : Int(query.integer(at: 6)))
  }

  /// The entry of a table's geometry column.
  static func geometry(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> GeometryRow? {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT column_name, geometry_type_name, srs_id, z, m FROM gpkg_geometry_columns
        WHERE table_name = ? COLLATE NOCASE
        """, .text(table)), try query.step()
    else { return nil }
    return GeometryRow(
      column: query.text(at: 0), typeName: query.text(at: 1).uppercased(),
      srsID: Int(query.integer(at: 2)), hasZ: query.integer(at: 3) != 0,
      mayLackHeights: query.integer(at: 3) == 2, hasM: query.integer(at: 4) != 0)
  }

  /// The spatial reference of a number; `nil` if it stands for an unknown one.
  static func spatialReference(
    _ srsID: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> SpatialReference? {
    guard srsID > 0 else { return nil }
    guard
      let query = try connection.optionalQuery(
        """
        SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys
        WHERE srs_id = ?
        """, .integer(Int64(srsID))), try query.step()
    else { return SpatialReference(wkid: srsID, latestWKID: srsID) }
    let id = Int(query.integer(at: 1))
    let text = query.text(at: 2)
    switch query.text(at: 0).uppercased() {
    case "EPSG" where id > 0:
      return id == 3857 ? .webMercator : SpatialReference(wkid: id, latestWKID: id)
    case "ESRI" where id > 0: return SpatialReference(wkid: id)
    default:
      let isUndefined = text.isEmpty || text.lowercased() == "undefined"
      let definition = try isUndefined ? newerDefinition(of: srsID, connection) : text
      return definition.map { SpatialReference(wkt: $0).identified() }
    }
  }

  /// The definition in the text of 2019 that an extension has beside the usual one, which may be left
  /// undefined then; in the usual form where that can hold it.
  ///
  /// - SeeAlso: [CRS WKT](https://www.geopackage.org/spec131/#extension_crs_wkt)
  private static func newerDefinition(
    of srsID: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    guard
      let query = try connection.optionalQuery(
        "SELECT definition_12_063 FROM gpkg_spatial_ref_sys WHERE srs_id = ?",
        .integer(Int64(srsID))), try query.step()
    else { return nil }
    let text = query.text(at: 0)
    guard !text.isEmpty, text.lowercased() != "undefined" else { return nil }
    return SpatialReference(wkt: text).plainWellKnownText()
  }

  /// How tables belong together.
  static func relations(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [RelationRow] {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT rowid, base_table_name, base_primary_column, related_table_name,
          related_primary_column, relation_name, mapping_table_name
        FROM gpkgext_relations ORDER BY rowid
        """)
    else { return [] }
    var rows: [RelationRow] = []
    while try query.step() {
      rows.append(
        RelationRow(
          id: Int(query.integer(at: 0)), baseTable: query.text(at: 1),
          baseColumn: query.text(at: 2), relatedTable: query.text(at: 3),
          relatedColumn: query.text(at: 4), name: query.text(at: 5),
          mappingTable: query.text(at: 6)))
    }
    return rows
  }
}

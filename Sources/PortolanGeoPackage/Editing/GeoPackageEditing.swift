internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

internal import struct Foundation.Date

/// How GeoPackages are edited.
struct GeoPackageEditing: FormatEditing {
  /// The name begins as those of system tables do, which other software does not take for layers.
  var journalTable: String { "gpkg_portolan_edits" }
  var extents: ExtentList {
    ExtentList(table: "gpkg_contents", columns: ["min_x", "min_y", "max_x", "max_y"])
  }
  var hasShortObjectIDs: Bool { false }

  /// The declaration of a column says less than what is kept beside the table.
  func field(of column: TableColumn, in schema: FeatureTableSchema) -> Field? {
    schema.field(named: column.name) ?? column.geoPackageField
  }

  func makeShapeWriter(
    for column: GeometryColumn, of schema: FeatureTableSchema, in file: EditedFile
  ) throws(FeatureEditError) -> (any ShapeWriting)? {
    guard let type = column.type ?? schema.geometryType else { return nil }
    let encoder = GeoPackageBinaryEncoder(
      srsID: Int32(truncatingIfNeeded: column.srid), geometryType: type, hasZ: column.hasZ,
      hasM: column.hasM, mayLackHeights: column.mayLackHeights)
    return GeoPackageShapeWriter(
      encoder, holdsSingleParts: try holdsSingleParts(schema.name, in: file))
  }

  /// Whether a table's shapes are declared to be single lines or areas.
  private func holdsSingleParts(
    _ table: String, in file: EditedFile
  ) throws(FeatureEditError) -> Bool {
    let row = try file.doing("the geometry columns") { connection throws(DatabaseError) in
      try GeoPackageTables.geometry(of: table, connection)
    }
    return ["LINESTRING", "POLYGON"].contains(row?.typeName ?? "")
  }

  // MARK: - Triggers

  func refusal(of table: String, in file: EditedFile) throws(FeatureEditError) -> String? {
    try foreignTriggers(of: table, in: file).first.map { "its trigger \"\($0)\" would not run" }
  }

  /// The triggers of a table that do more than edits do by themselves: others than those of spatial
  /// indexes and of GDAL's counts.
  private func foreignTriggers(
    of table: String, in file: EditedFile
  ) throws(FeatureEditError) -> [String] {
    let rows = try file.rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE
        AND name NOT LIKE 'rtree\\_%' ESCAPE '\\'
        AND name NOT LIKE 'trigger\\_insert\\_feature\\_count\\_%' ESCAPE '\\'
        AND name NOT LIKE 'trigger\\_delete\\_feature\\_count\\_%' ESCAPE '\\'
      """, [.text(table)], in: "the list of triggers")
    return rows.compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }

  // MARK: - Rows

  /// The number after all that SQLite has ever given to rows, where it keeps count of them.
  func objectIDAfterLast(
    of table: String, in file: EditedFile
  ) throws(FeatureEditError) -> Int64 {
    guard try file.hasTable("sqlite_sequence") else { return 1 }
    let rows = try file.rows(
      "SELECT max(seq) FROM sqlite_sequence WHERE name = ?1 COLLATE NOCASE",
      [.text(table)], in: "the list of object ids")
    guard case .integer(let last)? = rows.first?.first, last > 0 else { return 1 }
    // After the last of all numbers none may start over, which another row has had.
    return last == .max ? last : last + 1
  }

  func finish(
    _ written: WrittenRows, in file: EditedFile, at now: Date
  ) throws(FeatureEditError) {
    try GeoPackageUpkeep(file: file).finish(written, at: now)
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite

/// Writes the rows of a GeoPackage that describe its tables.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
struct GeoPackageCatalogue {
  let plan: GeoPackagePlan
  /// The tables with what is known of their shapes, in the order of the plan.
  let fills: [TableFill]
  /// When the file is made, as text.
  let moment: String

  func write(on connection: borrowing Connection) throws(DatabaseError) {
    for reference in plan.references { try write(reference, on: connection) }
    var identifiers: Set<String> = []
    for (table, fill) in zip(plan.tables, fills) {
      let isFree = identifiers.insert(table.schema.alias).inserted
      try writeContents(
        of: table, fill.extent, identifier: isFree ? table.schema.alias : table.name, on: connection
      )
      if !isFree { identifiers.insert(table.name) }
      if let shapes = table.shapes { try write(shapes, of: table, fill, on: connection) }
    }
    try writeDescriptions(on: connection)
  }

  /// Registers an extension for a table, a column or the whole file.
  static func register(
    _ use: GeoPackageExtension, table: String?, column: String? = nil,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "gpkg_extensions",
      [
        "table_name": table.map { .text($0) } ?? .null,
        "column_name": column.map { .text($0) } ?? .null, "extension_name": .text(use.name),
        "definition": .text(use.definition), "scope": .text(use.scope),
      ])
  }

  private func write(
    _ reference: GeoPackageReference, on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "gpkg_spatial_ref_sys",
      [
        "srs_name": .text(reference.name), "srs_id": .integer(reference.srsID),
        "organization": .text(reference.organization),
        "organization_coordsys_id": .integer(reference.organizationID),
        "definition": .text(reference.definition),
        "description": reference.summary.map { .text($0) } ?? .null,
      ])
  }

  private func writeContents(
    of table: TableLayout, _ extent: Envelope, identifier: String,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    let box: [SQLValue] =
      extent.isEmpty
      ? [.null, .null, .null, .null]
      : [.real(extent.xMin), .real(extent.yMin), .real(extent.xMax), .real(extent.yMax)]
    try connection.insert(
      into: "gpkg_contents",
      [
        "table_name": .text(table.name),
        "data_type": table.shapes == nil ? "attributes" : "features",
        "identifier": .text(identifier), "last_change": .text(moment), "min_x": box[0],
        "min_y": box[1], "max_x": box[2], "max_y": box[3],
        "srs_id": table.shapes.map { .integer($0.reference.srid) } ?? .null,
      ])
  }

  private func write(
    _ shapes: TableLayout.Shapes, of table: TableLayout, _ fill: TableFill,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "gpkg_geometry_columns",
      [
        "table_name": .text(table.name), "column_name": .text(shapes.column),
        "geometry_type_name": .text(shapes.type.geoPackageName),
        "srs_id": .integer(shapes.reference.srid),
        "z": Self.rule(shapes.hasZ, isOptional: fill.lacksHeights),
        "m": Self.rule(shapes.hasM, isOptional: fill.lacksMeasures),
      ])
    try Self.register(.spatialIndex, table: table.name, column: shapes.column, on: connection)
  }

  /// Whether shapes have no heights or measures, must have them, or may have them.
  private static func rule(_ areThere: Bool, isOptional: Bool) -> SQLValue {
    .integer(areThere ? isOptional ? 2 : 1 : 0)
  }

  // MARK: - Descriptions

  /// Writes each table as a service would describe it; see
  /// ``GeoPackageTables/layerResources(of:_:)``.
  private func writeDescriptions(on connection: borrowing Connection) throws(DatabaseError) {
    let tables = plan.tables.filter { !$0.isMedia }
    guard !tables.isEmpty else { return }
    for statement in GeoPackageSystemTable.metadata { try connection.execute(statement) }
    for name in ["gpkg_metadata", "gpkg_metadata_reference"] {
      try Self.register(.metadata, table: name, on: connection)
    }
    let schemas = tables.map(\.schema)
    for (index, table) in tables.enumerated() {
      var members = table.schema.layerJSON(among: schemas)
      members["drawingInfo"] = table.definition.drawingInfo
      members["advancedDrawingInfo"] = table.definition.advancedDrawingInfo
      let id = SQLValue.integer(Int64(index + 1))
      try connection.insert(
        into: "gpkg_metadata",
        [
          "id": id, "md_scope": "dataset",
          "md_standard_uri": .text(GeoPackageTables.layerResourceStandard),
          "mime_type": "application/json", "metadata": .text(JSONValue.object(members).text()),
        ])
      try connection.insert(
        into: "gpkg_metadata_reference",
        [
          "reference_scope": "table", "table_name": .text(table.name),
          "timestamp": .text(moment), "md_file_id": id,
        ])
    }
  }
}

extension TableLayout {
  /// Whether it holds the attachments of another.
  var isMedia: Bool {
    if case .attachments = purpose { true } else { false }
  }
}

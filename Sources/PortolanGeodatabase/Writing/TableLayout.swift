package import PortolanFeatures
package import PortolanGeometry

/// A table as it is to lie in the file: its columns, and the numbers it is registered under.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2, 2.3 and 2.6
package struct TableLayout: Sendable {
  /// The shapes of a table.
  package struct Shapes: Sendable {
    /// The column.
    package var column: String
    package var type: GeometryType
    /// The number in `GDB_Layers`.
    package var layerID: Int64
    package var reference: RegisteredReference
    package var hasZ: Bool
    package var hasM: Bool

    package init(
      column: String, type: GeometryType, layerID: Int64, reference: RegisteredReference,
      hasZ: Bool, hasM: Bool
    ) {
      self.column = column
      self.type = type
      self.layerID = layerID
      self.reference = reference
      self.hasZ = hasZ
      self.hasM = hasM
    }
  }

  package let definition: GeodatabaseDefinition.Table
  package let purpose: PlannedTable.Purpose
  /// The number in `GDB_TableRegistry`.
  package let registrationID: Int64
  package let shapes: Shapes?
  /// The columns in order; with history, the last three are those of the archive.
  package let columns: [ColumnLayout]
  /// The fields by which related rows are looked for.
  package let keyFields: [String]

  package var schema: FeatureTableSchema { definition.schema }
  package var name: String { schema.name }
  package var isTracked: Bool { schema.isChangeTracked }

  /// The columns that a reader of current rows sees.
  package var visibleColumns: ArraySlice<ColumnLayout> { columns.dropLast(isTracked ? 3 : 0) }

  /// The name of the spatial index.
  package var spatialIndexName: String? { shapes.map { "st_spindex__\(name)_\($0.column)" } }

  package init(
    _ planned: PlannedTable, registrationID: Int64, shapes: Shapes?
  ) {
    definition = planned.definition
    purpose = planned.purpose
    keyFields = planned.keyFields
    self.registrationID = registrationID
    self.shapes = shapes
    let schema = definition.schema
    var columns = schema.fieldsWithObjectID.map { ColumnLayout($0, in: schema) }
    if let shapes { columns.append(ColumnLayout(name: shapes.column, type: .geometry)) }
    if schema.isChangeTracked { columns += ColumnLayout.archive }
    self.columns = columns
  }
}

extension FeatureTableSchema {
  /// The fields, with the object id before them where it is not among them.
  package var fieldsWithObjectID: [Field] {
    guard field(named: objectIDField) == nil else { return fields }
    return [Field(objectIDField, .objectID, isNullable: false, isEditable: false)] + fields
  }

  /// Whether the field called `name` is that of the object id.
  package func isObjectID(_ name: String) -> Bool {
    name.lowercased() == objectIDField.lowercased()
  }

  /// Whether the field called `name` is that of the global id.
  package func isGlobalID(_ name: String) -> Bool {
    name.lowercased() == globalIDField?.lowercased()
  }
}

extension ColumnLayout {
  /// The column for a field of a table.
  fileprivate init(_ field: Field, in schema: FeatureTableSchema) {
    self.init(name: field.name, type: ColumnType(of: field), isNullable: field.isNullable)
    if schema.isObjectID(field.name) {
      role = schema.isChangeTracked ? .objectID : .rowID
      isNullable = false
    } else if schema.isGlobalID(field.name) {
      role = .globalID
      isNullable = false
    }
  }

  /// The columns that keep the history of rows.
  fileprivate static let archive = [
    ColumnLayout(
      name: "gdb_archive_oid", type: .int32, isNullable: false, role: .archiveID),
    ColumnLayout(
      name: "gdb_from_date", type: .realDate, isNullable: false,
      role: .archiveDate(initially: "gdb_transaction_time ()")),
    ColumnLayout(
      name: "gdb_to_date", type: .realDate, isNullable: false,
      role: .archiveDate(initially: TableLayout.endOfTime)),
  ]
}

extension TableLayout {
  /// The moment to which current rows are valid, in SQL.
  package static let endOfTime = "julianday ('9999-12-31 23:59:59')"
}

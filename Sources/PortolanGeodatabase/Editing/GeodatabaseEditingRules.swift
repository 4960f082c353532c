internal import PortolanFeatures

internal import struct Foundation.Date

/// How mobile geodatabases are edited.
struct GeodatabaseEditingRules: FormatEditing {
  var journalTable: String { "portolan_edits" }
  var extents: ExtentList {
    ExtentList(table: "GDB_Layers", columns: ["minx", "miny", "maxx", "maxy"])
  }
  var hasShortObjectIDs: Bool { true }

  func field(of column: TableColumn, in schema: FeatureTableSchema) -> Field? { column.field }

  func makeShapeWriter(
    for column: GeometryColumn, of schema: FeatureTableSchema, in file: EditedFile
  ) throws(FeatureEditError) -> (any ShapeWriting)? {
    guard let precision = column.precision, let type = column.type ?? schema.geometryType else {
      return nil
    }
    return GeometryBlobEncoder(
      precision: precision, srid: column.srid, geometryType: type, hasZ: column.hasZ,
      hasM: column.hasM)
  }

  func refusal(of table: String, in file: EditedFile) throws(FeatureEditError) -> String? { nil }

  func objectIDAfterLast(
    of table: String, in file: EditedFile
  ) throws(FeatureEditError) -> Int64 { 1 }

  func finish(
    _ written: WrittenRows, in file: EditedFile, at now: Date
  ) throws(FeatureEditError) {}
}

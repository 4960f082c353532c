internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// The contents of a GeoPackage to be written: every table with its columns, and the relationships.
struct GeoPackagePlan: Sendable {
  let definition: GeodatabaseDefinition
  private(set) var tables: [TableLayout] = []
  /// The spatial references.
  let references: [GeoPackageReference]
  let relationships: [RelationshipClass]
  /// The omissions that are known before there is a row.
  private(set) var omissions: [Omission] = []

  init(_ definition: GeodatabaseDefinition) throws(GeodatabaseWriterError) {
    var planned = definition.plannedTables
    for index in planned.indices {
      if planned[index].schema.isChangeTracked, planned[index].purpose == .listed {
        omissions.append(Omission(table: planned[index].schema.name, .history))
      }
      planned[index].definition.schema.isChangeTracked = false
      if case .attachments(let owner) = planned[index].purpose {
        planned[index].definition.schema = Self.media(of: owner)
      }
    }
    try DefinitionCheck(planned, reservedPrefixes: ["sqlite_", "gpkg_", "rtree_"]).run()
    GeodatabasePlan.number(&planned)
    self.definition = definition
    relationships = RelationshipClass.all(among: planned)
    var references = GeoPackageReferences()
    for (index, table) in planned.enumerated() {
      tables.append(Self.layout(table, number: Int64(index + 1), &references))
    }
    self.references = references.rows
  }

  private static func layout(
    _ table: PlannedTable, number: Int64, _ references: inout GeoPackageReferences
  ) -> TableLayout {
    var shapes: TableLayout.Shapes?
    if let type = table.schema.geometryType {
      var reference = RegisteredReference.unknown
      reference.reference = table.schema.spatialReference
      reference.srid = references.register(reference.reference)
      shapes = TableLayout.Shapes(
        column: table.definition.shapeField, type: type, layerID: number, reference: reference,
        hasZ: table.schema.hasZ, hasM: table.schema.hasM)
    }
    return TableLayout(table, registrationID: number, shapes: shapes)
  }

  /// The table with the attachments of another: one of media, as the extension wants it.
  ///
  /// - SeeAlso: [OGC 18-000](https://www.geopackage.org/18-000.html), "Media"
  private static func media(of owner: String) -> FeatureTableSchema {
    FeatureTableSchema(
      name: MediaTable.name(of: owner),
      fields: [
        Field("id", .objectID, isNullable: false, isEditable: false),
        Field("data", .blob, isNullable: false), Field("content_type", .string, isNullable: false),
        Field("name", .string), Field("globalid", .guid, length: 38),
      ], objectIDField: "id")
  }
}

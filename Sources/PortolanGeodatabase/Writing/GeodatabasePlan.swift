internal import PortolanFeatures
internal import PortolanGeometry

/// The contents of a geodatabase to be written: every table with its columns and ids, and the
/// relationships.
package struct GeodatabasePlan: Sendable {
  let definition: GeodatabaseDefinition
  private(set) var tables: [TableLayout] = []
  /// The spatial references that need a row of their own.
  private(set) var references: [RegisteredReference] = []
  let relationshipClasses: [RelationshipClass]

  init(_ definition: GeodatabaseDefinition) throws(GeodatabaseWriterError) {
    var planned = definition.plannedTables
    try DefinitionCheck(planned).run()
    Self.number(&planned)
    self.definition = definition
    relationshipClasses = RelationshipClass.all(among: planned)
    var registry = ReferenceRegistry()
    // Layer 1 is that of the items themselves.
    var layerID: Int64 = 1
    for (index, table) in planned.enumerated() {
      var shapes: TableLayout.Shapes?
      if let type = table.schema.geometryType {
        layerID += 1
        shapes = TableLayout.Shapes(
          column: table.definition.shapeField, type: type, layerID: layerID,
          reference: registry.register(table.definition), hasZ: table.schema.hasZ,
          hasM: table.schema.hasM)
      }
      tables.append(
        TableLayout(
          table, registrationID: Int64(SystemTable.registered.count + 1 + index), shapes: shapes))
    }
    references = registry.custom
  }

  /// The tables that the service shows.
  var servedTables: [TableLayout] { tables.filter { $0.schema.serviceLayerID != nil } }

  /// Gives tables that the service shows the ids that they lack, in order, after those there are.
  package static func number(_ tables: inout [PlannedTable]) {
    var next = (tables.compactMap(\.schema.serviceLayerID).max() ?? -1) + 1
    for index in tables.indices where tables[index].schema.serviceLayerID == nil {
      if case .attachments = tables[index].purpose { continue }
      tables[index].definition.schema.serviceLayerID = next
      next += 1
    }
  }
}

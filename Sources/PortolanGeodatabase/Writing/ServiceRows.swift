internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite

/// The rows of `GDB_ServiceItems`: the tables as a feature service would describe them.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct ServiceRows {
  let plan: GeodatabasePlan
  /// The box around the features of each table, by name.
  let extents: [String: Envelope]

  func write(on connection: borrowing Connection) throws(DatabaseError) {
    try write(
      type: 0, service, id: -1, name: plan.definition.name, drawing: nil, on: connection)
    let schemas = plan.servedTables.map(schema(of:))
    for (table, schema) in zip(plan.servedTables, schemas) {
      try write(
        type: 1, layer(table, schema, among: schemas), id: Int64(schema.serviceLayerID ?? 0),
        name: table.name, drawing: table.definition.advancedDrawingInfo, on: connection)
    }
  }

  private func write(
    type: Int64, _ json: JSONObject, id: Int64, name: String, drawing: JSONValue?,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: SystemTable.serviceItems.name,
      [
        "ItemType": .integer(type), "ItemInfo": .text(JSONValue.object(json).text()),
        "ItemId": .integer(id), "DatasetName": .text(name),
        "AdvancedDrawingInfo": drawing.map { .text(JSONValue.object(["drawingInfo": $0]).text()) }
          ?? .null,
      ])
  }

  /// The schema with the extent of its features, where it declares none.
  private func schema(of table: TableLayout) -> FeatureTableSchema {
    var schema = table.schema
    schema.fields = schema.fieldsWithObjectID
    guard schema.extent == nil, let extent = extents[table.name], !extent.isEmpty else {
      return schema
    }
    schema.extent = extent
    return schema
  }

  private func layer(
    _ table: TableLayout, _ schema: FeatureTableSchema, among schemas: [FeatureTableSchema]
  ) -> JSONObject {
    var members = schema.layerJSON(among: schemas)
    members["drawingInfo"] = table.definition.drawingInfo
    members["copyrightText"] = table.definition.copyrightText.map { .string($0) }
    if schema.hasAttachments {
      let hasGlobalIDs = schema.globalIDField != nil
      members["attachmentsTableName"] = .string(table.name + "__ATTACH")
      members["attachmentsPrimaryKey"] =
        .string((hasGlobalIDs ? schema.globalIDField : nil) ?? schema.objectIDField)
    }
    members["capabilities"] = .string(plan.definition.capabilities)
    return members
  }

  private var service: JSONObject {
    let definition = plan.definition
    func list(_ isSpatial: Bool) -> JSONValue {
      .array(
        plan.servedTables.filter { ($0.shapes != nil) == isSpatial }.map { table in
          [
            "id": .integer(Int64(table.schema.serviceLayerID ?? 0)),
            "name": .string(table.schema.alias),
          ]
        })
    }
    return [
      "currentVersion": 10.91, "name": .string(definition.name),
      "serviceDescription": .string(definition.summary),
      "capabilities": .string(definition.capabilities), "type": "FeatureServer",
      "layers": list(true), "tables": list(false),
    ]
  }
}

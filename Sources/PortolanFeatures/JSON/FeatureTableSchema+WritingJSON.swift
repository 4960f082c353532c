internal import PortolanGeometry
public import PortolanJSON

extension FeatureTableSchema {
  /// The table as feature services and `GDB_ServiceItems` describe it.
  ///
  /// `schemas` are all tables of the store, to whose ids relationships refer; a table without
  /// one gets its place among them. The order of members is that of Esri's own writers; members
  /// for drawing (`drawingInfo`, `minScale`, …) can be added. ``isChangeTracked`` has no place
  /// here. Read back by ``schemas(of:)``.
  public func layerJSON(among schemas: [FeatureTableSchema] = []) -> JSONObject {
    let list = FieldList(fields)
    func id(of table: String) -> Int? {
      let place = schemas.firstIndex { $0.name.lowercased() == table.lowercased() }
      return place.flatMap { schemas[$0].serviceLayerID ?? $0 }
    }
    var members: JSONObject = [
      "currentVersion": 10.91, "id": .integer(Int64(serviceLayerID ?? id(of: name) ?? 0)),
      "name": .string(alias), "type": geometryType == nil ? "Table" : "Feature Layer",
      "displayField": .string(displayField ?? ""),
    ]
    members["editFieldsInfo"] = editorTracking?.json
    members["relationships"] = .array(relationships.map { $0.json(idOfTable: id) })
    addGeometry(to: &members)
    if hasDatesInUnknownTimeZone { members["datesInUnknownTimezone"] = true }
    members["hasAttachments"] = .bool(hasAttachments)
    members["objectIdField"] = .string(objectIDField)
    members["globalIdField"] = .string(globalIDField ?? "")
    members["typeIdField"] = .string(typeIDField ?? "")
    if let code = defaultTypeID { members["defaultSubtypeCode"] = code.json(as: .integer) }
    members["fields"] = .array(fields.map(\.json))
    members["types"] = .array(types.map { $0.json(fields: list) })
    members["templates"] = .array(templates.map { $0.json(fields: list) })
    return members
  }

  private func addGeometry(to members: inout JSONObject) {
    guard let geometryType else { return }
    members["geometryType"] = .string(geometryType.rawValue)
    members["hasZ"] = .bool(hasZ)
    members["hasM"] = .bool(hasM)
    members["extent"] = extent?.esriJSON(spatialReference: spatialReference)
    // Without an extent there is no other place for it.
    members["spatialReference"] = extent == nil ? spatialReference?.esriJSON : nil
  }
}

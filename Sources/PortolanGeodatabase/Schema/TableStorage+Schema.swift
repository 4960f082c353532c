internal import PortolanFeatures

extension TableStorage {
  /// The schema that the columns alone tell.
  var schema: FeatureTableSchema {
    FeatureTableSchema(
      name: name, fields: undeclaredFields(besides: []), objectIDField: objectIDColumn,
      globalIDField: columns.first { $0.name.isSameName(as: "GlobalID") }?.name)
  }

  /// The declared fields that have a column; the object id is always among them.
  ///
  /// Descriptions also list what services compute, such as lengths and areas.
  func fields(declared: [Field]) -> [Field] {
    var fields = declared.filter { column(named: $0.name) != nil && !isHidden($0.name) }
    guard !fields.contains(where: { $0.name.isSameName(as: objectIDColumn) }) else {
      return fields
    }
    fields.insert(
      Field(objectIDColumn, .objectID, isNullable: false, isEditable: false), at: 0)
    return fields
  }

  /// The columns that no declared field names, as fields.
  func undeclaredFields(besides declared: [Field]) -> [Field] {
    let known = Set(declared.map { $0.name.lowercased() })
    return columns.compactMap { column in
      guard var field = column.field, !isHidden(column.name),
        !known.contains(column.name.lowercased())
      else { return nil }
      if field.name.isSameName(as: objectIDColumn) {
        field = Field(field.name, .objectID, isNullable: false, isEditable: false)
      }
      if column.isGenerated { field.isEditable = false }
      return field
    }
  }

  private func isHidden(_ name: String) -> Bool {
    Self.trackingColumns.contains(name.lowercased()) || name.isSameName(as: geometry?.name ?? "")
  }
}

extension DefinitionDocument {
  /// The schema of the definition; fields that it leaves out come from the columns.
  ///
  /// Some files made from services define no more than the object id and the shape.
  func schema(of storage: TableStorage, domain: DomainLookup) -> FeatureTableSchema {
    let declared = fields(domain: domain)
    let fields = declared + storage.undeclaredFields(besides: declared)
    return FeatureTableSchema(
      name: storage.name, alias: alias, geometryType: geometryType, hasZ: hasZ, hasM: hasM,
      spatialReference: spatialReference, extent: extent, fields: fields,
      objectIDField: objectIDField ?? "OBJECTID", globalIDField: globalIDField,
      typeIDField: subtypeField, types: subtypes(fields: fields, domain: domain),
      defaultTypeID: defaultSubtype, editorTracking: editorTracking)
  }
}

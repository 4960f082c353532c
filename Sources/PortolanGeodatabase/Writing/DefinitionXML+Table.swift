internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanXML

extension DefinitionXML {
  /// The document of a table, whose row in `GDB_Items` is `itemID`.
  ///
  /// `extent` is the box around its features; the names of the relationship classes that it is
  /// in are qualified.
  static func table(
    _ table: TableLayout, itemID: Int64, extent: Envelope?, relationshipClasses: [String]
  ) -> String {
    let isSpatial = table.shapes != nil
    var elements = dataset(
      table.qualifiedName, type: isSpatial ? "esriDTFeatureClass" : "esriDTTable",
      itemID: itemID, canVersion: true, clientVersion: table.isTracked ? "10.2" : "10.0")
    elements += fields(of: table)
    elements += [
      .value("CLSID", isSpatial ? featureClassID : tableClassID), .value("EXTCLSID", ""),
      .names("RelationshipClassNames", relationshipClasses),
      .value("AliasName", table.schema.alias), .value("ModelName", ""),
      .value("HasGlobalID", table.schema.globalIDField != nil),
      .value("GlobalIDFieldName", table.schema.globalIDField ?? ""),
    ]
    elements += extensions() + subtypes(of: table.schema) + editorTracking(of: table.schema)
    if let shapes = table.shapes { elements += geometry(shapes, extent) }
    elements += [
      .value("ChangeTracked", table.isTracked), .value("FieldFilteringEnabled", false),
      .names("FilteredFieldNames", []),
    ]
    return document(isSpatial ? "DEFeatureClassInfo" : "DETableInfo", elements)
  }

  private static let featureClassID = "{52353152-891A-11D0-BEC6-00805F7C4268}"
  private static let tableClassID = "{7A566981-C114-11D2-8A28-006097AFF44E}"

  private static func fields(of table: TableLayout) -> [XMLElement] {
    var fields = table.schema.fieldsWithObjectID.map { field($0, in: table.schema) }
    if let shapes = table.shapes {
      fields.append(
        .typed(
          "GPFieldInfoEx", "GPFieldInfoEx",
          [
            .value("Name", shapes.column), .value("ModelName", shapes.column),
            .value("FieldType", FieldType.geometry.rawValue), .value("IsNullable", true),
            .value("DomainFixed", true), .value("Required", true),
          ]))
    }
    return [
      .value("HasOID", true), .value("OIDFieldName", table.schema.objectIDField),
      .typed("GPFieldInfoExs", "ArrayOfGPFieldInfoEx", fields),
    ]
  }

  private static func field(_ field: Field, in schema: FeatureTableSchema) -> XMLElement {
    let isIdentifier = schema.isObjectID(field.name) || schema.isGlobalID(field.name)
    var elements: [XMLElement] = [
      .value("Name", field.name), .value("AliasName", field.alias),
      .value("ModelName", field.name),
    ]
    if let domain = field.domain { elements.append(.value("DomainName", domain.name)) }
    elements.append(.value("FieldType", field.type.rawValue))
    switch field.defaultValue {
    case .text(let text)?: elements.append(.value("DefaultValueString", text))
    case .some(let value):
      if let number = value.number { elements.append(.value("DefaultValueNumeric", number)) }
    case nil: break
    }
    elements.append(.value("IsNullable", field.isNullable && !isIdentifier))
    if isIdentifier { elements.append(.value("Required", true)) }
    if isIdentifier || !field.isEditable { elements.append(.value("Editable", false)) }
    return .typed("GPFieldInfoEx", "GPFieldInfoEx", elements)
  }

  /// Subtypes have whole numbers for codes; types with others are known to services only.
  private static func subtypes(of schema: FeatureTableSchema) -> [XMLElement] {
    guard let field = schema.typeIDField, !schema.types.isEmpty else { return [] }
    let subtypes = schema.types.compactMap { subtype($0) }
    guard subtypes.count == schema.types.count else { return [] }
    let initial = schema.defaultTypeID?.number ?? schema.types.first?.id.number ?? 0
    return [
      .value("SubtypeFieldName", field), .value("DefaultSubtypeCode", initial),
      .typed("Subtypes", "ArrayOfSubtype", subtypes),
    ]
  }

  private static func subtype(_ type: FeatureType) -> XMLElement? {
    guard case .integer(let code) = type.id else { return nil }
    let fields = type.domains.sorted { $0.key < $1.key }.map { name, domain in
      XMLElement.typed(
        "SubtypeFieldInfo", "SubtypeFieldInfo",
        [.value("FieldName", name), .value("DomainName", domain.name)])
    }
    return .typed(
      "Subtype", "Subtype",
      [
        .value("SubtypeName", type.name), .value("SubtypeCode", "\(code)"),
        .typed("FieldInfos", "ArrayOfSubtypeFieldInfo", fields),
      ])
  }

  private static func editorTracking(of schema: FeatureTableSchema) -> [XMLElement] {
    let tracking = schema.editorTracking
    return [
      .value("EditorTrackingEnabled", tracking != nil),
      .value("CreatorFieldName", tracking?.creatorField ?? ""),
      .value("CreatedAtFieldName", tracking?.creationDateField ?? ""),
      .value("EditorFieldName", tracking?.editorField ?? ""),
      .value("EditedAtFieldName", tracking?.editDateField ?? ""),
      .value("IsTimeInUTC", true),
    ]
  }
}

extension TableLayout {
  /// The name with that of the database, as items have it.
  var qualifiedName: String { "main.\(name)" }
}

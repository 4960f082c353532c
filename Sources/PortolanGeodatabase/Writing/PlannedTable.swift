package import PortolanFeatures

/// A table that a new geodatabase is to have, by definition or because another one needs it.
package struct PlannedTable: Hashable, Sendable {
  /// The purpose of the table.
  package enum Purpose: Hashable, Sendable {
    /// The definition names it.
    case listed
    /// It holds the attachments of another.
    case attachments(of: String)
    /// It holds the pairs of a relationship of many to many.
    case pairs
  }

  package var definition: GeodatabaseDefinition.Table
  package var purpose: Purpose
  /// The fields by which related rows are looked for.
  package var keyFields: [String]

  package var schema: FeatureTableSchema { definition.schema }
}

extension GeodatabaseDefinition {
  /// The tables of the definition, each followed by that of its attachments, and those of
  /// relationships of many to many at the end.
  package var plannedTables: [PlannedTable] {
    var planned: [PlannedTable] = []
    for table in tables {
      planned.append(
        PlannedTable(
          definition: table, purpose: .listed,
          keyFields: table.schema.relationships.map(\.keyField)))
      if table.schema.hasAttachments { planned.append(.attachments(of: table.schema)) }
    }
    var names = Set(planned.map { $0.schema.name.lowercased() })
    for table in tables {
      for relationship in table.schema.relationships {
        guard let join = relationship.joinTable, names.insert(join.name.lowercased()).inserted
        else { continue }
        planned.append(.pairs(of: relationship, join, from: table.schema, among: tables))
      }
    }
    return planned
  }
}

extension PlannedTable {
  /// The suffix of the name of an attachment table, after that of its owner.
  static let attachmentsSuffix = "__ATTACH"

  /// The table that holds the attachments of `owner`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.5
  package static func attachments(of owner: FeatureTableSchema) -> PlannedTable {
    let hasGlobalIDs = owner.globalIDField != nil
    var fields = [Field("ATTACHMENTID", .objectID, isNullable: false, isEditable: false)]
    if hasGlobalIDs {
      fields += [
        Field("GLOBALID", .globalID, isNullable: false, isEditable: false),
        Field("REL_GLOBALID", .guid, isNullable: false),
      ]
    } else {
      fields.append(Field("REL_OBJECTID", .integer, isNullable: false))
    }
    fields += [
      Field("CONTENT_TYPE", .string, length: 150, isNullable: false),
      Field("ATT_NAME", .string, length: 250, isNullable: false),
      Field("DATA_SIZE", .integer, isNullable: false),
      Field("DATA", .blob),
    ]
    let schema = FeatureTableSchema(
      name: owner.name + attachmentsSuffix, fields: fields, objectIDField: "ATTACHMENTID",
      globalIDField: hasGlobalIDs ? "GLOBALID" : nil, isChangeTracked: owner.isChangeTracked)
    return PlannedTable(
      definition: GeodatabaseDefinition.Table(schema), purpose: .attachments(of: owner.name),
      keyFields: [hasGlobalIDs ? "REL_GLOBALID" : "REL_OBJECTID"])
  }

  /// The table that holds the pairs of a relationship of many to many.
  fileprivate static func pairs(
    of relationship: RelationshipInfo, _ join: RelationshipInfo.JoinTable,
    from table: FeatureTableSchema, among tables: [GeodatabaseDefinition.Table]
  ) -> PlannedTable {
    let related = tables.lazy.map(\.schema).first {
      $0.name.lowercased() == relationship.relatedTable.lowercased()
    }
    let fields = [
      Field("RID", .objectID, isNullable: false, isEditable: false),
      Self.key(join.keyField, like: table.field(named: relationship.keyField)),
      Self.key(join.relatedKeyField, like: related?.field(named: relationship.relatedKeyField)),
    ]
    let schema = FeatureTableSchema(
      name: join.name, fields: fields, objectIDField: "RID",
      isChangeTracked: table.isChangeTracked)
    return PlannedTable(
      definition: GeodatabaseDefinition.Table(schema), purpose: .pairs,
      keyFields: [join.keyField, join.relatedKeyField])
  }

  /// A field that holds the keys of `original`.
  private static func key(_ name: String, like original: Field?) -> Field {
    let type: FieldType =
      switch original?.type {
      case .globalID, .guid: .guid
      case .objectID, nil: .integer
      case .some(let type): type
      }
    return Field(name, type, length: original?.length)
  }
}

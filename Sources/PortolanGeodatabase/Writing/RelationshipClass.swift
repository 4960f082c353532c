package import PortolanFeatures

/// A relation between two tables as the file keeps it: once, seen from its origin.
package struct RelationshipClass: Hashable, Sendable {
  /// The name, which is also that of the table between the two, if there is one.
  package var name: String
  /// The label of the relationship, seen from its origin.
  package var label: String
  package var origin: String
  package var destination: String
  package var originKey: String
  package var destinationKey: String
  package var cardinality: RelationshipInfo.Cardinality
  package var isComposite: Bool
  /// The table between the two, its first key being that of the origin.
  package var join: RelationshipInfo.JoinTable?
  /// Whether the destination holds the attachments of the origin.
  package var isAttachment = false

  package var qualifiedName: String { "main.\(name)" }

  /// The relation between a table and its attachments.
  package static func attachments(of table: FeatureTableSchema) -> RelationshipClass {
    RelationshipClass(
      name: table.name + "__ATTACHREL", label: "attachment", origin: table.name,
      destination: table.name + "__ATTACH",
      originKey: table.globalIDField ?? table.objectIDField,
      destinationKey: table.globalIDField == nil ? "REL_OBJECTID" : "REL_GLOBALID",
      cardinality: .oneToMany, isComposite: true, isAttachment: true)
  }

  /// The relation that a table sees as `info`, whichever end it is.
  package init(_ info: RelationshipInfo, of table: FeatureTableSchema) {
    let isOrigin = info.role == .origin
    label = info.name
    name = info.joinTable?.name ?? info.name
    origin = isOrigin ? table.name : info.relatedTable
    destination = isOrigin ? info.relatedTable : table.name
    originKey = isOrigin ? info.keyField : info.relatedKeyField
    destinationKey = isOrigin ? info.relatedKeyField : info.keyField
    cardinality = info.cardinality
    isComposite = info.isComposite
    join = info.joinTable.map { join in
      isOrigin
        ? join
        : RelationshipInfo.JoinTable(
          name: join.name, keyField: join.relatedKeyField, relatedKeyField: join.keyField)
    }
  }

  private init(
    name: String, label: String, origin: String, destination: String, originKey: String,
    destinationKey: String, cardinality: RelationshipInfo.Cardinality, isComposite: Bool,
    isAttachment: Bool
  ) {
    self.name = name
    self.label = label
    self.origin = origin
    self.destination = destination
    self.originKey = originKey
    self.destinationKey = destinationKey
    self.cardinality = cardinality
    self.isComposite = isComposite
    self.isAttachment = isAttachment
  }
}

extension RelationshipClass {
  /// The relations among tables, each once although both its ends may name it.
  package static func all(among tables: [PlannedTable]) -> [RelationshipClass] {
    var classes: [RelationshipClass] = []
    var known: Set<RelationshipClass> = []
    var names: Set<String> = Set(tables.map { $0.schema.name.lowercased() })
    for table in tables where table.purpose == .listed {
      var seen = table.schema.relationships.map { RelationshipClass($0, of: table.schema) }
      if table.schema.hasAttachments { seen.append(.attachments(of: table.schema)) }
      for var relationship in seen {
        // The two ends may give one relation different names for people.
        var identity = relationship
        (identity.name, identity.label) = (relationship.join?.name ?? "", "")
        guard known.insert(identity).inserted else { continue }
        relationship.name = unused(relationship, &names)
        classes.append(relationship)
      }
    }
    return classes
  }

  private static func unused(
    _ relationship: RelationshipClass, _ names: inout Set<String>
  ) -> String {
    // A relation of many to many is called like its table.
    guard relationship.join == nil else { return relationship.name }
    let plain = relationship.name.filter { $0.isLetter || $0.isNumber || $0 == "_" }
    let base = plain.isEmpty ? "\(relationship.origin)_\(relationship.destination)" : plain
    var name = base
    var number = 1
    while !names.insert(name.lowercased()).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }
}

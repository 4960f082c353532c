internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// Writes what relates tables: a row of `gpkgext_relations` and a table of pairs for each relation.
///
/// The pairs are those of the keys at the moment of writing.
///
/// - SeeAlso: [OGC 18-000](https://www.geopackage.org/18-000.html)
struct GeoPackageRelations {
  let plan: GeoPackagePlan
  private(set) var omissions: [Omission] = []

  init(_ plan: GeoPackagePlan) { self.plan = plan }

  /// Makes the tables of pairs between features and their attachments, which come to be filled.
  static func begin(
    _ plan: GeoPackagePlan, on connection: borrowing Connection
  ) throws(DatabaseError) {
    guard !plan.relationships.isEmpty else { return }
    try connection.execute(GeoPackageSystemTable.relations)
    for relationship in plan.relationships where relationship.isAttachment {
      try connection.execute(
        MappingTable.statement(MappingTable.attachmentsName(of: relationship.origin)))
    }
  }

  /// Writes the relations, once all rows are there.
  mutating func finish(on connection: borrowing Connection) throws(DatabaseError) {
    guard !plan.relationships.isEmpty else { return }
    try GeoPackageCatalogue.register(.relatedTables, table: "gpkgext_relations", on: connection)
    var names = Set(plan.tables.map { $0.name.lowercased() })
    for relationship in plan.relationships {
      guard let origin = table(relationship.origin),
        let destination = table(relationship.destination)
      else { continue }
      let name =
        relationship.isAttachment
        ? MappingTable.attachmentsName(of: origin.name) : MappingTable.name(relationship.label)
      guard names.insert(name.lowercased()).inserted else {
        omissions.append(Omission(table: origin.name, .relationship(relationship.label)))
        continue
      }
      if !relationship.isAttachment {
        try fill(name, relationship, origin, destination, on: connection)
      }
      try index(name, on: connection)
      try register(name, relationship, origin, destination, on: connection)
    }
  }

  private func table(_ name: String) -> TableLayout? {
    plan.tables.first { $0.name.isSameName(as: name) }
  }

  private func fill(
    _ name: String, _ relationship: RelationshipClass, _ origin: TableLayout,
    _ destination: TableLayout, on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.execute(MappingTable.statement(name))
    func column(_ alias: String, _ name: String) -> String {
      "\(alias).\(SQLIdentifier.quoted(name))"
    }
    var source = "\(SQLIdentifier.quoted(origin.name)) AS o"
    var key = column("o", relationship.originKey)
    if let join = relationship.join {
      source += " JOIN \(SQLIdentifier.quoted(join.name)) AS j"
      source += " ON \(column("j", join.keyField)) = \(key)"
      key = column("j", join.relatedKeyField)
    }
    source += " JOIN \(SQLIdentifier.quoted(destination.name)) AS d"
    source += " ON \(column("d", relationship.destinationKey)) = \(key)"
    try connection.execute(
      """
      INSERT INTO \(SQLIdentifier.quoted(name)) (base_id, related_id)
      SELECT \(column("o", origin.schema.objectIDField)),
        \(column("d", destination.schema.objectIDField))
      FROM \(source) ORDER BY 1, 2
      """)
  }

  private func index(
    _ name: String, on connection: borrowing Connection
  ) throws(DatabaseError) {
    for column in ["base_id", "related_id"] {
      try connection.execute(
        """
        CREATE INDEX \(SQLIdentifier.quoted("idx_\(name)_\(column)")) \
        ON \(SQLIdentifier.quoted(name)) (\(column))
        """)
    }
  }

  private func register(
    _ name: String, _ relationship: RelationshipClass, _ origin: TableLayout,
    _ destination: TableLayout, on connection: borrowing Connection
  ) throws(DatabaseError) {
    let kind =
      relationship.isAttachment
      ? "media" : destination.shapes == nil ? "attributes" : "features"
    try connection.insert(
      into: "gpkgext_relations",
      [
        "base_table_name": .text(origin.name),
        "base_primary_column": .text(origin.schema.objectIDField),
        "related_table_name": .text(destination.name),
        "related_primary_column": .text(destination.schema.objectIDField),
        "relation_name": .text(kind), "mapping_table_name": .text(name),
      ])
    try GeoPackageCatalogue.register(.relatedTables, table: name, on: connection)
  }
}

internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

/// Reads the schemas of a GeoPackage's tables.
///
/// The columns themselves come first, since other programs may have changed them; then the schema
/// extension with aliases and domains; then the description that ``GeoPackageWriter`` kept.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
struct GeoPackageSchemaReader: SchemaReading {
  private var relations: [GeoPackageTables.RelationRow]?
  private var described: [FeatureTableSchema]?

  mutating func tableNames(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    let names = try GeoPackageTables.tableNames(connection)
    let attached = try attachmentRelations(connection).values.map { $0.relatedTable.lowercased() }
    return names.filter { !attached.contains($0.lowercased()) }
  }

  func storage(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage? {
    try TableStorage.readGeoPackage(table, connection)
  }

  mutating func schema(
    of storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema {
    let contents = try GeoPackageTables.contents(of: storage.name, connection)
    let described = try describedSchemas(connection)
      .first { $0.name.isSameName(as: storage.name) }
    var schema = described ?? FeatureTableSchema(name: storage.name, fields: [])
    schema.name = storage.name
    if described == nil, let identifier = contents?.identifier { schema.alias = identifier }
    schema.fields = try fields(of: storage, described: described?.fields ?? [], connection)
    schema.objectIDField = storage.objectIDColumn
    if let name = schema.globalIDField, schema.field(named: name) == nil {
      schema.globalIDField = nil
    }
    try addGeometry(to: &schema, storage, contents, connection)
    schema.hasAttachments =
      try attachmentTable(of: storage, globalIDField: nil, connection) != nil
    schema.isChangeTracked = false
    schema.relationships += try relationships(of: storage, connection)
    return schema
  }

  mutating func attachmentTable(
    of storage: TableStorage, globalIDField: String?, _ connection: borrowing Connection
  ) throws(DatabaseError) -> AttachmentTable? {
    guard let relation = try attachmentRelations(connection)[storage.name.lowercased()],
      let media = try self.storage(of: relation.relatedTable, connection),
      let pairs = try self.storage(of: relation.mappingTable, connection)
    else { return nil }
    var table = AttachmentTable(
      media, pairs: .init(storage: pairs, attachmentColumn: "related_id"), keyColumn: "base_id",
      featureKey: relation.key(relation.baseColumn, of: storage))
    table.columns = .init(
      name: media.nameColumn, contentType: "content_type", size: "size", data: "data")
    return table
  }

  // MARK: - Parts

  private func addGeometry(
    to schema: inout FeatureTableSchema, _ storage: TableStorage,
    _ contents: GeoPackageTables.ContentsRow?, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let geometry = storage.geometry
    schema.geometryType = geometry?.type
    schema.mayMixShapes = geometry?.holdsShapesOfAnyType ?? false
    schema.hasZ = geometry?.hasZ ?? false
    schema.mayLackHeights = geometry?.mayLackHeights ?? false
    schema.hasM = geometry?.hasM ?? false
    schema.extent = geometry == nil ? nil : contents?.extent
    schema.spatialReference = nil
    guard let id = geometry?.srid ?? contents?.srsID else { return }
    schema.spatialReference = try GeoPackageTables.spatialReference(id, connection)
  }

  private func fields(
    of storage: TableStorage, described: [Field], _ connection: borrowing Connection
  ) throws(DatabaseError) -> [Field] {
    let rows = try GeoPackageTables.dataColumns(of: storage.name, connection)
    var fields: [Field] = []
    for column in storage.columns where column.name != storage.geometry?.name {
      let known = described.first { $0.name.isSameName(as: column.name) }
      var field = known ?? column.geoPackageField
      field.name = column.name
      if column.name == storage.objectIDColumn { field.type = .objectID }
      field.hasComputedDefault = column.computesDefault(of: field)
      if let row = rows.first(where: { $0.column.isSameName(as: column.name) }) {
        field.alias = row.title ?? field.alias
        if let name = row.constraint {
          field.domain = try GeoPackageTables.domain(named: name, as: field.type, connection)
        }
      }
      fields.append(field)
    }
    if storage.column(named: storage.objectIDColumn) == nil {
      fields.insert(
        Field(storage.objectIDColumn, .objectID, isNullable: false, isEditable: false), at: 0)
    }
    return fields
  }

  private mutating func describedSchemas(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [FeatureTableSchema] {
    if let described { return described }
    let read = FeatureTableSchema.schemas(of: try GeoPackageTables.layerResources(connection))
    described = read
    return read
  }

  // MARK: - Relations

  private mutating func allRelations(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [GeoPackageTables.RelationRow] {
    if let relations { return relations }
    let read = try GeoPackageTables.relations(connection)
    relations = read
    return read
  }

  /// The relation that leads to the attachments of each table: the first to a table of media.
  private mutating func attachmentRelations(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String: GeoPackageTables.RelationRow] {
    var found: [String: GeoPackageTables.RelationRow] = [:]
    for relation in try allRelations(connection) where relation.isMedia {
      let base = relation.baseTable.lowercased()
      guard found[base] == nil else { continue }
      let columns = try SystemTables.columns(of: relation.relatedTable, connection)
      let pairs = try SystemTables.columns(of: relation.mappingTable, connection)
      guard columns.contains(where: { $0.name.isSameName(as: "data") }), !pairs.isEmpty else {
        continue
      }
      found[base] = relation
    }
    return found
  }

  /// The relations of a table that its description does not tell and that are no attachments.
  private mutating func relationships(
    of storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [RelationshipInfo] {
    let described = try describedSchemas(connection).flatMap(\.relationships)
    let told = Set(described.map { MappingTable.name($0.name).lowercased() })
    let attached = Set(try attachmentRelations(connection).values.map(\.id))
    let firstID = described.map(\.id).max() ?? 0
    var infos: [RelationshipInfo] = []
    for relation in try allRelations(connection)
    where !attached.contains(relation.id) && !told.contains(relation.mappingTable.lowercased()) {
      for role in [RelationshipInfo.Role.origin, .destination] {
        guard let other = try self.storage(of: relation.otherTable(from: role), connection),
          let info = relation.info(of: storage, role, to: other, id: firstID &+ relation.id),
          try !SystemTables.columns(of: relation.mappingTable, connection).isEmpty
        else { continue }
        infos.append(info)
      }
    }
    return infos
  }
}

extension GeoPackageTables.RelationRow {
  /// The table at the other end.
  fileprivate func otherTable(from role: RelationshipInfo.Role) -> String {
    role == .origin ? relatedTable : baseTable
  }

  /// The key that a relation names, or else the object id: many writers put in a column that is
  /// not there.
  fileprivate func key(_ name: String, of storage: TableStorage) -> String {
    storage.column(named: name)?.name ?? storage.objectIDColumn
  }

  /// The relation as one of its two tables sees it; `nil` if `storage` is not that one.
  fileprivate func info(
    of storage: TableStorage, _ role: RelationshipInfo.Role, to other: TableStorage, id: Int
  ) -> RelationshipInfo? {
    let isOrigin = role == .origin
    guard storage.name.isSameName(as: isOrigin ? baseTable : relatedTable) else { return nil }
    return RelationshipInfo(
      id: id, name: mappingTable, relatedTable: other.name, cardinality: .manyToMany, role: role,
      keyField: key(isOrigin ? baseColumn : relatedColumn, of: storage),
      relatedKeyField: key(isOrigin ? relatedColumn : baseColumn, of: other),
      joinTable: .init(
        name: mappingTable, keyField: isOrigin ? "base_id" : "related_id",
        relatedKeyField: isOrigin ? "related_id" : "base_id"))
  }
}

extension TableStorage {
  /// The column with the name of a file, as the writers that are known call it.
  fileprivate var nameColumn: String {
    ["name", "title", "file_name", "filename"].first { column(named: $0) != nil } ?? "name"
  }
}

internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite

/// Reads the schemas of a geodatabase's tables.
///
/// The description of the service comes first, then the XML definition, then the columns
/// themselves; what one leaves open the next may say. What is read once is kept while the reader
/// lives, so that all tables cost little more than one.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.4
struct SchemaReader: SchemaReading {
  private var items: [SystemTables.ServiceItem]?
  private var resources: [LayerResource]?
  private var relationships: [RelationshipDocument]?
  private var domains: [String: DomainDocument]?

  /// The tables that people are meant to see, in the order of the file.
  mutating func tableNames(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    let listed = try serviceItems(connection).map(\.table)
    if !listed.isEmpty { return listed }
    let hidden = try hiddenTables(connection)
    let defined = try SystemTables.definitions(ofTypes: [.featureClass, .table], connection)
      .map { TableName.unqualified($0.name) }
      .filter { !hidden.contains($0.lowercased()) && !$0.lowercased().hasPrefix("gdb_") }
    if !defined.isEmpty { return defined }
    return try SystemTables.geometryRows(connection).map(\.table)
      .filter { !$0.lowercased().hasPrefix("gdb_") }
  }

  /// Tables that belong to others or to Esri's software.
  private mutating func hiddenTables(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Set<String> {
    let all = try allRelationships(connection)
    let attachments = all.filter(\.isAttachment).map { $0.destination.lowercased() }
    return Set(attachments + all.map { $0.name.lowercased() } + ["consolidationmapping_gdb"])
  }

  /// How a table is laid out; `nil` if there is no such table.
  func storage(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage? {
    try TableStorage.read(table, connection)
  }

  /// The schema of a table.
  mutating func schema(
    of storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema {
    let item = try serviceItems(connection).first { $0.table.isSameName(as: storage.name) }
    var schema: FeatureTableSchema?
    if let item { schema = try serviceSchema(item, connection) }
    if schema == nil { schema = try definedSchema(storage, connection) }
    return try completed(schema ?? storage.schema, item?.id, storage, connection)
  }

  /// The attachments of a table, if it has any.
  mutating func attachmentTable(
    of storage: TableStorage, globalIDField: String?, _ connection: borrowing Connection
  ) throws(DatabaseError) -> AttachmentTable? {
    let relationships = try allRelationships(connection)
    return try AttachmentTable.find(
      for: storage, globalIDField: globalIDField, relationships: relationships, connection)
  }

  // MARK: - Sources

  private mutating func serviceItems(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [SystemTables.ServiceItem] {
    if let items { return items }
    let read = try SystemTables.serviceItems(connection)
    items = read
    return read
  }

  private mutating func allRelationships(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [RelationshipDocument] {
    if let relationships { return relationships }
    let read = try SystemTables.definitions(ofTypes: [.relationshipClass], connection)
      .enumerated().compactMap { RelationshipDocument($1.definition, id: $0 + 1) }
    relationships = read
    return read
  }

  private mutating func allDomains(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String: DomainDocument] {
    if let domains { return domains }
    let types: [ItemType] = [.codedValueDomain, .rangeDomain]
    let documents = try SystemTables.definitions(ofTypes: types, connection)
      .compactMap { DomainDocument($0.definition) }
    let read = Dictionary(documents.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    domains = read
    return read
  }
}

extension SchemaReader {
  /// The schema of a table as its service gave it; `nil` if that cannot be read.
  private mutating func serviceSchema(
    _ item: SystemTables.ServiceItem, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema? {
    guard let resource = LayerResource(item) else { return nil }
    let isRelated = !(resource.json["relationships"]?.array ?? []).isEmpty
    let all = isRelated ? try allResources(connection) : [resource]
    return FeatureTableSchema.schemas(of: all).first { $0.name.isSameName(as: item.table) }
  }

  private mutating func allResources(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [LayerResource] {
    if let resources { return resources }
    let read = try serviceItems(connection).compactMap(LayerResource.init)
    resources = read
    return read
  }

  /// The schema of a table by its XML definition; `nil` if there is none.
  private mutating func definedSchema(
    _ storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema? {
    guard let text = try SystemTables.definition(of: storage.name, connection),
      let document = DefinitionDocument(text)
    else { return nil }
    let domains = text.contains("<DomainName>") ? try allDomains(connection) : [:]
    return document.schema(of: storage) { name, type in
      domains[name]?.domain(as: type)
    }
  }

  /// The schema with what only the layout of the table shows.
  private mutating func completed(
    _ schema: FeatureTableSchema, _ itemID: Int?, _ storage: TableStorage,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema {
    var schema = schema
    schema.name = storage.name
    schema.serviceLayerID = itemID
    schema.isChangeTracked = storage.isTracked
    schema.objectIDField = storage.objectIDColumn
    schema.fields = storage.fields(declared: schema.fields)
    let geometry = storage.geometry
    schema.geometryType = geometry.flatMap { schema.geometryType ?? $0.type }
    schema.mayMixShapes = geometry?.holdsShapesOfAnyType ?? false
    schema.hasZ = geometry?.hasZ ?? false
    schema.hasM = geometry?.hasM ?? false
    if let geometry {
      if schema.spatialReference == nil {
        schema.spatialReference = try SystemTables.spatialReference(geometry.srid, connection)
      }
      if schema.extent == nil {
        schema.extent = try SystemTables.extent(of: storage.name, connection)
      }
    }
    schema.hasAttachments =
      try attachmentTable(of: storage, globalIDField: schema.globalIDField, connection) != nil
    for relationship in try allRelationships(connection) where !relationship.isAttachment {
      for info in relationship.infos(of: storage.name)
      where !schema.relationships.contains(where: { $0.isSameRelation(as: info) }) {
        schema.relationships.append(info)
      }
    }
    return schema
  }
}

extension LayerResource {
  fileprivate init?(_ item: SystemTables.ServiceItem) {
    // A description that is no JSON is as good as missing; the XML definition is the next source.
    guard let json = try? JSONValue(parsing: item.info) else { return nil }
    self.init(tableName: item.table, json: json)
  }
}

extension RelationshipInfo {
  /// Whether both say the same about the same tables, whatever they are called.
  fileprivate func isSameRelation(as other: RelationshipInfo) -> Bool {
    role == other.role && relatedTable.isSameName(as: other.relatedTable)
      && keyField.isSameName(as: other.keyField)
      && relatedKeyField.isSameName(as: other.relatedKeyField)
  }
}

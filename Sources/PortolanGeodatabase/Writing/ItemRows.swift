internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// The rows of `GDB_Items` and how they relate: the catalogue of a geodatabase.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct ItemRows {
  /// A row of the catalogue.
  struct Item {
    let id: Int64
    let uuid: String
    let type: ItemType
    var name: String?
    var path: String?
    var definition: String?
    /// The box around what it holds, in degrees.
    var extent: Envelope?
    /// Where it holds features: of what kind, and in which column their shapes are.
    var shapes: TableLayout.Shapes?
    /// Where it is the registration of a copy: of which service, and whose.
    var registration: (service: String, owner: String)?
  }

  /// A row of `GDB_ItemRelationships`.
  struct Relation {
    let uuid: String
    let type: ItemRelationshipType
    let origin: String
    let destination: String
  }

  private(set) var items: [Item] = []
  private(set) var relations: [Relation] = []
  private let makeID: () -> UUID
  private var projection = ExtentProjection()

  /// Lists what is in a geodatabase.
  ///
  /// `extents` are the boxes around the features of each table, in the order of the plan; the
  /// marker of the present says `now`.
  init(
    _ plan: GeodatabasePlan, extents: [Envelope], now: Date, makeID: @escaping () -> UUID
  ) {
    self.makeID = makeID
    let root = add(.folder, path: "\\").uuid
    add(.workspace, name: "Workspace") { _ in DefinitionXML.workspace }
    add(.historicalMarker, name: "DEFAULT") { _ in
      DefinitionXML.historicalMarker(DefinitionXML.dateTime(now))
    }
    let domains = addDomains(of: plan)
    var tables: [String: String] = [:]
    // A relationship class and the table of its pairs are one item.
    for (table, extent) in zip(plan.tables, extents) where table.purpose != .pairs {
      tables[table.name.lowercased()] = add(table, extent, plan, in: root, domains)
    }
    for relationship in plan.relationshipClasses {
      add(relationship, in: root, tables)
    }
    if let replica = plan.definition.syncReplica { add(replica, of: plan) }
  }

  /// The box around all items, in degrees.
  var extent: Envelope { items.compactMap(\.extent).reduce(.empty) { $0.union($1) } }

  private func newID() -> String { "{\(makeID().uuidString)}" }

  @discardableResult
  private mutating func add(
    _ type: ItemType, name: String? = nil, path: String? = nil, extent: Envelope? = nil,
    shapes: TableLayout.Shapes? = nil, definition: (Int64) -> String? = { _ in nil }
  ) -> Item {
    let id = Int64(items.count + 1)
    let item = Item(
      id: id, uuid: newID(), type: type, name: name, path: path, definition: definition(id),
      extent: extent, shapes: shapes)
    items.append(item)
    return item
  }

  private mutating func relate(
    _ origin: String, _ type: ItemRelationshipType, _ destination: String
  ) {
    relations.append(
      Relation(uuid: newID(), type: type, origin: origin, destination: destination))
  }

  /// Adds each domain once; of several with one name the first.
  private mutating func addDomains(of plan: GeodatabasePlan) -> [String: String] {
    var ids: [String: String] = [:]
    for table in plan.tables {
      for (domain, type) in table.schema.domainsWithTypes where ids[domain.name] == nil {
        let kind: ItemType = if case .range = domain { .rangeDomain } else { .codedValueDomain }
        ids[domain.name] =
          add(kind, name: domain.name) { _ in DefinitionXML.domain(domain, for: type) }.uuid
      }
    }
    return ids
  }

  private mutating func add(
    _ table: TableLayout, _ extent: Envelope, _ plan: GeodatabasePlan, in root: String,
    _ domains: [String: String]
  ) -> String {
    let relationships = plan.relationshipClasses.filter { $0.involves(table.name) }
    let box = extent.isEmpty ? nil : extent
    let item = add(
      table.shapes == nil ? .table : .featureClass, name: table.qualifiedName,
      path: "\\\(table.qualifiedName)",
      extent: box.flatMap { projection.degrees(of: $0, in: table.shapes?.reference.reference) },
      shapes: table.shapes
    ) { id in
      DefinitionXML.table(
        table, itemID: id, extent: box,
        relationshipClasses: relationships.map(\.qualifiedName))
    }
    relate(root, .datasetInFolder, item.uuid)
    var known: Set<String> = []
    for (domain, _) in table.schema.domainsWithTypes {
      guard let id = domains[domain.name], known.insert(id).inserted else { continue }
      relate(item.uuid, .domainInDataset, id)
    }
    return item.uuid
  }

  /// Adds the registration of a copy; layers that the file does not have are left out.
  private mutating func add(_ replica: SyncReplica, of plan: GeodatabasePlan) {
    var replica = replica
    var synced: [DefinitionXML.SyncedTable] = []
    replica.layers = replica.layers.filter { layer in
      guard
        let table = plan.servedTables.first(where: { $0.schema.serviceLayerID == layer.layerID }),
        let item = items.first(where: { $0.name == table.qualifiedName })
      else { return false }
      synced.append(
        DefinitionXML.SyncedTable(
          itemID: item.id, qualifiedName: table.qualifiedName, alias: table.schema.alias,
          isSpatial: table.shapes != nil, hasAttachments: table.schema.hasAttachments))
      return true
    }
    let index = items.count
    add(.syncReplica, name: replica.name, path: replica.name) { id in
      DefinitionXML.syncReplica(replica, itemID: id, tables: synced)
    }
    items[index].registration = (replica.serviceURL, replica.owner)
  }

  private mutating func add(
    _ relationship: RelationshipClass, in root: String, _ tables: [String: String]
  ) {
    let name = relationship.qualifiedName
    let item = add(.relationshipClass, name: name, path: "\\\(name)") { id in
      DefinitionXML.relationship(relationship, itemID: id)
    }
    relate(root, .datasetInFolder, item.uuid)
    for end in [relationship.origin, relationship.destination] {
      guard let table = tables[end.lowercased()] else { continue }
      relate(table, .datasetsRelatedThrough, item.uuid)
    }
  }
}

extension RelationshipClass {
  fileprivate func involves(_ table: String) -> Bool {
    [origin.lowercased(), destination.lowercased()].contains(table.lowercased())
  }
}

extension FeatureTableSchema {
  /// The domains of fields and subtypes, with the types of the fields they belong to.
  fileprivate var domainsWithTypes: [(Domain, FieldType)] {
    var domains = fields.compactMap { field in field.domain.map { ($0, field.type) } }
    for type in types {
      for (name, domain) in type.domains.sorted(by: { $0.key < $1.key }) {
        domains.append((domain, field(named: name)?.type ?? .integer))
      }
    }
    return domains
  }
}

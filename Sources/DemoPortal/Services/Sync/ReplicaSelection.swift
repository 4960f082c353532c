internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Finds the rows of a service that belong to a replica.
struct ReplicaSelection: Sendable {
  let content: HostedContent
  let now: Date

  /// The object ids of the rows, by layer.
  func objectIDs(of replica: Replica) throws -> [Int: Set<Int64>] {
    var found: [Int: Set<Int64>] = [:]
    for layer in replica.layers {
      guard let table = content.table(layer.id) else { continue }
      found[layer.id] = Set(try rows(of: table, layer, replica).map(\.objectID))
    }
    // Rows follow those that they belong to, however long the chain is.
    var origins = replica.layers.filter(\.includesRelated).map(\.id)
    while let id = origins.popLast() {
      guard let table = content.table(id) else { continue }
      for (related, ids) in relatedRows(of: table, found[id] ?? [], in: replica) {
        let known = found[related] ?? []
        guard !ids.isSubset(of: known) else { continue }
        found[related] = known.union(ids)
        origins.append(related)
      }
    }
    return found
  }

  private func rows(
    of table: HostedTable, _ layer: ReplicaLayer, _ replica: Replica
  ) throws -> [Feature] {
    switch layer.queryOption {
    case .none: return []
    case .all: return table.rows.map(\.feature)
    case .useFilter: break
    }
    var pairs = [(name: "where", value: layer.whereClause.isEmpty ? "1=1" : layer.whereClause)]
    if layer.usesGeometry, let geometry = replica.geometry {
      let shape = geometry.esriJSON(spatialReference: replica.geometryReference)
      pairs.append(("geometry", shape.text()))
    }
    let options = FeatureServiceOptions(name: "")
    return try FeatureQuery(DemoParameters(pairs), of: table, in: options)
      .selected(from: table, now: now)
  }

  /// The rows of other tables of the replica that belong to some rows of this one.
  private func relatedRows(
    of table: HostedTable, _ objectIDs: Set<Int64>, in replica: Replica
  ) -> [(table: Int, objectIDs: Set<Int64>)] {
    table.schema.relationships.filter { $0.role == .origin }.compactMap { relation in
      guard let related = content.tables.first(where: { $0.schema.name == relation.relatedTable }),
        replica.layers.contains(where: { $0.id == related.id })
      else { return nil }
      let keys = Set(
        objectIDs.compactMap { table.row($0)?.feature.attributes[relation.keyField] }
          .filter { !$0.isNull })
      let members = related.rows.map(\.feature).filter {
        $0.attributes[relation.relatedKeyField].map(keys.contains) ?? false
      }
      return (related.id, Set(members.map(\.objectID)))
    }
  }
}

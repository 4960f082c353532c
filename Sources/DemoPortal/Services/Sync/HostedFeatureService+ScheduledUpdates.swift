internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

extension HostedFeatureService {
  /// The changes in an area since a generation, as a file for those who have the area's package.
  ///
  /// - Parameters:
  ///   - generation: The generation up to which the package has everything.
  ///   - area: The area, on Web Mercator.
  /// - Returns: The file, and the generation up to which it reaches; `nil` if nothing changed.
  /// - Throws: ``DemoFailure``, or an error of what writes the file.
  func scheduledUpdate(
    since generation: Int64, in area: Geometry
  ) throws -> (generation: Int64, data: Data)? {
    let layers = content.tables.map { table in
      let isSpatial = table.schema.geometryType != nil
      return ReplicaLayer(
        id: table.id, queryOption: isSpatial ? .useFilter : .none, whereClause: "",
        usesGeometry: isSpatial, includesRelated: true, generation: generation)
    }
    let replica = Replica(
      id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "", owner: "",
      syncModel: .perLayer,
      syncDirection: "download", attachmentsDirection: "bidirectional", returnsAttachments: true,
      geometry: area, geometryReference: .webMercator, spatialReference: .webMercator,
      layers: layers, created: clock.now())
    let matching = try ReplicaSelection(content: content, now: clock.now()).objectIDs(of: replica)
    let changes = content.tables.map { table in
      ServiceChanges(
        of: table,
        ServiceChanges.Scope(
          generation: generation, objectIDs: matching[table.id] ?? [], includesFiles: true))
    }
    guard !changes.allSatisfy(\.isEmpty) else { return nil }
    let delta = ReplicaDelta(
      content: content, replica: replica, now: clock.now(), identifiers: identifiers)
    return (content.generation, try delta.data(of: changes, []))
  }
}

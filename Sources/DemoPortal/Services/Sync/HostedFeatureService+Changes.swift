internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension HostedFeatureService {
  /// The changes since generations, `extractChanges`.
  ///
  /// - Parameters:
  ///   - parameters: The request's.
  ///   - serviceURL: The address of the service.
  /// - Returns: What the job will answer: where the changes are.
  /// - Throws: ``DemoFailure`` if the service does not track changes or no generation is given.
  func extractChanges(
    _ parameters: DemoParameters, serviceURL: String
  ) throws -> JSONObject {
    guard options.can("ChangeTracking") else {
      throw DemoFailure.badReplica("Change tracking is not enabled.")
    }
    let generations = try generations(parameters)
    let selection = try selectedRows(parameters, Array(generations.keys))
    let includesFiles = parameters.bool("returnAttachments") ?? false
    let writer = ChangesJSON(
      content: content, spatialReference: try FeatureQuery.reference(parameters, "outSR"),
      serviceURL: serviceURL,
      filesByURL: parameters.bool("returnAttachmentsDataByUrl") ?? true, deletesName: .deleteIDs)
    let edits = try generations.sorted { $0.key < $1.key }.compactMap { id, generation in
      try content.table(id).map { table in
        let changes = ServiceChanges(
          of: table,
          ServiceChanges.Scope(
            generation: generation, objectIDs: selection?[id], includesFiles: includesFiles)
        ).only(parameters)
        return JSONValue.object(
          parameters.bool("returnIdsOnly") ?? false
            ? writer.ids(changes) : try writer.edits(changes, includesFiles: includesFiles))
      }
    }
    return keepChanges(edits, of: generations.keys.sorted(), serviceURL)
  }

  private func keepChanges(
    _ edits: [JSONValue], of layers: [Int], _ serviceURL: String
  ) -> JSONObject {
    let generation = JSONValue.integer(content.generation)
    let members: JSONObject = [
      "layerServerGens": .array(
        layers.map { id in
          [
            "id": .integer(Int64(id)), "minServerGen": 1, "serverGen": generation,
          ]
        }),
      "transportType": "esriTransportTypeUrl",
      "responseType": "esriDataChangesResponseTypeEdits",
    ]
    return embed(["edits": .array(edits)], in: members, false, serviceURL)
  }

  /// The generation after which changes count, by layer.
  private func generations(_ parameters: DemoParameters) throws(DemoFailure) -> [Int: Int64] {
    let layers = try LayerEdits.ids(parameters["layers"], "layers").compactMap {
      $0.int ?? $0["id"]?.int
    }
    var generations: [Int: Int64] = [:]
    for entry in try parameters.json("layerServerGens")?.array ?? [] {
      guard let id = entry["id"]?.int, let generation = entry["serverGen"]?.integer else {
        throw .badReplica("'layerServerGens' is invalid.")
      }
      if layers.isEmpty || layers.contains(id) { generations[id] = generation }
    }
    if generations.isEmpty, let list = try parameters.json("serverGens") {
      guard let first = list.integer ?? list[0]?.integer else {
        throw .badReplica("'serverGens' is invalid.")
      }
      for id in layers.isEmpty ? content.tables.map(\.id) : layers { generations[id] = first }
    }
    guard !generations.isEmpty else {
      throw .badReplica("'layerServerGens' or 'serverGens' is missing.")
    }
    return generations
  }

  /// The rows inside the area or under the conditions asked for; `nil` if nothing was.
  private func selectedRows(
    _ parameters: DemoParameters, _ layers: [Int]
  ) throws -> [Int: Set<Int64>]? {
    guard
      parameters["geometry"] != nil || parameters["layerQueries"] != nil
        || parameters["queries"] != nil
    else { return nil }
    var pairs = parameters.names.compactMap { name in
      parameters[name].map { (name: name, value: $0) }
    }
    pairs.append(("layerQueries", parameters.first(of: "layerQueries", "queries") ?? "{}"))
    let request = try ReplicaRequest(
      DemoParameters(pairs.filter { !$0.name.lowercased().hasSuffix("attachments") }), content)
    var replica = Replica(
      id: UUID(), name: "", owner: "", syncModel: .none, syncDirection: "download",
      attachmentsDirection: "none", returnsAttachments: false, geometry: request.geometry,
      geometryReference: request.geometryReference, layers: request.layers, created: clock.now())
    replica.layers = replica.layers.filter { layers.contains($0.id) }
    return try ReplicaSelection(content: content, now: clock.now()).objectIDs(of: replica)
  }
}

extension ServiceChanges {
  /// The kinds of change that were requested.
  fileprivate func only(_ parameters: DemoParameters) -> ServiceChanges {
    var changes = self
    if !(parameters.bool("returnInserts") ?? true) {
      changes.adds = []
      changes.addedFiles = []
    }
    if !(parameters.bool("returnUpdates") ?? true) {
      changes.updates = []
      changes.updatedFiles = []
    }
    if !(parameters.bool("returnDeletes") ?? true) {
      changes.deletes = []
      changes.deletedFiles = []
    }
    return changes
  }
}

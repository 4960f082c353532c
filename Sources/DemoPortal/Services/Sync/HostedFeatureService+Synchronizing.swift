internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

extension HostedFeatureService {
  /// Brings a copy and the service together, `synchronizeReplica`.
  ///
  /// The client's uploads are carried out first, so that they have the last word; the changes of
  /// others go down, without those that this replica has uploaded itself.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - user: Who asks.
  ///   - serviceURL: The address of the service.
  /// - Returns: The answer; of an asynchronous request, what its job will answer.
  /// - Throws: ``DemoFailure`` if the copy is not known or the edits make no sense.
  func synchronize(
    _ request: SyncRequest, user: String?, serviceURL: String
  ) throws -> JSONObject {
    var replica = try replica(request.replicaID)
    let uploads = try uploadedEdits(request, of: replica).filter {
      request.goes("upload", layer: $0.layerID)
    }
    var results: [LayerEditResults] = []
    if uploads.contains(where: { $0.count > 0 }) {
      results = try apply(
        uploads, rules: EditTransaction.Rules(replacesExisting: true),
        rollsBack: request.rollsBack, user: user, source: replica.textID)
      hold(results, in: &replica)
    }
    let changes = try download(request, for: &replica)
    if let id = request.uploadID { shelf.noteUse(of: id) }
    replica.lastSync = clock.now()
    let isEmpty = results.isEmpty && changes.allSatisfy(\.isEmpty)
    var answer = header(
      of: replica,
      responseType: isEmpty
        ? "esriReplicaResponseTypeNoEdits" : "esriReplicaResponseTypeEdits")
    if !isEmpty {
      answer = try add(changes, results, to: answer, request, replica, serviceURL)
    }
    replicas[replica.textID] = request.closesReplica ? nil : replica
    return answer
  }

  /// The edits in the request, or in the file uploaded before.
  private func uploadedEdits(
    _ request: SyncRequest, of replica: Replica
  ) throws -> [LayerEdits] {
    guard let id = request.uploadID else { return request.edits }
    guard let data = try upload(id).data else {
      throw DemoFailure.badReplica("The upload \(id) is not complete.")
    }
    if data.starts(with: Data("SQLite format 3".utf8)) {
      return try delta(of: replica).edits(in: data)
    }
    let json = try JSONValue(parsing: data)
    let list = json.array ?? json["edits"]?.array ?? []
    return try list.map(LayerEdits.init(replicaJSON:))
  }

  private func delta(of replica: Replica) -> ReplicaDelta {
    ReplicaDelta(content: content, replica: replica, now: clock.now(), identifiers: identifiers)
  }

  /// The client has what it has uploaded.
  private func hold(_ results: [LayerEditResults], in replica: inout Replica) {
    for layer in results {
      for outcome in layer.adds where outcome.failure == nil {
        guard let id = outcome.globalID else { continue }
        replica.held[layer.layerID, default: []].insert(HostedValue.plain(id))
      }
      for outcome in layer.deletes where outcome.failure == nil {
        guard let id = outcome.globalID else { continue }
        replica.held[layer.layerID]?.remove(HostedValue.plain(id))
      }
    }
  }

  /// The changes that the client does not have yet; it is now assumed to have them.
  private func download(
    _ request: SyncRequest, for replica: inout Replica
  ) throws -> [ServiceChanges] {
    let matching = try ReplicaSelection(content: content, now: clock.now())
      .objectIDs(of: replica)
    var found: [ServiceChanges] = []
    for index in replica.layers.indices {
      let layer = replica.layers[index]
      guard let table = content.table(layer.id), !request.leavesOut(layer: layer.id),
        request.goes("download", layer: layer.id)
      else { continue }
      let changes = ServiceChanges(
        of: table,
        ServiceChanges.Scope(
          generation: request.generation(ofLayer: layer.id) ?? layer.generation,
          excludedSource: replica.textID, objectIDs: matching[layer.id] ?? [],
          heldIDs: replica.held[layer.id] ?? [],
          includesFiles: replica.attachmentsDirection == "bidirectional"))
      let ids = changes.adds.compactMap(table.globalID).map(HostedValue.plain)
      replica.held[layer.id, default: []].formUnion(ids)
      replica.layers[index].generation = content.generation
      found.append(changes)
    }
    return found
  }

  private func add(
    _ changes: [ServiceChanges], _ results: [LayerEditResults], to answer: JSONObject,
    _ request: SyncRequest, _ replica: Replica, _ serviceURL: String
  ) throws -> JSONObject {
    if request.dataFormat == .sqlite {
      let data = try delta(of: replica).data(of: changes, results)
      let url = keep(data, as: "geodatabase", type: "application/octet-stream", serviceURL)
      var answer = answer
      answer["resultUrl"] = .string(url)
      answer["URL"] = .string(url)
      return answer
    }
    let writer = ChangesJSON(
      content: content, spatialReference: replica.spatialReference, serviceURL: serviceURL,
      filesByURL: request.filesByURL)
    let ids = replica.layers.map(\.id)
    let edits = try ids.compactMap { id -> JSONValue? in
      let own = changes.first { $0.layerID == id }
      let outcome = results.first { $0.layerID == id }
      guard own.map({ !$0.isEmpty }) ?? false || outcome != nil else { return nil }
      var members: JSONObject = ["id": .integer(Int64(id))]
      if let own { members = try writer.edits(own, includesFiles: true) }
      for member in outcome?.json(moment: nil).members ?? [] {
        // The results of attachments have a name of their own here.
        let name = member.name == "attachments" ? "attachmentResults" : member.name
        members[name] = member.value
      }
      return .object(members)
    }
    return embed(["edits": .array(edits)], in: answer, request.isEmbedded, serviceURL)
  }
}

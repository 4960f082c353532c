internal import Foundation
internal import PortolanJSON

extension HostedFeatureService {
  /// Takes a copy, `createReplica`.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - user: Who asks.
  ///   - serviceURL: The address of the service.
  ///   - filesByURL: Whether attachments come as addresses instead of bytes, in JSON.
  /// - Returns: The answer; of an asynchronous request, what its job will answer.
  /// - Throws: ``DemoFailure`` if the copy cannot be made.
  func createReplica(
    _ request: ReplicaRequest, user: String?, serviceURL: String, filesByURL: Bool
  ) throws -> JSONObject {
    var replica = newReplica(request, user: user)
    if let id = request.referenceID { return try register(&replica, for: id) }
    let objectIDs = try ReplicaSelection(content: content, now: clock.now())
      .objectIDs(of: replica)
    for (id, rows) in objectIDs { replica.held[id] = globalIDs(of: rows, in: id) }
    var answer = header(of: replica, responseType: "esriReplicaResponseTypeData")
    switch request.dataFormat {
    case .sqlite:
      let data = try ReplicaGeodatabase(
        content: content, options: options, serviceURL: serviceURL, now: clock.now(),
        identifiers: identifiers
      ).data(of: replica, objectIDs)
      let url = keep(data, as: "geodatabase", type: "application/octet-stream", serviceURL)
      answer["resultUrl"] = .string(url)
      answer["URL"] = .string(url)
    case .json:
      let writer = ChangesJSON(
        content: content, spatialReference: replica.spatialReference, serviceURL: serviceURL,
        filesByURL: filesByURL)
      let layers = try replica.layers.compactMap { layer in
        try content.table(layer.id).map {
          try writer.layer(
            $0, objectIDs[layer.id] ?? [], includesFiles: replica.returnsAttachments)
        }
      }
      answer = embed(["layers": .array(layers)], in: answer, request.isEmbedded, serviceURL)
    }
    if replica.syncModel != .none { replicas[replica.textID] = replica }
    return answer
  }

  /// Forgets a copy, `unRegisterReplica`.
  func unregisterReplica(_ id: String?) throws(DemoFailure) -> JSONValue {
    let replica = try replica(id)
    replicas[replica.textID] = nil
    return ["success": true]
  }

  /// The copies that are known, `replicas`.
  func listReplicas() -> JSONValue {
    .array(
      replicas.values.sorted { ($0.created, $0.name) < ($1.created, $1.name) }.map { replica in
        ["replicaName": .string(replica.name), "replicaID": .string(replica.textID)]
      })
  }

  /// The copy of that id, however it is spelled.
  func replica(_ id: String?) throws(DemoFailure) -> Replica {
    guard let id, let replica = replicas[HostedValue.plain(id)] else {
      throw .badReplica("Replica does not exist.")
    }
    return replica
  }

  /// The beginning of every response about a replica.
  func header(of replica: Replica, responseType: String) -> JSONObject {
    var answer: JSONObject = [
      "replicaName": .string(replica.name), "replicaID": .string(replica.textID),
    ]
    replica.addGenerations(to: &answer)
    answer["targetType"] = "client"
    answer["syncModel"] = .string(replica.syncModel.rawValue)
    answer["transportType"] = "esriTransportTypeUrl"
    answer["responseType"] = .string(responseType)
    return answer
  }

  /// Puts members into an answer, or into a file whose address the answer has instead.
  func embed(
    _ members: JSONObject, in answer: JSONObject, _ isEmbedded: Bool, _ serviceURL: String
  ) -> JSONObject {
    var whole = answer
    if isEmbedded { whole["transportType"] = "esriTransportTypeEmbedded" }
    for member in members.members { whole[member.name] = member.value }
    guard !isEmbedded else { return whole }
    var short = answer
    let data = JSONValue.object(whole).encoded()
    let url = keep(data, as: "json", type: "application/json", serviceURL)
    short["resultUrl"] = .string(url)
    short["URL"] = .string(url)
    return short
  }

  /// Keeps a file to be fetched, and returns its address.
  func keep(
    _ data: Data, as fileExtension: String, type: String, _ serviceURL: String
  ) -> String {
    let id = identifiers.nextID()
    let name = "\(options.name)_\(id.prefix(8)).\(fileExtension)"
    files.keep(ServiceFile(data: data, contentType: type, tag: id), named: name, of: name)
    return "\(serviceURL)/replicafilescache/\(name)"
  }

  /// The global ids of rows, in small letters.
  func globalIDs(of objectIDs: Set<Int64>, in layer: Int) -> Set<String> {
    guard let table = content.table(layer) else { return [] }
    return Set(
      objectIDs.compactMap { table.row($0).flatMap { table.globalID(of: $0.feature) } }
        .map(HostedValue.plain))
  }

  private func newReplica(_ request: ReplicaRequest, user: String?) -> Replica {
    let wanted = request.name ?? "\(options.name)_\(replicas.count + 1)"
    var name = wanted
    var number = 0
    while replicas.values.contains(where: { $0.name == name }) {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return Replica(
      id: identifiers.nextUUID(), name: name, owner: user ?? "", syncModel: request.syncModel,
      syncDirection: request.syncDirection, attachmentsDirection: request.attachmentsDirection,
      returnsAttachments: request.returnsAttachments, geometry: request.geometry,
      geometryReference: request.geometryReference, spatialReference: request.spatialReference,
      layers: request.layers, created: clock.now())
  }

  /// Registers data that the client has got as that of another copy.
  private func register(
    _ replica: inout Replica, for referenceID: String
  ) throws(DemoFailure) -> JSONObject {
    let reference = try self.replica(referenceID)
    replica.layers = reference.layers
    replica.held = reference.held
    replica.geometry = reference.geometry
    replica.geometryReference = reference.geometryReference
    replica.returnsAttachments = reference.returnsAttachments
    replicas[replica.textID] = replica
    return header(of: replica, responseType: "esriReplicaResponseTypeInfo")
  }
}

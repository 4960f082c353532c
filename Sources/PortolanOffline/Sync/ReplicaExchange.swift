internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanPortal
internal import PortolanTransport

/// The requests of one synchronization of a replica.
struct ReplicaExchange {
  let task: ReplicaTask
  let replicaID: UUID
  /// Where files are kept for a moment.
  let folder: URL
  let surroundings: OfflineSurroundings
  /// The most bytes of attachments that are sent at once.
  var attachmentLimit = SyncUpload.defaultAttachmentLimit
  /// What goes into one request that edits are written into.
  var limit = SyncUpload.Limit.default

  private var client: RESTClient { task.service.client }
  var serviceName: String {
    task.service.url.deletingLastPathComponent().lastPathComponent
  }

  // MARK: - Down

  /// Brings in what others have changed; layers that the service has no more are noted.
  func download(into store: EditableGeodatabase) async throws -> SyncReceipt {
    guard let state = try await store.syncState() else { return SyncReceipt() }
    let layers = try await store.synchronizedLayers()
    do { return try await download(layers, state, into: store) } catch {
      let lost = await lostLayers(state, layers, after: error)
      guard !lost.isEmpty else { throw error }
      var receipt = try await download(
        layers.subtracting(lost.map(\.layerID)), state, into: store)
      receipt.note(lost)
      return receipt
    }
  }

  private func download(
    _ layers: Set<Int>, _ state: GeodatabaseSyncState, into store: EditableGeodatabase
  ) async throws -> SyncReceipt {
    let status = try await finished(ask(form("download", state, layers)))
    guard !status.hasErrors else {
      throw OfflineMapError.serverJobFailed(
        service: serviceName, reason: "it ended with errors: \(status.status ?? "")")
    }
    let receipt = try await withChanges(of: status, store) { changes in
      try await receive(changes, status, store)
    }
    if let receipt { return receipt }
    // Nothing is known of what changed: the generations stay, so that it is asked for again.
    guard status.saysNoEdits else { throw OfflineMapError.changesMissing(service: serviceName) }
    let nothing = GeodatabaseDelta(replicaID: replicaID, layers: [])
    return try await receive(.document(nothing, nil), status, store)
  }

  private func receive(
    _ changes: Changes, _ status: ReplicaJobStatus, _ store: EditableGeodatabase
  ) async throws -> SyncReceipt {
    let check = GenerationCheck(service: task.service, state: try await store.syncState())
    let said = Generations(layers: status.layerServerGens, whole: status.replicaServerGen)
    let told =
      switch changes {
      case .document(_, let document):
        Generations(layers: document?.layerServerGens ?? [:], whole: document?.replicaServerGen)
      case .file(let delta):
        check.news(of: Generations(layers: delta.layerGenerations, whole: delta.generation))
      }
    // Without generations the same changes would come again and again, and contradict edits of later.
    let own = try await check.believable(said, besides: told)
    switch changes {
    case .document(let delta, _):
      return try await store.receive(
        delta, layerGenerations: own.layers, generation: own.whole)
    case .file(let delta):
      return try await store.receive(
        delta, layerGenerations: own.layers, generation: own.whole)
    }
  }

  /// Asks for the features of which only a part could be read.
  ///
  /// - Returns: What came in; nothing where the service does not answer such a question, and they are
  ///   asked for next time.
  func fetchIncomplete(into store: EditableGeodatabase) async throws -> SyncReceipt {
    let wanted = Dictionary(
      grouping: try await store.syncIssues().filter { $0.isIncomplete == true }, by: \.layerID)
    guard !wanted.isEmpty else { return SyncReceipt() }
    let schemas = try await store.schemas()
    var delta = GeodatabaseDelta(replicaID: replicaID, layers: [])
    do {
      for (layerID, issues) in wanted.sorted(by: { $0.key < $1.key }) {
        guard let own = schemas.first(where: { $0.serviceLayerID == layerID }) else { continue }
        var query = ServiceQueryParameters()
        query.outSpatialReference = own.geometryType == nil ? nil : own.spatialReference
        let found = try await task.service.table(layerID)
          .features(ofGlobalIDs: issues.map(\.globalID), query)
        delta.layers.append(
          GeodatabaseDelta.Layer(
            layerID: layerID, schema: own, serverGeneration: 0, updates: Array(found.values)))
      }
    } catch let error as PortalError where error.leavesOtherServices {
      // What was edited here is sent all the same.
      return SyncReceipt()
    }
    return try await store.receive(delta, layerGenerations: [:], generation: nil)
  }

  // MARK: - Requests

  func form(
    _ direction: String, _ state: GeodatabaseSyncState, _ layers: Set<Int>
  ) -> RESTParameters {
    var form: RESTParameters = [
      "replicaID": replicaID.uuidString.lowercased(), "syncDirection": direction, "async": "true",
      "transportType": "esriTransportTypeUrl", "dataFormat": "sqlite", "closeReplica": "false",
      "rollbackOnFailure": "false",
    ]
    if state.syncModel == .perLayer {
      form.set(
        "syncLayers",
        json: .array(
          state.layers.filter { layers.contains($0.layerID) }.map { layer in
            [
              "id": .integer(Int64(layer.layerID)), "serverGen": .integer(layer.serverGeneration),
              "syncDirection": .string(direction),
            ]
          }))
    } else {
      form["replicaServerGen"] = state.serverGeneration.map { "\($0)" }
    }
    return form
  }

  /// Asks the service; in JSON where it knows no geodatabases.
  private func ask(_ form: RESTParameters) async throws(PortalError) -> ReplicaJobStatus {
    do { return try await task.synchronize(form) } catch {
      guard error.refusesDataFormat else { throw error }
      return try await task.synchronize(form.inJSON)
    }
  }

  /// Waits for a job to end well.
  func finished(_ submitted: ReplicaJobStatus) async throws -> ReplicaJobStatus {
    try checked(try await over(submitted))
  }

  /// Waits for a job to be over, well or not.
  func over(_ submitted: ReplicaJobStatus) async throws -> ReplicaJobStatus {
    guard let url = submitted.statusURL else { return submitted }
    guard let status = try await ended(at: url, within: ServerJobPolling.halfAnHour) else {
      throw OfflineMapError.serverJobFailed(
        service: serviceName, reason: "the service does not come to an end")
    }
    return status
  }

  /// A job that is over, unless it has failed.
  func checked(_ status: ReplicaJobStatus) throws(OfflineMapError) -> ReplicaJobStatus {
    guard !status.hasFailed else {
      throw .serverJobFailed(service: serviceName, reason: "it could not be synchronized")
    }
    return status
  }

  /// Waits for a job to end, well or not; `nil` if it does not in that time.
  func ended(at url: URL, within polls: Int) async throws -> ReplicaJobStatus? {
    try await ServerJobPolling(clock: surroundings.clock, mostPolls: polls).lastAnswer {
      try await task.status(at: url)
    } isOver: {
      $0.isFinal
    }
  }

  /// The result of a job.
  enum Changes {
    /// All changes, from JSON, and what the document says besides: the generations, which not every service
    /// repeats in the status of the job.
    case document(GeodatabaseDelta, ReplicaJobStatus?)
    /// A geodatabase, whose rows are read when they are taken in.
    case file(GeodatabaseDeltaFile)

    /// The result of changes that were uploaded.
    func results() throws -> [GeodatabaseDelta.EditResult] {
      switch self {
      case .document(let delta, _): return delta.results
      case .file(let delta): return try delta.results()
      }
    }
  }

  /// Lends the result of a job.
  ///
  /// - Returns: What `body` makes of it; `nil` if there is none.
  func withChanges<Value: Sendable>(
    of status: ReplicaJobStatus, _ store: EditableGeodatabase,
    _ body: (Changes) async throws -> Value
  ) async throws -> Value? {
    guard let url = status.resultURL else {
      // Services may put JSON right into their answers.
      guard status.json["edits"] != nil else { return nil }
      return try await body(.document(try await delta(.object(status.json), store), nil))
    }
    return try await withFile(at: url) { file in
      if let json = try JSONFile.read(file) {
        let said = ReplicaJobStatus(json: json, of: task.service.url)
        return try await body(.document(try await delta(json, store), said))
      }
      let delta = try GeodatabaseDeltaFile(at: file)
      guard delta.replicaID == replicaID else {
        throw OfflineMapError.damaged(
          file: file.lastPathComponent, reason: "it holds changes of another replica.")
      }
      return try await body(.file(delta))
    }
  }

  private func delta(
    _ json: JSONValue, _ store: EditableGeodatabase
  ) async throws -> GeodatabaseDelta {
    let schemas = try await store.schemas()
    var layers = Dictionary(
      schemas.compactMap { schema in schema.serviceLayerID.map { ($0, schema) } },
      uniquingKeysWith: { $1 })
    // Not every file describes the layers of its service; the registration names their tables.
    for layer in try await store.syncState()?.layers ?? [] {
      let name = layer.table.lowercased()
      layers[layer.layerID] =
        schemas.first { $0.name.lowercased() == name } ?? layers[layer.layerID]
    }
    return try await DeltaJSON.delta(
      json, of: replicaID, layers, at: task.service, in: folder,
      withFiles: try await store.receivesAttachments())
  }

  /// Fetches a file, which is there until `body` is done.
  func withFile<Value: Sendable>(
    at url: URL, _ body: (URL) async throws -> Value
  ) async throws -> Value {
    let file = folder.appending(path: "received-\(surroundings.makeID()).geodatabase")
    // Nobody needs the file afterwards, and the folder is emptied with the job.
    defer { try? FileManager.default.removeItem(at: file) }
    try await client.download(url, to: file, surroundings)
    return try await body(file)
  }

  /// Whether a refusal comes from a service that does not know the replica any more.
  func isForgotten(after error: any Error) async -> Bool {
    switch error {
    // A server that is started again says nothing of its replicas.
    case let error as PortalError where error.isTransient: return false
    case PortalError.server, PortalError.notFound, OfflineMapError.serverJobFailed: break
    default: return false
    }
    do {
      let isListed = try await task.replicas().contains {
        UUID(uuidString: $0.id.trimmingCharacters(in: ["{", "}"])) == replicaID
      }
      guard !isListed else { return false }
      // Some services list no replicas to some users.
      return try await !task.knows(replicaID)
    } catch PortalError.notPermitted {
      // Then a refusal may have any reason, unless it gives this one.
      return (error as? PortalError)?.saysReplicaIsGone ?? false
    } catch {
      // Then the first refusal is what counts.
      return false
    }
  }
}

extension PortalError {
  /// Whether a service says in words that a replica is not there.
  fileprivate var saysReplicaIsGone: Bool {
    let envelope: ErrorEnvelope? =
      switch self {
      case .server(_, let envelope): envelope
      case .notFound(_, let envelope): envelope
      default: nil
      }
    guard let envelope else { return false }
    let words = ([envelope.message] + envelope.details).joined(separator: " ").lowercased()
    return words.contains("replica") && words.contains("not exist")
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanPortal

/// Registers a replica again that its service has forgotten.
///
/// A new replica is made as the old one was, and what differs in it comes in; the edits stay edits.
/// The name of the new replica is written into the file before it is requested, so that one that no
/// process got to know of, as after a crash, is found and unregistered. What the replica is for is
/// written together with its registration, so that a crash leaves none that would count as that of
/// another map.
struct ReplicaRegistration {
  /// The requests of the replica that was forgotten.
  let exchange: ReplicaExchange
  /// What distinguishes the file's home from copies of it.
  var home: String?
  /// Sends the service later what cannot be sent yet.
  var release: ReplicaRelease?
  /// Called once the service has made a replica, before that is written into the file: a process that ends
  /// in between leaves the request for it there, and the next synchronization gives it up.
  var whenAnswered: (@Sendable () async throws -> Void)?

  private var task: ReplicaTask { exchange.task }

  /// The name under which a replica is registered again.
  static func name(after id: UUID) -> String {
    "portolan_" + id.uuidString.lowercased().replacing("-", with: "")
  }

  /// Makes a new replica and takes over what differs.
  ///
  /// Layers that the service has removed are no part of it. Their edits stay in the file.
  ///
  /// - Parameters:
  ///   - store: The file.
  ///   - removed: The layers of which that is known.
  /// - Returns: What came in, and the layers that were removed.
  /// - Throws: ``OfflineMapError/replicaForgotten(service:)`` if the service makes none; the file is
  ///   as it was then.
  func renew(
    _ store: EditableGeodatabase, without removed: [ChangedFields] = []
  ) async throws -> SyncReceipt {
    do {
      return try await attempt(store, without: removed)
    } catch let error as PortalError where error.refusal != nil {
      throw OfflineMapError.replicaForgotten(service: exchange.serviceName)
    }
  }

  /// Makes a new replica for a file that has none of its own.
  ///
  /// - Throws: ``OfflineMapError/replicaRefused(service:reason:)`` if the service makes none; the file is
  ///   as it was then.
  private func begin(_ store: EditableGeodatabase) async throws -> SyncReceipt {
    do { return try await attempt(store, without: []) } catch let error as PortalError {
      guard let refusal = error.refusal else { throw error }
      let reasons = ([refusal.message] + refusal.details).filter { !$0.isEmpty }
      throw OfflineMapError.replicaRefused(
        service: exchange.serviceName, reason: reasons.joined(separator: " "))
    }
  }

  /// Makes a new replica, without the layers that the service turns out to have removed.
  private func attempt(
    _ store: EditableGeodatabase, without removed: [ChangedFields]
  ) async throws -> SyncReceipt {
    do { return try await make(store, without: removed) } catch {
      let found = try await removedLayers(of: store, besides: removed, after: error)
      guard !found.isEmpty else { throw error }
      return try await make(store, without: removed + found)
    }
  }

  private func removedLayers(
    of store: EditableGeodatabase, besides known: [ChangedFields], after error: any Error
  ) async throws -> [ChangedFields] {
    guard let state = try await store.syncState() else { return [] }
    let layers = Set(state.layers.map(\.layerID)).subtracting(known.map(\.layerID))
    return await exchange.removedLayers(state, layers, after: error)
  }

  private func make(
    _ store: EditableGeodatabase, without removed: [ChangedFields]
  ) async throws -> SyncReceipt {
    guard let replica = try await store.syncReplica() else {
      throw OfflineMapError.replicaForgotten(service: exchange.serviceName)
    }
    // A unique name: the version before, which may name the same replica as lost, gives up
    // what bears its name.
    let name = Self.name(after: exchange.surroundings.makeID())
    let schemas = try await store.schemas()
    let left = Set(removed.map(\.layerID))
    try await unregisterRequested(store)
    try await store.setRequestedCopy(RequestedCopy(name: name, home: home))
    let info = try await task.service.info()
    let request = ReplicaParameters(
      options: Self.options(replica, schemas, leavingOut: left), name: name,
      isAsynchronous: info.json["syncCapabilities"]?["supportsAsync"]?.bool ?? false)
    let submitted = try await created(request, store)
    try await note(submitted, of: name, store)
    let status = try await exchange.finished(submitted)
    // Attachments that such a replica lacks would pass for such that are gone at the service.
    guard !status.hasErrors else {
      throw OfflineMapError.serverJobFailed(
        service: exchange.serviceName,
        reason: "the new replica ended with errors: \(status.status ?? "")")
    }
    guard let result = status.resultURL else {
      throw OfflineMapError.changesMissing(service: exchange.serviceName)
    }
    var receipt: SyncReceipt = try await exchange.withFile(at: result) { file in
      try await convert(file, request.options, schemas)
      try await whenAnswered?()
      return try await store.renew(from: file, home: home, leavingOut: left) { layer, ids in
        try await present(layer, ids, schemas.first { $0.serviceLayerID == layer })
      }
    }
    receipt.note(removed)
    return receipt
  }

  /// Gives up what was requested before, if it was for this home.
  private func unregisterRequested(_ store: EditableGeodatabase) async throws {
    guard let copy = try await store.syncState()?.requestedCopy, copy.home == home else { return }
    try await unregister(copy)
  }

  /// Keeps what a service has sent about a replica, so that it can be unregistered where services list
  /// none.
  private func note(
    _ status: ReplicaJobStatus, of name: String, _ store: EditableGeodatabase
  ) async throws {
    try await store.setRequestedCopy(
      RequestedCopy(
        name: name, home: home, statusURL: status.statusURL, replicaID: status.replicaID))
  }

  /// Asks for a replica.
  private func created(
    _ request: ReplicaParameters, _ store: EditableGeodatabase
  ) async throws -> ReplicaJobStatus {
    do { return try await task.create(request) } catch {
      // Then there is nothing to unregister.
      if error.saysNothingWasMade { try await store.setRequestedCopy(nil) }
      throw error
    }
  }

  /// Gives up the replicas of a name; where the service cannot take that now, it is sent later.
  private func unregister(_ copy: RequestedCopy) async throws {
    do {
      let wasThere = try await NamedReplicas(client: task.service.client)
        .unregister(copy, at: task.unregisterURL)
      // A service that is slow may make it yet.
      guard !wasThere, !copy.isAnswered else { return }
    } catch let error as PortalError {
      guard error.leavesQuestionOpen else { throw error }
    } catch is JobInterruption {
      // That the service still makes it, or does not tell, is in the way of nothing else.
    }
    try await release?.releaseReplica(copy, at: task.service.url)
  }

  /// Those of some features that the service has; `nil` if it does not answer queries.
  private func present(
    _ layer: Int, _ globalIDs: [String], _ schema: FeatureTableSchema?
  ) async throws -> [String: Feature]? {
    var query = ServiceQueryParameters()
    query.outSpatialReference = schema?.geometryType == nil ? nil : schema?.spatialReference
    do {
      return try await task.service.table(layer).features(ofGlobalIDs: globalIDs, query)
    } catch let error as PortalError where error.refusesQuestion {
      return nil
    }
  }

  /// Makes a geodatabase of a replica that has come as JSON.
  private func convert(
    _ file: URL, _ options: GenerateGeodatabaseParameters, _ schemas: [FeatureTableSchema]
  ) async throws {
    let wanted = schemas.filter { schema in
      options.layerOptions.contains { $0.layerID == schema.serviceLayerID }
    }
    let tables = wanted.map { schema in
      GeodatabaseDefinition.Table(schema, shapeField: schema.shapeFieldInGeodatabase)
    }
    let copy = try ReplicaJSON(readingFrom: file, options, task.service, tables)
    guard let copy else { return }
    let surroundings = exchange.surroundings
    try await copy.write(to: file, now: surroundings.now(), makeID: surroundings.makeID)
  }

  /// Registers a replica that no service knows yet, as that of a preplanned area or of a copied home.
  ///
  /// Where the service takes a replica for one of another that it knows, nothing is downloaded.
  ///
  /// - Returns: What came in with it.
  /// - Throws: ``OfflineMapError/replicaRefused(service:reason:)`` if the service makes none; the file is
  ///   as it was then.
  func register(
    _ store: EditableGeodatabase, as reference: UUID?
  ) async throws -> SyncReceipt {
    let info = try await task.service.info()
    let canRegister =
      info.json["syncCapabilities"]?["supportsRegisteringExistingData"]?.bool ?? false
    guard canRegister, let reference else { return try await begin(store) }
    let name = Self.name(after: exchange.surroundings.makeID())
    let form = try await Self.parameters(registering: store, named: name, as: reference)
    try await unregisterRequested(store)
    try await store.setRequestedCopy(RequestedCopy(name: name, home: home))
    let status: ReplicaJobStatus
    do throws(PortalError) {
      status = try await task.create(form)
    } catch {
      // The service does not know the replica of the package any more; one that is started again may.
      guard error.refusal != nil else { throw error }
      if error.saysNothingWasMade { try await store.setRequestedCopy(nil) }
      return try await begin(store)
    }
    try await note(status, of: name, store)
    let done = try await exchange.finished(status)
    let id = done.replicaID.flatMap {
      UUID(uuidString: $0.trimmingCharacters(in: ["{", "}"]))
    }
    guard let id else {
      throw OfflineMapError.serverJobFailed(
        service: exchange.serviceName, reason: "it does not describe the replica")
    }
    try await whenAnswered?()
    try await store.setReplica(id, named: done.replicaName ?? name, home: home)
    return SyncReceipt()
  }

  /// What is asked of `createReplica` to register a file whose rows the service has sent before.
  private static func parameters(
    registering store: EditableGeodatabase, named name: String, as reference: UUID
  ) async throws -> RESTParameters {
    let model = try await store.syncState()?.syncModel == .perLayer ? "perLayer" : "perReplica"
    var form: RESTParameters = [
      "replicaName": name, "dataFormat": "sqlite", "async": "false", "targetType": "client",
      "transportType": "esriTransportTypeUrl", "syncModel": model,
      "syncDirection": "bidirectional",
    ]
    if let replica = try await store.syncReplica() {
      // Without them the service would send no attachments from then on.
      let direction = GenerateOfflineMapParameters.AttachmentSyncDirection(
        replica.attachmentsDirection, replica.returnsAttachments)
      form["returnAttachments"] = replica.returnsAttachments ? "true" : "false"
      form["attachmentsSyncDirection"] = direction.rawValue
    }
    form.set("replicaOptions", json: ["refReplicaId": .string(reference.uuidString.lowercased())])
    return form
  }

  private static func options(
    _ replica: SyncReplica, _ schemas: [FeatureTableSchema], leavingOut removed: Set<Int>
  ) -> GenerateGeodatabaseParameters {
    let world = OfflineArea(Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90), .wgs84)
    let area = replica.geometry.map { polygon in
      OfflineArea(polygon, replica.spatialReference ?? .webMercator)
    }
    let reference = schemas.compactMap(\.spatialReference).first
    return GenerateGeodatabaseParameters(
      layerOptions: replica.layers.filter { !removed.contains($0.layerID) }.map { layer in
        GenerateLayerOption(
          layerID: layer.layerID, whereClause: layer.whereClause,
          usesGeometry: layer.usesGeometry && area != nil, includesRelated: layer.includesRelated,
          queryOption: GenerateLayerOption.QueryOption(layer.queryOption))
      }, extent: area ?? world, returnsAttachments: replica.returnsAttachments,
      attachmentSyncDirection: .init(replica.attachmentsDirection, replica.returnsAttachments),
      syncModel: replica.syncModel == .perLayer ? .perLayer : .perGeodatabase,
      outSpatialReference: reference?.wkid ?? reference?.latestWKID)
  }
}

extension GenerateLayerOption.QueryOption {
  fileprivate init(_ option: SyncReplica.QueryOption) {
    self =
      switch option {
      case .none: .none
      case .useFilter: .useFilter
      case .all: .all
      }
  }
}

extension GenerateOfflineMapParameters.AttachmentSyncDirection {
  /// The direction of a registration, as far as services take it.
  fileprivate init(_ direction: SyncReplica.Direction, _ returnsAttachments: Bool) {
    switch direction {
    case .bidirectional, .download: self = returnsAttachments ? .bidirectional : .upload
    case .upload: self = .upload
    case .none: self = returnsAttachments ? .bidirectional : .none
    }
  }
}

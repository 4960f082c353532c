internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

extension ScheduledUpdateTask {
  /// Sends features that were added here, with their attachments, which needs no registration.
  ///
  /// Which they are is written into the file before, so that an attempt that broke off is looked into
  /// instead of being repeated: a service refuses a feature that it has already.
  ///
  /// - Returns: How many edits the service has received.
  func sendNewFeatures(of store: EditableGeodatabase) async throws -> SentEdits {
    guard let state = try await store.syncState(), let url = URL(string: state.serviceURL) else {
      return SentEdits()
    }
    let service = FeatureService(url: url, client: portal.client)
    let sent = try await settlePending(store, service)
    // Attachments of features that have arrived are no new features: they go with them, however many.
    let upload = try await store.makeUpload(attachmentLimit: .max).onlyNewFeatures
    guard !upload.isEmpty else { return sent }
    // With ids of its own the service would be sent the same features again and again.
    guard try await takesGlobalIDs(service, upload.delta.layers.map(\.layerID)) else {
      throw OfflineMapError.serverJobFailed(
        service: url.deletingLastPathComponent().lastPathComponent,
        reason: "it gives new features ids of its own, by which they could not be found again")
    }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    try await store.setPendingUpload(pending)
    var form: RESTParameters = ["useGlobalIds": "true", "rollbackOnFailure": "false"]
    form.set("edits", json: .array(upload.delta.layers.map { DeltaJSON.additions(of: $0) }))
    let answer = try await portal.client.json(
      url.appending(path: "applyEdits"), form, method: .post)
    guard let results = NewFeatureResults(answer) else {
      // What it has is asked for by the next synchronization.
      throw PortalError.unexpected(
        url.withoutSecrets, reason: "it does not say what became of the edits")
    }
    let fileCount = upload.delta.layers.reduce(0) { $0 + $1.addedFiles.count }
    var isCertain = results.attachmentCount >= fileCount
    // Not every service lists attachments in its answer; it has them all the same, or not.
    if !isCertain {
      isCertain = try await ArrivedFeatures(of: pending, at: service).hasAllAttachments
    }
    let features = try await RepeatedFeatures(service: service, store: store)
      .recognized(in: results.features, of: pending)
    return sent + (try await store.finish(pending, results: features, isCertain: isCertain))
  }

  /// Whether a service keeps the global ids of new features; some say so of all, some of each layer.
  private func takesGlobalIDs(_ service: FeatureService, _ layers: [Int]) async throws -> Bool {
    let name = "supportsApplyEditsWithGlobalIds"
    if let word = try await service.info().json[name]?.bool { return word }
    for layer in layers {
      guard try await service.table(layer).info.json[name]?.bool == true else { return false }
    }
    return true
  }

  /// Asks the service which features of an attempt that broke off it has.
  private func settlePending(
    _ store: EditableGeodatabase, _ service: FeatureService
  ) async throws -> SentEdits {
    guard let pending = try await store.pendingUpload() else { return SentEdits() }
    let arrived = try await ArrivedFeatures(of: pending, at: service)
    return try await store.finish(
      pending, results: arrived.features, isCertain: arrived.hasAllAttachments)
  }
}

extension SyncUpload {
  /// The features that were added here and their attachments alone.
  fileprivate var onlyNewFeatures: SyncUpload {
    var upload = self
    upload.edits = edits.onlyNewFeatures
    let features = Set(upload.edits.filter { $0.attachmentID == nil }.map(\.globalID))
    upload.delta.layers = delta.layers.map { layer in
      var layer = layer
      layer.addedFiles = layer.addedFiles.filter { features.contains($0.parentGlobalID) }
      return layer
    }
    return upload
  }
}

/// What a service says of features that were added by `applyEdits`.
private struct NewFeatureResults {
  typealias Result = GeodatabaseDelta.EditResult

  private(set) var features: [Result] = []
  /// How many attachments it says that it has; one of which it says nothing has not arrived.
  private(set) var attachmentCount = 0

  /// Reads an answer; `nil` if it is none.
  init?(_ answer: JSONValue) {
    guard let layers = answer.array else { return nil }
    for layer in layers {
      features += (layer["addResults"]?.array ?? []).compactMap { entry -> Result? in
        // What says neither is no answer.
        guard let isSuccess = entry.editSucceeded else { return nil }
        return Result(
          objectID: entry["objectId"]?.integer,
          globalID: entry.object?.value(ignoringCase: "globalId")?.string,
          isSuccess: isSuccess, code: entry["error"]?["code"]?.int ?? 0,
          reason: entry["error"]?["description"]?.string ?? "", kind: .add,
          layerID: layer["id"]?.int ?? 0)
      }
      attachmentCount += (layer["attachments"]?["addResults"]?.array ?? []).count {
        $0.editSucceeded == true
      }
    }
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

extension ScheduledUpdateTask {
  /// Sends features that were added here, with their attachments, which needs no registration; as many at
  /// once as go into one request.
  ///
  /// Which they are is written into the file before each request, so that an attempt that broke off is
  /// looked into instead of being repeated: a service refuses a feature that it has already.
  ///
  /// - Parameters:
  ///   - store: The file.
  ///   - lacking: The attachments that have not arrived with such features before, which go as well.
  ///   - result: What was done; how many edits the service has received, and which tables have lost fields
  ///     there, whose features stay.
  /// - Throws: What keeps them from being sent, or from being known as received.
  func sendNewFeatures(
    of store: EditableGeodatabase, _ lacking: Set<String>,
    _ result: inout GeodatabaseSyncTask.Result
  ) async throws {
    guard let service = try await featureService(of: store) else { return }
    var fields = FieldsAtService(service: service)
    var (takers, sent): (Set<Int>, Set<String>) = ([], [])
    var lacking = lacking
    while true {
      let stopped = result.received.stoppedLayers
      let upload = try await store.makeUploadOfNewFeatures(
        limit, leavingOut: stopped, besides: sent, with: lacking)
      guard !upload.isEmpty else { return }
      let (arrived, unknown) = try await settleArrived(in: upload, of: store, at: service)
      guard arrived.total == 0, unknown.isEmpty else {
        result.sentEdits += arrived
        lacking.formIntersection(try await store.attachmentsLackedByService())
        lacking.subtract(unknown)
        continue
      }
      result.received.note(try await fields.lost(of: upload))
      // What stays takes no room from other tables.
      guard result.received.stoppedLayers.isSubset(of: stopped) else { continue }
      let layers = Set(upload.delta.layers.map(\.layerID))
      try await checkGlobalIDs(service, layers.subtracting(takers))
      takers.formUnion(layers)
      result.sentEdits += try await send(upload, of: store, to: service)
      guard upload.hasMore else { return }
      // What the service says nothing of is sent again next time, and keeps nothing else.
      sent.formUnion(upload.edits.map(\.globalID))
    }
  }

  /// Finds attachments that have arrived after all, since the service was asked for them last.
  ///
  /// - Returns: How many they are, and those of which the service does not tell whether it has them: sent again
  ///   they could be there twice.
  private func settleArrived(
    in upload: SyncUpload, of store: EditableGeodatabase, at service: FeatureService
  ) async throws -> (arrived: SentEdits, unknown: Set<String>) {
    var pending = PendingUpload(upload)
    let features = Set(upload.edits.filter { $0.attachmentID == nil }.map(\.globalID))
    pending.edits = upload.edits.filter { !features.contains($0.globalID) }
    let results = try await AttachmentCheck(service: service).results(of: pending, [])
    let unknown = Set(pending.edits.compactMap { $0.attachmentGlobalID.map(AttachmentCheck.plain) })
      .subtracting(results.compactMap { $0.globalID.map(AttachmentCheck.plain) })
    let found = results.filter(\.isSuccess)
    guard !found.isEmpty else { return (SentEdits(), unknown) }
    return (try await store.finish(pending, results: found, isCertain: false), unknown)
  }

  /// The service that the features of a file are of.
  private func featureService(of store: EditableGeodatabase) async throws -> FeatureService? {
    guard let state = try await store.syncState(), let url = URL(string: state.serviceURL) else {
      return nil
    }
    return FeatureService(url: url, client: portal.client)
  }

  private func send(
    _ upload: SyncUpload, of store: EditableGeodatabase, to service: FeatureService
  ) async throws -> SentEdits {
    let pending = PendingUpload(upload)
    try await store.setPendingUpload(pending)
    var form: RESTParameters = ["useGlobalIds": "true", "rollbackOnFailure": "false"]
    form.set("edits", json: .array(upload.delta.layers.map { DeltaJSON.additions(of: $0) }))
    let answer = try await portal.client.json(
      service.url.appending(path: "applyEdits"), form, method: .post)
    guard let results = NewFeatureResults(answer) else {
      // What it has is asked for by the next synchronization.
      throw PortalError.unexpected(
        service.url.withoutSecrets, reason: "it does not say what became of the edits")
    }
    let fileCount = upload.delta.layers.reduce(0) { $0 + $1.addedFiles.count }
    var isCertain = results.attachmentCount >= fileCount
    // Not every service lists attachments in its answer; it has them all the same, or not.
    if !isCertain {
      isCertain = try await ArrivedFeatures(of: pending, at: service).hasAllAttachments
    }
    let features = try await RepeatedFeatures(service: service, store: store)
      .recognized(in: results.features, of: pending)
    // One that is missing says nothing of the others.
    let files =
      try await isCertain
      ? [] : AttachmentCheck(service: service).results(of: pending, features)
    return try await store.finish(pending, results: features + files, isCertain: isCertain)
  }

  /// Refuses a service that gives new features ids of its own: it would be sent the same features again and
  /// again.
  private func checkGlobalIDs(_ service: FeatureService, _ layers: Set<Int>) async throws {
    guard try await takesGlobalIDs(service, layers) else {
      throw OfflineMapError.serverJobFailed(
        service: service.url.deletingLastPathComponent().lastPathComponent,
        reason: "it gives new features ids of its own, by which they could not be found again")
    }
  }

  /// Whether a service keeps the global ids of new features; some say so of all, some of each layer.
  private func takesGlobalIDs(_ service: FeatureService, _ layers: Set<Int>) async throws -> Bool {
    guard !layers.isEmpty else { return true }
    let name = "supportsApplyEditsWithGlobalIds"
    if let word = try await service.info().json[name]?.bool { return word }
    for layer in layers.sorted() {
      guard try await service.table(layer).info.json[name]?.bool == true else { return false }
    }
    return true
  }

  /// Asks the service which features of an attempt that broke off it has.
  ///
  /// Where it does not tell, or answers what cannot be understood for some hours, all are sent
  /// again: it refuses those that it has.
  ///
  /// - Returns: How many edits it has.
  /// - Throws: What keeps it from being asked; it is asked by the next synchronization then.
  func settlePending(_ store: EditableGeodatabase) async throws -> SentEdits {
    let now = surroundings.now()
    guard let pending = try await store.unsettledUpload(at: now),
      let service = try await featureService(of: store)
    else { return SentEdits() }
    do {
      let arrived = try await ArrivedFeatures(of: pending, at: service)
      let hasAll = arrived.hasAllAttachments
      // Those that are missing may be on their way.
      let files =
        try await hasAll
        ? []
        : AttachmentCheck(service: service).results(of: pending, arrived.features)
          .filter(\.isSuccess)
      return try await store.finish(
        pending, results: arrived.features + files, isCertain: hasAll)
    } catch let error as PortalError where error.refusesQuestion {
      try await store.setPendingUpload(nil)
    } catch let error as PortalError where error.isUnreadable {
      try await store.keep(pending, after: error, at: now)
    }
    return SentEdits()
  }
}

/// A service's results for features that were added by `applyEdits`.
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
          globalID: entry.filledGlobalID,
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

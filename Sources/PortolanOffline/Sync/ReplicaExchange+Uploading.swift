internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal

/// Sends edits, and finds out what became of those whose answers were lost.
extension ReplicaExchange {
  /// What is asked of the service once, however many requests the edits take.
  private struct Findings {
    var fields: FieldsAtService
    /// Whether it has a place for uploads; `nil` before it was asked.
    var takesUploads: Bool?
    /// Whether it has refused to answer with geodatabases.
    var knowsNoGeodatabases = false

    /// Whether edits are written into requests, and not into a file that is uploaded before.
    var writesEdits: Bool { takesUploads != true || knowsNoGeodatabases }
  }

  /// Sends the edits, those last that have to wait for others to arrive; as many at once as go into one
  /// request where they are written into it.
  ///
  /// - Parameters:
  ///   - store: The file.
  ///   - received: What came in before; edits of tables that have lost fields at the service stay, and such
  ///     tables are noted in it, also those of which nothing came in.
  ///   - sentEdits: How many edits the service has received; also those before something was in the way.
  /// - Throws: Also `ChangedFields`, where the layers of the replica go together and one has lost a field.
  func uploadEdits(
    of store: EditableGeodatabase, after received: inout SyncReceipt,
    counting sentEdits: inout SentEdits
  ) async throws {
    var findings = Findings(fields: FieldsAtService(service: task.service))
    var sent: Set<SyncUpload.Edit> = []
    while true {
      let upload = try await nextUpload(of: store, after: &received, &findings, besides: sent)
      guard !upload.isEmpty else { return }
      let edits: SentEdits?
      do {
        edits = try await send(upload, of: store, without: received.lostLayers, &findings)
      } catch {
        guard try await noteLostLayers(of: store, in: &received, after: error) else { throw error }
        sentEdits += try await settlePending(store)
        continue
      }
      guard let edits else { continue }
      sentEdits += edits
      guard upload.hasMore else { return }
      // What the service says nothing of is sent again next time, and keeps nothing else.
      sent.formUnion(upload.edits)
    }
  }

  /// Notes layers that the service has no more, after it has refused edits of a replica.
  ///
  /// - Returns: Whether there are any that were not known.
  private func noteLostLayers(
    of store: EditableGeodatabase, in received: inout SyncReceipt, after error: any Error
  ) async throws -> Bool {
    guard let state = try await store.syncState() else { return false }
    let layers = try await store.synchronizedLayers().subtracting(received.lostLayers)
    let lost = await lostLayers(state, layers, after: error)
    received.note(lost)
    return !lost.isEmpty
  }

  /// The edits that go next, of tables that have lost no field at the service.
  private func nextUpload(
    of store: EditableGeodatabase, after received: inout SyncReceipt, _ findings: inout Findings,
    besides sent: Set<SyncUpload.Edit>
  ) async throws -> SyncUpload {
    while true {
      let known = received.stoppedLayers
      let upload = try await store.makeUpload(
        attachmentLimit: attachmentLimit, within: findings.writesEdits ? limit : nil,
        leavingOut: known, besides: sent)
      if findings.takesUploads == nil, !upload.isEmpty {
        findings.takesUploads = try await task.service.info().capabilities.contains("Uploads")
        // A file takes all of them.
        if !findings.writesEdits, upload.hasMore { continue }
      }
      received.note(try await findings.fields.lost(of: upload))
      let stopped = received.changedFields.filter(\.stopsExchange)
      if let first = try await store.stopping(stopped) { throw first }
      // What stays takes no room from the attachments of other tables.
      if received.stoppedLayers.isSubset(of: known) { return upload }
    }
  }

  /// Sends edits; kept in the file before, so that what breaks off is recognized.
  ///
  /// - Returns: How many the service has; `nil` where it has refused them since it knows no geodatabases, so
  ///   that they go in another way.
  private func send(
    _ upload: SyncUpload, of store: EditableGeodatabase, without lost: Set<Int>,
    _ findings: inout Findings
  ) async throws -> SentEdits? {
    guard let state = try await store.syncState() else { return SentEdits() }
    let pending = PendingUpload(upload)
    try await store.setPendingUpload(pending)
    let layers = try await store.synchronizedLayers().subtracting(lost)
    var request = form("upload", state, layers)
    var uploadID: String?
    if findings.writesEdits {
      request.set("edits", json: DeltaJSON(upload.delta).json)
      if findings.knowsNoGeodatabases { request = request.inJSON }
    } else {
      uploadID = try await uploaded(upload.delta)
      request["editsUploadID"] = uploadID
      request["editsUploadFormat"] = "sqlite"
    }
    let submitted: ReplicaJobStatus
    do throws(PortalError) { submitted = try await task.synchronize(request) } catch {
      if error.isRefusal { await removeUpload(uploadID) }
      guard error.refusesDataFormat, !findings.knowsNoGeodatabases else { throw error }
      findings.knowsNoGeodatabases = true
      return nil
    }
    try await store.setPendingStatus(
      submitted.statusURL?.absoluteString, submitted: surroundings.now(), of: uploadID)
    let status = try await over(submitted)
    let sent: SentEdits
    do {
      sent = try await take(status, of: pending, store, findings.fields.known)
    } catch let error as OfflineMapError {
      await removeUpload(uploadID)
      throw error
    }
    await removeUpload(uploadID)
    return sent
  }

  /// Takes over what a job that is over says about an upload.
  private func take(
    _ status: ReplicaJobStatus, of pending: PendingUpload, _ store: EditableGeodatabase,
    _ layers: [Int: FeatureLayerInfo]
  ) async throws -> SentEdits {
    let status = try checked(status)
    guard let answered = try await results(of: status, store) else {
      // What it has of it all the same is asked for by the next synchronization.
      throw OfflineMapError.changesMissing(service: serviceName)
    }
    return try await settle(
      pending, UploadAnswer(results: answered, isCertain: !status.hasErrors), store, layers)
  }

  /// Removes a file at the service whose job is over.
  private func removeUpload(_ id: String?) async {
    guard let id else { return }
    // The edits are settled without it, and services remove uploads after a while.
    try? await task.service.deleteUpload(id)
  }

  /// Finds out what became of an upload that broke off.
  ///
  /// Where the service has forgotten it, or answers what cannot be understood, or could not carry
  /// it out, it is asked which of the new features it has: one that was deleted here since is no
  /// longer an edit, and would stay there. The other edits are sent again: it knows them by their
  /// ids.
  func settlePending(_ store: EditableGeodatabase) async throws -> SentEdits {
    let now = surroundings.now()
    guard let pending = try await store.unsettledUpload(at: now) else { return SentEdits() }
    let sent = try await settle(pending, store, at: now)
    // It is known only where the service has answered, and then the job is over by now.
    await removeUpload(pending.uploadID)
    return sent
  }

  private func settle(
    _ pending: PendingUpload, _ store: EditableGeodatabase, at now: Date
  ) async throws -> SentEdits {
    guard let status = pending.statusURL.flatMap({ URL(string: $0) }) else {
      return try await settleUnanswered(pending, store)
    }
    guard let answered = try await answer(to: pending, at: status, store) else {
      return try await settleUnanswered(pending, store)
    }
    do {
      return try await settle(pending, answered, store)
    } catch let error as PortalError where error.isUnreadable {
      try await store.keep(pending, after: error, at: now)
      return SentEdits()
    }
  }

  /// What a service says about an upload that broke off; `nil` if it says nothing of it any more.
  private func answer(
    to pending: PendingUpload, at status: URL, _ store: EditableGeodatabase
  ) async throws -> UploadAnswer? {
    var isOver = false
    do {
      guard let ended = try await ended(at: status, within: ServerJobPolling.aMinute) else {
        // Sent again, the edits could arrive before those of this job, which would undo later ones.
        guard pending.mayBeUnderWay(at: surroundings.now()) else { return nil }
        throw OfflineMapError.serverJobFailed(
          service: serviceName, reason: "it still works on the edits that were sent before")
      }
      isOver = true
      guard !ended.hasFailed, let answered = try await results(of: ended, store) else { return nil }
      return UploadAnswer(results: answered, isCertain: !ended.hasErrors)
    } catch let error as PortalError where error.saysGone || error.isAnswer {
      // A page in the place of the result comes after the job.
      let isOpen = isOver ? error.isTransient : error.leavesJobOpen
      guard !isOpen || !pending.mayBeUnderWay(at: surroundings.now()) else { throw error }
      return nil
    }
  }

  /// Finds out which new features a service has although its answer to them was lost.
  ///
  /// Some services refuse a feature that they have. Other edits are sent again.
  private func settleUnanswered(
    _ upload: PendingUpload, _ store: EditableGeodatabase
  ) async throws -> SentEdits {
    let pending = upload.onlyNewFeatures
    guard !pending.edits.isEmpty else {
      try await store.setPendingUpload(nil)
      return SentEdits()
    }
    do {
      let arrived = try await ArrivedFeatures(of: pending, at: task.service).features
      // That one is missing is no refusal: the upload may have broken off before it.
      let files = try await AttachmentCheck(service: task.service).results(of: pending, arrived)
        .filter(\.isSuccess)
      return try await store.finish(pending, results: arrived + files, isCertain: false)
    } catch let error as PortalError where error.refusesQuestion {
      // The service does not tell: all is sent again, as it knows edits by their ids.
      try await store.setPendingUpload(nil)
      return SentEdits()
    } catch let error as PortalError where error.isUnreadable {
      try await store.keep(upload, after: error, at: surroundings.now())
      return SentEdits()
    }
  }

  /// Takes over what the service says about an upload.
  ///
  /// - Returns: How many edits it has.
  /// - Throws: Also what keeps the service from being asked for what its answer leaves open; the upload is
  ///   looked into again then.
  private func settle(
    _ pending: PendingUpload, _ answer: UploadAnswer, _ store: EditableGeodatabase,
    _ layers: [Int: FeatureLayerInfo] = [:]
  ) async throws -> SentEdits {
    let results = try await RepeatedFeatures(service: task.service, store: store)
      .recognized(in: answer.results, of: pending)
    let files = try await AttachmentCheck(service: task.service, layers: layers)
      .results(of: pending, results)
    return try await store.finish(
      pending, results: results + files, isCertain: answer.isCertain)
  }

  /// What a service says about each edit; `nil` if that cannot be read.
  private func results(
    of status: ReplicaJobStatus, _ store: EditableGeodatabase
  ) async throws -> [GeodatabaseDelta.EditResult]? {
    do {
      return try await withChanges(of: status, store) { try $0.results() }
    } catch OfflineMapError.damaged {
      return nil
    } catch let error as FeatureStoreError {
      guard error != .cancelled else { throw error }
      return nil
    }
  }

  private func uploaded(_ delta: GeodatabaseDelta) async throws -> String {
    let file = folder.appending(path: "upload-\(surroundings.makeID()).geodatabase")
    let makeID = surroundings.makeID
    try delta.write(to: file, now: surroundings.now(), makeID: makeID)
    // Nobody needs the file afterwards, and the folder is emptied with the job.
    defer { try? FileManager.default.removeItem(at: file) }
    return try await task.service.upload(file, named: "edits.geodatabase")
  }
}

/// A service's response to an upload.
private struct UploadAnswer {
  /// The result of each edit.
  let results: [GeodatabaseDelta.EditResult]
  /// Whether it has ended without errors, so that what it does not list has arrived.
  let isCertain: Bool
}

extension PortalError {
  /// Whether a service has refused a request, so that it makes no use of what was uploaded for it.
  fileprivate var isRefusal: Bool {
    guard case .server = self else { return false }
    return saysNothingWasMade || refusesDataFormat
  }
}

extension SyncReceipt {
  /// The layers of which nothing is exchanged.
  var stoppedLayers: Set<Int> {
    Set(changedFields.filter(\.stopsExchange).map(\.layerID))
  }
}
